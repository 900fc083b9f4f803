package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"

	"forecourt.internal/platform/admin"
	"forecourt.internal/platform/rpc"
)

// readyEvery is how often the start asks whether every part can do its work.
const readyEvery = 20 * time.Millisecond

var (
	errStarting = errors.New("starting")
	errDraining = errors.New("draining")
)

// Process is a service's process. Its methods are for the one goroutine that starts it.
type Process struct {
	// Log takes JSON lines on standard error.
	Log  *slog.Logger
	name string
	out  io.Writer
	// serving ends when the process is told to end or a part has failed; it is the signal to drain.
	serving context.Context
	drain   context.CancelFunc
	// life is of what runs in the background; it ends after the drain.
	life context.Context
	stop context.CancelFunc

	endpoints []string
	parts     sync.WaitGroup
	closers   []func()
	checks    admin.Checks

	mu     sync.Mutex
	phase  error // why the process as a whole is not ready
	failed []error
}

func newProcess(ctx context.Context, name string, log *slog.Logger, out io.Writer) *Process {
	p := &Process{Log: log, name: name, out: out, phase: errStarting}
	p.serving, p.drain = context.WithCancel(ctx)
	p.life, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	return p
}

// Life is the context of what must outlast the drain, such as the watch of the tenants.
func (p *Process) Life() context.Context { return p.life }

// Admin opens the admin endpoint. It answers from now until the last call is drained; /readyz is 503 while the process starts and
// drains, and when a check fails.
func (p *Process) Admin(address Address) error {
	l, err := Listen("FORECOURT_ADMIN", string(address))
	if err != nil {
		return err
	}
	p.endpoints = append(p.endpoints, "admin http://"+l.Addr().String())
	p.checks.Add("process", func(context.Context) error { return p.current() })
	p.Go("admin", func(ctx context.Context) error { return admin.Serve(ctx, l, admin.Handler(&p.checks)) })
	return nil
}

// Check adds a readiness check. What it looks at must be the process's own or a store that the process works on, never another
// service: one that is away would take the rest out of service with it.
func (p *Process) Check(part string, check admin.Check) { p.checks.Add(part, check) }

// Go runs a part in the background until the drain is over. When it fails before, the process drains and ends with its error.
func (p *Process) Go(part string, run func(context.Context) error) {
	p.parts.Go(func() {
		err := run(p.life)
		if err == nil || p.life.Err() != nil {
			return
		}
		p.mu.Lock()
		p.failed = append(p.failed, fmt.Errorf("%s: %w", part, err))
		p.mu.Unlock()
		p.drain()
	})
}

// Defer has close called when the drain and every part are over, the last one first.
func (p *Process) Defer(close func()) { p.closers = append(p.closers, close) }

// Dial connects to another service for the life of the process.
func (p *Process) Dial(address Address) (*grpc.ClientConn, error) {
	conn, err := rpc.Dial(string(address))
	if err != nil {
		return nil, err
	}
	p.Defer(func() { conn.Close() })
	return conn, nil
}

// ServeGRPC serves what register adds, as Serve does.
func (p *Process) ServeGRPC(address Address, register func(grpc.ServiceRegistrar)) error {
	return p.Serve("grpc ", address, func(ctx context.Context, l net.Listener) error { return rpc.Serve(ctx, l, p.Log, register) })
}

// Serve waits until every check passes, listens, prints the endpoints, one a line, and then "ready", and serves until the
// process is told to end or a part fails. It returns when serve has drained. Before that nobody is answered, so that no caller sees
// half of what there is. prefix stands before the address in the line of the endpoint.
func (p *Process) Serve(prefix string, address Address, serve func(context.Context, net.Listener) error) error {
	if !p.awaitReady() {
		return nil
	}
	l, err := Listen("FORECOURT_LISTEN", string(address))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(p.serving, func() { p.enter(errDraining) })
	defer stop()
	p.enter(nil)
	for _, line := range append([]string{prefix + l.Addr().String()}, append(p.endpoints, "ready")...) {
		fmt.Fprintln(p.out, line)
	}
	return serve(p.serving, l)
}

// awaitReady returns false when the process is told to end, or a part fails, before every check passes.
func (p *Process) awaitReady() bool {
	tick := time.NewTicker(readyEvery)
	defer tick.Stop()
	for !p.ready() {
		select {
		case <-tick.C:
		case <-p.serving.Done():
			return false
		}
	}
	return p.serving.Err() == nil
}

// ready says whether nothing is missing but the end of the start.
func (p *Process) ready() bool {
	for _, err := range p.checks.Run(p.serving) {
		if err != nil && err != errStarting {
			return false
		}
	}
	return true
}

func (p *Process) current() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.phase
}

func (p *Process) enter(phase error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.phase != errDraining {
		p.phase = phase
	}
}

// end stops the parts, closes what they used, and returns what failed.
func (p *Process) end() error {
	p.drain()
	p.stop()
	p.parts.Wait()
	for i := range p.closers {
		p.closers[len(p.closers)-1-i]()
	}
	return errors.Join(p.failed...)
}
