package deployment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/bench/internal/world"
	"forecourt.internal/platform/pgtest"
)

// Deployment is a running system.
type Deployment struct {
	JetStream jetstream.JetStream
	// PostgresDSN is of the database that the idempotency service uses.
	PostgresDSN string
	// Edge is the address, host and port, of the MCP edge.
	Edge string

	dir       string
	postgres  *pgtest.Server
	processes []*process
}

// Start builds and starts everything. seed fills the broker before the services start. Stop ends it.
func Start(ctx context.Context, seed func(context.Context, jetstream.JetStream) error) (*Deployment, error) {
	dir, err := os.MkdirTemp("", "forecourt-bench-")
	if err != nil {
		return nil, fmt.Errorf("start the deployment: %w", err)
	}
	d := &Deployment{dir: dir}
	if err := d.start(ctx, seed); err != nil {
		return nil, errors.Join(fmt.Errorf("start the deployment: %w", err), d.Stop())
	}
	return d, nil
}

func (d *Deployment) start(ctx context.Context, seed func(context.Context, jetstream.JetStream) error) (err error) {
	if err := build(ctx, d.dir); err != nil {
		return err
	}
	if d.postgres, err = pgtest.StartTemporary(); err != nil {
		return err
	}
	d.PostgresDSN = d.postgres.DSN()
	nats, err := d.startBroker()
	if err != nil {
		return err
	}
	if d.JetStream, err = world.Connect(ctx, nats); err != nil {
		return err
	}
	if err := seed(ctx, d.JetStream); err != nil {
		return err
	}
	return d.startServices(nats)
}

// startBroker returns the server's URL.
func (d *Deployment) startBroker() (string, error) {
	config := fmt.Sprintf("listen: \"127.0.0.1:-1\"\nmax_payload: 2MB\njetstream { store_dir: %q, sync_interval: always }\n",
		filepath.Join(d.dir, "jetstream"))
	path := filepath.Join(d.dir, "nats.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		return "", err
	}
	p, err := start(filepath.Join(d.dir, broker), nil, (*exec.Cmd).StderrPipe, "Server is ready", "-c", path)
	if err != nil {
		return "", err
	}
	d.processes = append(d.processes, p)
	return "nats://" + p.endpoint("Listening for client connections on "), nil
}

func (d *Deployment) startServices(nats string) error {
	env := []string{
		"FORECOURT_NATS_URL=" + nats, "FORECOURT_POSTGRES_DSN=" + d.PostgresDSN,
		"FORECOURT_LISTEN=127.0.0.1:0", "FORECOURT_ADMIN=127.0.0.1:0",
	}
	for _, name := range services {
		p, err := start(filepath.Join(d.dir, name), env, (*exec.Cmd).StdoutPipe, "ready")
		if err != nil {
			return err
		}
		d.processes = append(d.processes, p)
		switch name {
		case "inventory":
			env = append(env, "FORECOURT_INVENTORY_ADDR="+p.endpoint("grpc "))
		case "idempotency":
			env = append(env, "FORECOURT_IDEMPOTENCY_ADDR="+p.endpoint("grpc "))
		case "leads":
			env = append(env, "FORECOURT_LEADS_ADDR="+p.endpoint("grpc "))
		case "mcp-edge":
			d.Edge = p.endpoint("mcp http://")
		}
	}
	return nil
}

// Stop ends everything, callers first, and removes the data.
func (d *Deployment) Stop() error {
	var problems []error
	for i := range d.processes {
		problems = append(problems, d.processes[len(d.processes)-1-i].stop())
	}
	if d.postgres != nil {
		problems = append(problems, d.postgres.Stop())
	}
	return errors.Join(append(problems, os.RemoveAll(d.dir))...)
}
