package chaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Lease is how long an attempt holds a key: short, so that a run sees many that run out.
const Lease = 3 * time.Second

// Cluster is every process of a deployment, and the links between them:
//
//	edge-1 → leads-1 → idempotency-1 → Postgres
//	edge-2 → leads-2 → idempotency-2 →
//
// Edges, leads and inventory have links to NATS, and leads to inventory. A request of one edge is never in the same process as one of
// the other, so that whatever decides between them is in the broker or in the database.
type Cluster struct {
	dir       string
	ports     ports
	programs  Programs
	nodes     []node
	edges     []string // base URLs
	processes []*Process
	links     []*Link
	postgres  *Postgres
	conn      *nats.Conn
	js        jetstream.JetStream
}

// NewCluster starts the broker and the services with their data and logs in dir, on a database. Close ends them, also after an error.
func NewCluster(ctx context.Context, dir string, programs Programs, nodes int, postgres *Postgres) (*Cluster, error) {
	c := &Cluster{dir: dir, ports: ports{taken: map[int]bool{}}, programs: programs, postgres: postgres}
	err := c.start(ctx, nodes)
	return c, err
}

func (c *Cluster) start(ctx context.Context, nodes int) (err error) {
	if c.nodes, err = newNodes(nodes, c.dir, &c.ports); err != nil {
		return err
	}
	for _, n := range c.nodes {
		if err := c.run(n.Name, c.programs.NATS, "http://"+n.Monitor+"/healthz", nil, "-c", n.config()); err != nil {
			return err
		}
	}
	if err := c.Ready(ctx); err != nil {
		return err
	}
	if c.conn, c.js, err = connect(c.nodes); err != nil {
		return err
	}
	if err := c.startServices(); err != nil {
		return err
	}
	return c.Ready(ctx)
}

func (c *Cluster) startServices() error {
	inventory, err := c.service("inventory", c.programs.Inventory, links{nats: true})
	if err != nil {
		return err
	}
	for _, n := range []string{"-1", "-2"} {
		idempotency, err := c.service("idempotency"+n, c.programs.Idempotency, links{postgres: true})
		if err != nil {
			return err
		}
		leads, err := c.service("leads"+n, c.programs.Leads, links{
			nats: true, services: []neighbour{{"idempotency", idempotency}, {"inventory", inventory}},
		})
		if err != nil {
			return err
		}
		edge, err := c.service("edge"+n, c.programs.Edge, links{nats: true, services: []neighbour{{"leads", leads}}},
			"FORECOURT_INVENTORY_ADDR="+inventory)
		if err != nil {
			return err
		}
		c.edges = append(c.edges, "http://"+edge)
	}
	return nil
}

// service starts a service that reaches others over links of its own. It returns the service's address.
func (c *Cluster) service(name, program string, needs links, env ...string) (string, error) {
	listen, err := c.ports.address()
	if err != nil {
		return "", err
	}
	admin, err := c.ports.address()
	if err != nil {
		return "", err
	}
	linked, err := c.link(name, needs)
	if err != nil {
		return "", err
	}
	env = append(env, "FORECOURT_LISTEN="+listen, "FORECOURT_ADMIN="+admin, "FORECOURT_LEASE="+Lease.String(),
		fmt.Sprintf("FORECOURT_REPLICAS=%d", len(c.nodes)))
	return listen, c.run(name, program, "http://"+admin+"/readyz", append(env, linked...))
}

// links are what a service reaches over links.
type links struct {
	nats, postgres bool
	services       []neighbour
}

// neighbour is a service by its name in settings.
type neighbour struct{ name, address string }

