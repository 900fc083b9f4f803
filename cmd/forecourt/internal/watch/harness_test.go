package watch

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const settle = 2 * time.Second

// desk watches a directory in a bubble of fake time, without notifications, and keeps what was imported.
type desk struct {
	t      *testing.T
	dir    string
	tenant string
	// answer, when set, decides what becomes of a file.
	answer func(ctx context.Context, tenant, name, text string) (Result, error)

	mu       sync.Mutex
	imported []string // "tenant name text", in order
	log      bytes.Buffer
	end      func()
}

// inBubble runs a test of a watched directory in fake time: a sleep only moves the clock.
func inBubble(t *testing.T, test func(t *testing.T, d *desk)) {
	synctest.Test(t, func(t *testing.T) { test(t, &desk{t: t, dir: t.TempDir()}) })
}

// start watches until end.
func (d *desk) start() {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	log := slog.New(slog.NewTextHandler(d, nil))
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, Config{
			Dir: d.dir, Tenant: d.tenant, Import: d.read, Settle: settle, Logger: log,
			ValidTenant: func(name string) bool { return !strings.Contains(name, " ") },
		}, &notices{log: log})
	}()
	d.end = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			d.t.Errorf("run: %v", err)
		}
	})
	d.t.Cleanup(d.end)
	synctest.Wait()
}

func (d *desk) read(ctx context.Context, tenant, name string, r io.Reader) (Result, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Result{}, err
	}
	d.mu.Lock()
	d.imported = append(d.imported, tenant+" "+filepath.Base(name)+" "+string(text))
	d.mu.Unlock()
	if d.answer == nil {
		return Result{}, nil
	}
	return d.answer(ctx, tenant, filepath.Base(name), string(text))
}

// Write takes a part of the log.
func (d *desk) Write(text []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.log.Write(text)
}

// logged counts the log lines that hold a text.
func (d *desk) logged(text string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Count(d.log.String(), text)
}

// after lets time pass, that of the bubble (testing/synctest), which no real time does, and returns what has been imported since the last call.
func (d *desk) after(time_ time.Duration) []string {
	time.Sleep(time_)
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	since := d.imported
	d.imported = nil
	return since
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }

func (d *desk) write(name, text string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(d.path(name), []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) do(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// files are all files below the directory, sorted.
func (d *desk) files() []string {
	d.t.Helper()
	var files []string
	d.do(fs.WalkDir(os.DirFS(d.dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	slices.Sort(files)
	return files
}
