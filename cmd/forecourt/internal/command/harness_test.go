package command_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"forecourt.internal/cmd/forecourt/internal/command"
)

// result is what a command line did.
type result struct {
	out, err string
	code     int
}

// run runs a command line to its end.
func run(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	code := command.Main(t.Context(), args, strings.NewReader(stdin), &out, &errOut)
	return result{out: out.String(), err: errOut.String(), code: code}
}

// runInterrupted runs a command line that is told to end before it has begun.
func runInterrupted(t *testing.T, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	code := command.Main(ctx, args, strings.NewReader(""), &out, &errOut)
	return result{out: out.String(), err: errOut.String(), code: code}
}

// background runs a command line until stop is called, and gives its output line by line.
type background struct {
	lines <-chan string
	// stop is Ctrl-C; it returns the exit code.
	stop func() int
	log  *buffer
}

func runInBackground(t *testing.T, args ...string) *background {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	b := &background{log: new(buffer)}
	ended := make(chan int, 1)
	go func() {
		code := command.Main(ctx, args, strings.NewReader(""), in, b.log)
		in.Close()
		ended <- code
	}()
	b.lines = scan(out)
	b.stop = sync.OnceValue(func() int {
		cancel()
		for range b.lines { // a command must not wait for its reader
		}
		return <-ended
	})
	t.Cleanup(func() { b.stop() })
	return b
}

// demo runs `forecourt demo` in the process on free ports and returns its endpoints.
func demo(t *testing.T) (endpoints map[string]string, b *background) {
	t.Helper()
	return endpointsOf(t, "demo", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0",
		"--data-dir", t.TempDir())
}

// endpointsOf runs the system and returns its endpoints once it is ready.
func endpointsOf(t *testing.T, args ...string) (endpoints map[string]string, b *background) {
	t.Helper()
	b = runInBackground(t, args...)
	endpoints = map[string]string{}
	for line := range b.lines {
		name, value, _ := strings.Cut(line, " ")
		if name == "ready" {
			return endpoints, b
		}
		endpoints[name] = strings.TrimSpace(value)
	}
	t.Fatalf("%s ended before it was ready:\n%s", args[0], b.log)
	return nil, nil
}
