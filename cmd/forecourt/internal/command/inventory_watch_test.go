package command_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natsd"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
)

// startBroker runs a broker at an address on a store of its own.
func startBroker(t *testing.T, listen, dir string) *natsd.Server {
	t.Helper()
	broker, err := natsd.Start(natsd.Config{Listen: listen, Dir: dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return broker
}

func putTenant(t *testing.T, broker *natsd.Server, id string) {
	t.Helper()
	nc, err := broker.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tenants.Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), &tenant.Document{ID: id, Name: id, Rooftops: []tenant.Rooftop{{Name: "North"}}}); err != nil {
		t.Fatal(err)
	}
}

// appears waits for a file.
func appears(t *testing.T, b *background, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-tick.C {
		if is() {
			return
		}
	}
	t.Fatalf("never: %s; log:\n%s", what, b.log)
}

func exists(path string) func() bool {
	return func() bool {
		_, err := os.Stat(path)
		return err == nil
	}
}

func TestWatch_Outage_KeepsTheFileUntilTheBrokerIsBack(t *testing.T) {
	t.Parallel()
	store, dir := t.TempDir(), t.TempDir()
	broker := startBroker(t, "127.0.0.1:0", store)
	putTenant(t, broker, "kia")
	watch := runInBackground(t, "inventory", "watch", dir, "--settle", "1ms", "--nats-url", broker.URL())
	logged := func(text string) func() bool {
		return func() bool { return strings.Contains(watch.log.String(), text) }
	}
	appears(t, watch, "it watches", logged("watching for feeds"))
	address := strings.TrimPrefix(broker.URL(), "nats://")
	broker.Shutdown()

	feed := filepath.Join(dir, "kia", "feed.csv")
	if err := os.Mkdir(filepath.Dir(feed), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, feed, "Stock,Make,Price\nA,Kia,9000\n")
	appears(t, watch, "a try during the outage", logged("it is tried again"))
	if !exists(feed)() {
		t.Error("the file is gone though it could not be imported")
	}
	broker = startBroker(t, address, store)
	defer broker.Shutdown()
	appears(t, watch, "the import after the outage", exists(filepath.Join(dir, "kia", "imported", "feed.csv")))

	// A tenant that comes after its file.
	early := filepath.Join(dir, "seat", "feed.csv")
	if err := os.Mkdir(filepath.Dir(early), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, early, "Stock,Make,Price\nA,Seat,9000\n,Seat,9000\n")
	appears(t, watch, "a try without the tenant", logged("no such tenant"))
	putTenant(t, broker, "seat")
	report := filepath.Join(dir, "seat", "imported", "feed.csv.report.json")
	appears(t, watch, "the import once the tenant is there", exists(report))
	got := decode[struct {
		Rows, Listed, Rejected int
		Problems               []struct {
			File string
			Line int
		}
	}](t, read(t, report))
	if got.Listed != 1 || got.Rejected != 1 || len(got.Problems) != 1 || got.Problems[0].File != "feed.csv" || got.Problems[0].Line != 3 {
		t.Errorf("report = %+v", got)
	}
	if code := watch.stop(); code != 0 {
		t.Errorf("exit code = %d, want 0; log:\n%s", code, watch.log)
	}
}

func TestWatch_WrongCommandLine_SaysSoAtTheStart(t *testing.T) {
	t.Parallel()
	broker := startBroker(t, "127.0.0.1:0", t.TempDir())
	defer broker.Shutdown()
	putTenant(t, broker, "kia")
	for name, c := range map[string]struct {
		args []string
		want result
	}{
		"no directory": {[]string{"gone"}, result{err: "forecourt: open gone: no such file or directory\n", code: 1}},
		"no tenant":    {[]string{".", "--tenant", "seat"}, result{err: "forecourt: no such tenant: \"seat\"\n", code: 1}},
		"no rooftop": {[]string{".", "--tenant", "kia", "--rooftop", "South"}, result{
			err: "forecourt: tenant kia has no rooftop \"South\" (--rooftop); use \"North\"\n" +
				"Run 'forecourt inventory watch --help' for usage.\n",
			code: 2,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"inventory", "watch", "--nats-url", broker.URL()}, c.args...)...)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(result{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