// link opens the links of a process and returns the settings that lead over them.
func (c *Cluster) link(name string, needs links) (env []string, err error) {
	open := func(to string, upstreams ...string) []string {
		l, failure := newLink(name+">"+to, &c.ports, upstreams...)
		if failure != nil {
			err = errors.Join(err, failure)
			return upstreams
		}
		c.links = append(c.links, l)
		return l.Addresses()
	}
	for _, service := range needs.services {
		env = append(env, "FORECOURT_"+strings.ToUpper(service.name)+"_ADDR="+open(service.name, service.address)[0])
	}
	if needs.nats {
		var clients, monitors []string
		for _, n := range c.nodes {
			clients, monitors = append(clients, n.Client), append(monitors, "http://"+n.Monitor)
		}
		env = append(env, "FORECOURT_NATS_URL="+urls(open("nats", clients...)), "FORECOURT_NATS_MONITOR_URLS="+strings.Join(monitors, ","))
	}
	if needs.postgres {
		env = append(env, "FORECOURT_POSTGRES_DSN="+c.postgres.DSN(open("postgres", c.postgres.Address())[0]))
	}
	return env, err
}

// run starts a process with a log of its own, that is never rewritten.
func (c *Cluster) run(name, program, probe string, env []string, args ...string) error {
	log, err := os.OpenFile(filepath.Join(c.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log of %s: %w", name, err)
	}
	p := &Process{Name: name, path: program, args: args, dir: c.dir, env: append(environ(), env...), probe: probe, log: log}
	c.processes = append(c.processes, p)
	return p.Start()
}

// environ is this process's environment without the settings of services.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "FORECOURT_") })
}

// readyEvery is how often a process is asked whether it is ready.
const readyEvery = 50 * time.Millisecond

// Ready waits until every process is ready, and names those that are not when ctx is done.
func (c *Cluster) Ready(ctx context.Context) error {
	var problems []error
	for _, p := range c.processes {
		if err := await(ctx, p); err != nil {
			problems = append(problems, fmt.Errorf("%s is not ready: %w", p.Name, err))
		}
	}
	return errors.Join(problems...)
}

func await(ctx context.Context, p *Process) error {
	tick := time.NewTicker(readyEvery)
	defer tick.Stop()
	for {
		err := p.Ready(context.WithoutCancel(ctx)) // the client has a deadline
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}

// Process returns a process by its name.
func (c *Cluster) Process(name string) *Process {
	i := slices.IndexFunc(c.processes, func(p *Process) bool { return p.Name == name })
	return c.processes[i]
}

// Targets is what can be broken here.
func (c *Cluster) Targets() Targets {
	var t Targets
	for _, p := range c.processes {
		t.Kill, t.Pause = append(t.Kill, p.Name), append(t.Pause, p.Name)
	}
	if c.postgres.Killable() {
		t.Kill = append(t.Kill, postgres)
	}
	if len(c.nodes) > 1 {
		t.Kill, t.Pause = append(t.Kill, natsLeader), append(t.Pause, natsLeader)
	}
	for _, l := range c.links {
		t.Links = append(t.Links, l.Name)
	}
	return t
}

// The targets that are not a process of the harness by that name.
const (
	postgres   = "postgres"
	natsLeader = "nats-leader" // whichever leads the log when the fault begins
)

// Stop asks the services to end, callers first, and returns those that did not end as they should.
func (c *Cluster) Stop() []string {
	var bad []string
	for _, p := range slices.Backward(c.processes) {
		if how := p.Stop(time.Minute); how != "exit status 0" && !strings.HasPrefix(p.Name, "nats") {
			bad = append(bad, fmt.Sprintf("%s, asked to end: %s", p.Name, how))
		}
	}
	return bad
}

// Close ends everything at once.
func (c *Cluster) Close() {
	if c.conn != nil {
		c.conn.Close()
	}
	for _, p := range c.processes {
		p.Kill()
		p.log.Close()
	}
	for _, l := range c.links {
		l.Close()
	}
}

// Link returns a link by its name.
func (c *Cluster) Link(name string) *Link {
	i := slices.IndexFunc(c.links, func(l *Link) bool { return l.Name == name })
	return c.links[i]
}
