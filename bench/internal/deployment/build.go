package deployment

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// services are those of the lead path, in the order in which they start: a service's neighbours come before it.
var services = []string{"inventory", "idempotency", "leads", "mcp-edge"}

const broker = "nats-server"

// build makes the programs in a directory, under the services' names.
func build(ctx context.Context, dir string) error {
	here, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "forecourt.internal/bench").Output()
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	bench := strings.TrimSpace(string(here))
	for _, name := range services {
		module := filepath.Join(bench, "..", "services", name)
		if err := goBuild(ctx, module, filepath.Join(dir, name), "./cmd/"+name); err != nil {
			return err
		}
	}
	return goBuild(ctx, bench, filepath.Join(dir, broker), "github.com/nats-io/nats-server/v2")
}

func goBuild(ctx context.Context, module, path, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-race=false", "-o", path, pkg)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}
