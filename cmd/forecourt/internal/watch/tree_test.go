package watch

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestWatch_TenantsAtOnce_BoundedAndOneFileEach(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		var mu sync.Mutex
		inHand, most := map[string]int{}, 0
		d.answer = func(_ context.Context, tenant, _, _ string) (Result, error) {
			mu.Lock()
			inHand[tenant]++
			most = max(most, len(inHand))
			if inHand[tenant] > 1 {
				t.Errorf("two files of %s at once", tenant)
			}
			mu.Unlock()
			time.Sleep(time.Second) // of the bubble: no real time passes
			mu.Lock()
			delete(inHand, tenant)
			mu.Unlock()
			return Result{}, nil
		}
		for tenant := range 2 * parallel {
			for f := range 3 {
				d.write(fmt.Sprintf("t%d/%d.csv", tenant, f), "")
			}
		}
		d.start()
		if got := len(d.after(time.Minute)); got != 6*parallel || most != parallel {
			t.Errorf("%d files imported, at most %d at once; want %d and %d", got, most, 6*parallel, parallel)
		}
	})
}

func TestWatch_LinksLeadNowhere(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.write("kia/imported/secret.csv", "kia's")
		d.write("seat/feed.csv", "seat's")
		d.do(os.Symlink(d.path("kia/imported/secret.csv"), d.path("seat/link.csv")))
		d.do(os.Symlink("../kia", d.path("seat/imported")))
		d.start()
		for _, got := range d.after(time.Minute) {
			if got != "seat feed.csv seat's" {
				t.Errorf("imported: %s", got)
			}
		}
		same(t, "files", []string{"kia/imported/secret.csv", "seat/feed.csv", "seat/imported", "seat/link.csv"}, d.files())
		if d.logged("imported is no directory") == 0 {
			t.Errorf("log:\n%s", d.log.String())
		}
	})
}

func TestWatch_DirectoriesComeAndGo(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.write("lost.csv", "x")
		d.write("no tenant/feed.csv", "x")
		d.write("imported/feed.csv", "x")
		d.start()
		d.write("kia/feed.csv", "1")
		same(t, "a new tenant", []string{"kia feed.csv 1"}, d.after(rescanEvery+settle))
		d.do(os.RemoveAll(d.path("kia")))
		d.after(rescanEvery)
		d.write("kia/feed.csv", "2")
		same(t, "back again", []string{"kia feed.csv 2"}, d.after(rescanEvery+settle))
		if got := d.logged("is in no tenant's directory"); got != 3 {
			t.Errorf("%d warnings of what lies in the wrong place, want one for each of 3:\n%s", got, d.log.String())
		}

		moved := d.dir + ".away"
		d.do(os.Rename(d.dir, moved))
		d.after(rescanEvery)
		if d.logged("the watched directory cannot be read") == 0 {
			t.Errorf("log:\n%s", d.log.String())
		}
		d.do(os.Rename(moved, d.dir))
		d.write("kia/feed.csv", "3")
		same(t, "the directory is back", []string{"kia feed.csv 3"}, d.after(rescanEvery+settle))
	})
}

func TestWatch_NoDirectory_IsAnError(t *testing.T) {
	for _, tenant := range []string{"", "kia"} {
		err := Run(t.Context(), Config{
			Dir: filepath.Join(t.TempDir(), "gone"), Tenant: tenant, Logger: slog.New(slog.DiscardHandler),
		})
		if !os.IsNotExist(err) {
			t.Errorf("err = %v, want that the directory does not exist", err)
		}
	}
}

// Real notifications, real time: a file in a directory that came later is found before the next rescan.
func TestWatch_Notifications_ComeBeforeTheRescan(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	imported, ended := make(chan string), make(chan error, 1)
	watching := make(chan struct{}, 1)
	go func() {
		ended <- Run(ctx, Config{
			Dir: dir, Settle: time.Millisecond, ValidTenant: func(string) bool { return true },
			Logger: slog.New(slog.NewTextHandler(signal(watching), nil)),
			Import: func(_ context.Context, tenant, _ string, r io.Reader) (Result, error) {
				text, err := io.ReadAll(r)
				imported <- tenant + " " + string(text)
				return Result{}, err
			},
		})
	}()
	<-watching
	began := time.Now()
	for _, text := range []string{"1", "2"} {
		if err := os.MkdirAll(filepath.Join(dir, "kia"), 0o755); err != nil {
			t.Fatal(err)
		}
		complete := filepath.Join(dir, "kia", "feed.csv")
		if err := os.WriteFile(complete+".tmp", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(complete+".tmp", complete); err != nil {
			t.Fatal(err)
		}
		same(t, "imported", "kia "+text, <-imported)
	}
	if took := time.Since(began); took >= rescanEvery {
		t.Errorf("it took %s, as if there were no notifications", took)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// signal is a log that says when it is written to.
type signal chan<- struct{}

func (s signal) Write(text []byte) (int, error) {
	select {
	case s <- struct{}{}:
	default:
	}
	return len(text), nil
}
