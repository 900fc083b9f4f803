package chaos

import (
	"fmt"
	"path/filepath"

	"forecourt.internal/test/internal/binary"
)

// Programs are the paths of the binaries that a cluster runs.
type Programs struct{ Edge, Leads, Idempotency, Inventory, NATS string }

// Build makes the programs in a directory. The race detector watches the services when it watches this process; the broker is
// somebody else's.
func Build(dir string) (Programs, error) {
	p := Programs{
		Edge: filepath.Join(dir, "mcp-edge"), Leads: filepath.Join(dir, "leads"), Idempotency: filepath.Join(dir, "idempotency"),
		Inventory: filepath.Join(dir, "inventory"), NATS: filepath.Join(dir, "nats-server"),
	}
	for _, path := range []string{p.Edge, p.Leads, p.Idempotency, p.Inventory} {
		name := filepath.Base(path)
		if err := binary.Build(path, filepath.Join("..", "..", "services", name, "cmd", name), ".", binary.UnderRace()); err != nil {
			return Programs{}, err
		}
	}
	if err := binary.Build(p.NATS, ".", "github.com/nats-io/nats-server/v2", false); err != nil {
		return Programs{}, fmt.Errorf("the broker: %w", err)
	}
	return p, nil
}
