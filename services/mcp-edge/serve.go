package mcpedge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"forecourt.internal/services/mcp-edge/internal/skill"
)

const (
	// maxHeaders bounds the header of a request, in bytes.
	maxHeaders = 64 << 10
	// drainWithin bounds how long calls in flight are waited for: a lead that has begun may end.
	drainWithin = skill.LeadWithin + 5*time.Second
)

// Serve answers on the listener until ctx is done. Then it takes no more connections, lets the calls in flight end, and returns
// nil; it returns an error when that takes longer than 25 seconds and the rest had to be cut off. On a loopback listener it
// also guards against DNS rebinding (R-ORIG).
func (e *Edge) Serve(ctx context.Context, l net.Listener) error {
	endpoint := e.endpoint
	if addr, ok := l.Addr().(*net.TCPAddr); ok && addr.IP.IsLoopback() {
		endpoint = endpoint.OnLoopback()
	}
	server := &http.Server{
		Handler:           e.routes(endpoint),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      skill.LeadWithin + 20*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeaders,
		ErrorLog:          slog.NewLogLogger(e.log.Handler(), slog.LevelWarn),
	}
	drained := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { drained <- drain(server) })
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return fmt.Errorf("serve edge: %w", err)
	}
	return <-drained
}

// drain does not use the context of Serve, which is done by now.
func drain(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainWithin)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return fmt.Errorf("drain edge: calls were still in flight after %s: %w", drainWithin, err)
	}
	return nil
}
