package natsd_test

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natsd"
)

var quiet = slog.New(slog.DiscardHandler)

func start(t *testing.T, dir string) *natsd.Server {
	t.Helper()
	s, err := natsd.Start(natsd.Config{Listen: "127.0.0.1:0", Dir: dir, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func stream(t *testing.T, nc *nats.Conn) jetstream.Stream {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	st, err := js.CreateOrUpdateStream(t.Context(), jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "s", nil); err != nil {
		t.Fatal(err)
	}
	return st
}

func TestStart_ServesClientsInsideAndOutside_AndKeepsTheStore(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	inside, err := s.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	stream(t, inside)
	inside.Close()
	s.Shutdown()

	s = start(t, dir)
	defer s.Shutdown()
	outside, err := nats.Connect(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	info, err := stream(t, outside).Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.State.Msgs != 2 {
		t.Errorf("messages after a restart and another = %d, want 2", info.State.Msgs)
	}
}

func TestStart_RefusesAnAddressItCannotUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, address := range []string{"", "127.0.0.1", "127.0.0.1:nats", taken.Addr().String()} {
		_, err := natsd.Start(natsd.Config{Listen: address, Dir: t.TempDir(), Logger: quiet})
		if err == nil || !strings.Contains(err.Error(), address) {
			t.Errorf("Listen %q: err = %v, want one that names the address", address, err)
		}
		if inUse := errors.Is(err, syscall.EADDRINUSE); inUse != (address == taken.Addr().String()) {
			t.Errorf("Listen %q: address in use = %t", address, inUse)
		}
	}
}

func TestStart_StoreThatCannotBeOpened_FailsAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := natsd.Start(natsd.Config{Listen: "127.0.0.1:0", Dir: file, Logger: quiet})
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("err = %v, want one that names %s", err, file)
	}
}
