package command_test

import (
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/eventually"
	"forecourt.internal/platform/natsd"
)

// broker runs a NATS server as operators do: beside the system.
func broker(t *testing.T) *natsd.Server {
	t.Helper()
	s, err := natsd.Start(natsd.Config{Listen: "127.0.0.1:0", Dir: t.TempDir(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	return s
}

// serve runs `forecourt serve` on free ports, and returns its endpoints once it is ready.
func serve(t *testing.T, flags ...string) (endpoints map[string]string, b *background) {
	t.Helper()
	return endpointsOf(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, flags...)...)
}

func TestServe_OnARealBroker_ShowsNoCredentials_AndLosesItsRowsWithoutHarm(t *testing.T) {
	nats := broker(t)
	t.Setenv("FORECOURT_NATS_URL", strings.Replace(nats.URL(), "nats://", "nats://user:secret@", 1))
	endpoints, b := serve(t, "--retention", "48h")
	if endpoints["nats"] != nats.URL() || endpoints["data"] != "" {
		t.Errorf("endpoints = %v", endpoints)
	}
	if resp, err := http.Get(endpoints["admin"] + "/readyz"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("readyz: %v, %v", resp, err)
	}
	must(t, "", "tenant", "apply", filepath.Join("..", "demodata", "demo-toyota.yaml"))
	endpoint := strings.Replace(endpoints["mcp"], "{tenant}", "demo-toyota", 1)
	untilServed(t, endpoint+".json")
	url := "--url=" + endpoint
	first := must(t, lead, "call", "aap_lead_submit", "-", url)
	if code := b.stop(); code != 0 || strings.Contains(b.log.String(), "secret") {
		t.Errorf("exit code %d, log:\n%s", code, b.log)
	}

	forgetOutcomes(t, nats)
	type rebuilt struct {
		Leads, Restored, Kept int
		Store                 string
	}
	const store = "the NATS bucket IDEMPOTENCY"
	for _, want := range []rebuilt{{Leads: 1, Restored: 1, Store: store}, {Leads: 1, Kept: 1, Store: store}} {
		if diff := cmp.Diff(want, decode[rebuilt](t, must(t, "", "idempotency", "rebuild", "--json"))); diff != "" {
			t.Errorf("rebuild: %s", diff)
		}
	}
	endpoints, _ = serve(t, "--retention", "48h")
	url = "--url=" + strings.Replace(endpoints["mcp"], "{tenant}", "demo-toyota", 1)
	if diff := cmp.Diff(first, must(t, lead, "call", "aap_lead_submit", "-", url)); diff != "" {
		t.Errorf("the lead again: %s", diff)
	}
}

// untilServed waits until the edge's watch has brought a tenant that was applied: its catalog is there.
func untilServed(t *testing.T, catalog string) {
	t.Helper()
	eventually.Is(t, "the catalog is served", func() bool {
		resp, err := http.Get(catalog)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// forgetOutcomes deletes the bucket of the idempotency service.
func forgetOutcomes(t *testing.T, server *natsd.Server) {
	t.Helper()
	nc, err := nats.Connect(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteKeyValue(t.Context(), "IDEMPOTENCY"); err != nil {
		t.Fatal(err)
	}
}

func TestServe_WrongServers_AreUsageErrorsWithoutCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		flags []string
		want  string
	}{
		"two brokers":         {[]string{"--nats-url", "nats://127.0.0.1:1", "--nats-listen", "127.0.0.1:0"}, "--nats-listen is of the embedded"},
		"replicas of itself":  {[]string{"--replicas", "3"}, "--replicas needs a NATS cluster"},
		"short retention":     {[]string{"--retention", "1h"}, "--retention: a retention of 1h0m0s is below"},
		"no URL of NATS":      {[]string{"--nats-url", "http://user:secret@127.0.0.1"}, "--nats-url: a NATS URL does not begin with"},
		"no monitoring ports": {[]string{"--nats-monitor-urls", "127.0.0.1:8222"}, "--nats-monitor-urls: it is not a list of http URLs"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"serve"}, c.flags...)...)
			if got.code != 2 || !strings.HasPrefix(got.err, "forecourt: "+c.want) || strings.Contains(got.err, "secret") {
				t.Errorf("code %d, %q; want 2 and %q…", got.code, got.err, c.want)
			}
		})
	}
}

func TestServe_PostgresThatIsAway_SaysSoWithoutCredentials(t *testing.T) {
	got := run(t, "", "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0", "--data-dir", t.TempDir(),
		"--postgres-dsn", "postgres://user:secret@127.0.0.1:1/d")
	if got.code != 1 || !strings.Contains(got.err, "127.0.0.1:1") || strings.Contains(got.err, "secret") {
		t.Errorf("code %d, %q", got.code, got.err)
	}
}
