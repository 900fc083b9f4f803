package compose_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/cmd/forecourt/internal/compose"
	"forecourt.internal/platform/boot"
	"forecourt.internal/platform/eventually"
	"forecourt.internal/platform/natsd"
)

func config(dir string) compose.Config {
	return compose.Config{
		MCP: "127.0.0.1:0", Admin: "127.0.0.1:0", NATS: "127.0.0.1:0", DataDir: dir, Logger: slog.New(slog.DiscardHandler),
	}
}

// runOnce runs the process to the moment it is ready, and ends it.
func runOnce(t *testing.T, cfg compose.Config) (wasReady bool, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err = compose.Run(ctx, cfg, func(e compose.Endpoints) {
		wasReady = true
		resp, err := http.Get(e.Admin + "/readyz")
		if err != nil {
			t.Error(err)
		} else if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			t.Errorf("readyz = %d when the process says that it is ready", resp.StatusCode)
		}
		cancel()
	})
	return wasReady, err
}

func TestRun_ReadyThenDone_LeavesTheDataDirectoryToTheNext(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if ready, err := runOnce(t, config(dir)); !ready || err != nil {
			t.Fatalf("ready = %t, err = %v", ready, err)
		}
	}
}

func TestRun_ToldToEndDuringItsStart_EndsWithNil(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := config(t.TempDir())
	cfg.Seed = func(ctx context.Context, _ jetstream.JetStream, _ *slog.Logger) error {
		cancel()
		return ctx.Err()
	}
	err := compose.Run(ctx, cfg, func(compose.Endpoints) { t.Error("it says that it is ready") })
	if err != nil {
		t.Errorf("err = %v, want nil", err)
	}
}

func TestRun_StartThatFails_SaysWhyAndFreesTheDirectory(t *testing.T) {
	dir := t.TempDir()
	cfg := config(dir)
	broken := errors.New("the seed is broken")
	cfg.Seed = func(context.Context, jetstream.JetStream, *slog.Logger) error { return broken }
	if ready, err := runOnce(t, cfg); ready || !errors.Is(err, broken) {
		t.Errorf("ready = %t, err = %v; want %v", ready, err, broken)
	}
	if ready, err := runOnce(t, config(dir)); !ready || err != nil {
		t.Errorf("the next start: ready = %t, err = %v", ready, err)
	}
}

func TestRun_RealBrokerIsLost_NotReadyUntilItIsBack(t *testing.T) {
	store := t.TempDir()
	broker := startBroker(t, "127.0.0.1:0", store)
	cfg := config("")
	cfg.NATSURL = boot.NATSURL(broker.URL())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := compose.Run(ctx, cfg, func(e compose.Endpoints) {
		go func() {
			defer cancel()
			broker.Shutdown()
			becomes(t, e.Admin, http.StatusServiceUnavailable)
			startBroker(t, strings.TrimPrefix(broker.URL(), "nats://"), store)
			becomes(t, e.Admin, http.StatusOK)
		}()
	})
	if err != nil {
		t.Errorf("err = %v", err)
	}
}

func startBroker(t *testing.T, listen, dir string) *natsd.Server {
	t.Helper()
	s, err := natsd.Start(natsd.Config{Listen: listen, Dir: dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Error(err)
		return nil
	}
	t.Cleanup(s.Shutdown)
	return s
}

// becomes waits until readyz answers with the status.
func becomes(t *testing.T, admin string, status int) {
	t.Helper()
	eventually.Is(t, fmt.Sprintf("readyz is %d", status), func() bool {
		resp, err := http.Get(admin + "/readyz")
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == status
	})
}

func TestRun_StoreThatCannotBeOpened_NamesTheDirectory(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "nats")
	if err := os.WriteFile(store, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := runOnce(t, config(dir))
	if err == nil || !strings.Contains(err.Error(), store) || strings.Contains(err.Error(), "--nats-listen") {
		t.Errorf("err = %v, want one about %s", err, store)
	}
}
