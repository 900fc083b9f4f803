package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// must runs a command line that must succeed and returns its output.
func must(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	got := run(t, stdin, args...)
	if got.code != 0 || got.err != "" {
		t.Fatalf("forecourt %s: code %d, err %q", strings.Join(args, " "), got.code, got.err)
	}
	return got.out
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

const honda = `{"id":"honda","name":"Honda","feed":{"price_includes_fees":true},"rooftops":[{"name":"North"}]}`

// The commands share a demo; each test works on a tenant of its own or on what it knows to be there.
func TestOperator(t *testing.T) {
	endpoints, _ := demo(t)
	nats := "--nats-url=" + endpoints["nats"]
	t.Run("tenant", func(t *testing.T) { operateTenants(t, nats) })
	t.Run("tenant apply checks before it stores", func(t *testing.T) { applyBadTenants(t, nats) })
	t.Run("inventory import", func(t *testing.T) { importFeeds(t, nats) })
	t.Run("inventory import, outcomes", func(t *testing.T) { importOutcomes(t, nats) })
	t.Run("inventory import, options", func(t *testing.T) { importOptions(t, nats) })
	t.Run("inventory import, interrupted", func(t *testing.T) { interruptImport(t, nats) })
	t.Run("inventory generate and export", func(t *testing.T) { generateAndExport(t, nats) })
	t.Run("inventory import, seed", func(t *testing.T) { importSeed(t, nats) })
	t.Run("an import's events carry the id that it prints", func(t *testing.T) { findImportInTheLog(t, endpoints["nats"]) })
	t.Run("call and leads", func(t *testing.T) { callAndReadLeads(t, "--url="+endpoints["mcp"], nats) })
}

func operateTenants(t *testing.T, nats string) {
	file := filepath.Join(t.TempDir(), "honda.json")
	writeFile(t, file, honda)
	renamed := strings.Replace(honda, `"Honda"`, `"Renamed"`, 1)
	for _, step := range []struct {
		args  []string
		stdin string
		want  string
	}{
		{[]string{"apply", file}, "", "tenant honda added\n"},
		{[]string{"apply", file}, "", "tenant honda unchanged\n"},
		{[]string{"apply", "-"}, renamed, "tenant honda changed\n"},
		{[]string{"get", "honda"}, "", "feed:\n  price_includes_fees: true\nid: honda\nname: Renamed\nrooftops:\n- name: North\n"},
		{[]string{"list"}, "", "TENANT       ROOFTOPS  NAME\ndemo-toyota  2         Demo Toyota\nhonda        1         Renamed\n"},
	} {
		got := must(t, step.stdin, append(append([]string{"tenant"}, step.args...), nats)...)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("tenant %v:\n%s", step.args, diff)
		}
	}

	asYAML := must(t, "", "tenant", "get", "demo-toyota", nats)
	if got := must(t, asYAML, "tenant", "apply", "-", "--json", nats); decode[[]map[string]string](t, got)[0]["result"] != "unchanged" {
		t.Errorf("a document applied as it was printed: %s", got)
	}
	asJSON := decode[map[string]any](t, must(t, "", "tenant", "get", "honda", "--json", nats))
	if diff := cmp.Diff(decode[map[string]any](t, renamed), asJSON); diff != "" {
		t.Errorf("tenant get --json:\n%s", diff)
	}
	want := "tenant honda deleted\nIts stock and its leads stay in the log; applying its document again brings it back with them.\n"
	if diff := cmp.Diff(want, must(t, "", "tenant", "delete", "honda", nats)); diff != "" {
		t.Errorf("tenant delete:\n%s", diff)
	}
	if got := must(t, "", "tenant", "list", nats); strings.Contains(got, "honda") {
		t.Errorf("a deleted dealership is listed:\n%s", got)
	}
	if got := must(t, renamed, "tenant", "apply", "-", nats); got != "tenant honda added\n" {
		t.Errorf("applied again: %q", got)
	}
	if got := must(t, "", "tenant", "delete", "honda", "--json", nats); !cmp.Equal(decode[map[string]string](t, got), map[string]string{"tenant": "honda", "result": "deleted"}) {
		t.Errorf("tenant delete --json: %s", got)
	}
	for _, args := range [][]string{{"tenant", "get", "nobody", nats}, {"tenant", "delete", "nobody", nats}, {"leads", "tail", "--tenant", "nobody", nats}} {
		if got := run(t, "", args...); got.code != 1 || got.err != "forecourt: no such tenant: \"nobody\"\n" {
			t.Errorf("%v: code %d, %q", args, got.code, got.err)
		}
	}
}

func applyBadTenants(t *testing.T, nats string) {
	dir := t.TempDir()
	good, bad, broken := filepath.Join(dir, "good"), filepath.Join(dir, "bad"), filepath.Join(dir, "broken")
	writeFile(t, good, `{"id":"good","name":"Good","rooftops":[{"name":"A"}]}`)
	writeFile(t, bad, `{"id":"bad","name":"Bad","rooftops":[{"name":"A","timezone":"Mars"},{"name":"A"}]}`)
	writeFile(t, broken, `{`)
	again := filepath.Join(dir, "again")
	writeFile(t, again, `{"id":"good","name":"Good as well","rooftops":[{"name":"A"}]}`)
	got := run(t, "", "tenant", "apply", good, bad, broken, again, nats)
	for _, want := range []string{
		bad + ": /rooftops/0/timezone: ", bad + ": /rooftops/1/name: ", broken + ": ",
		again + ": " + good + " is of tenant good too",
		"forecourt: nothing was applied: 3 of 4 documents cannot be used\n",
	} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
	if got.code != 1 || got.out != "" {
		t.Errorf("code %d, out %q; want 1 and nothing", got.code, got.out)
	}
	if got := run(t, "", "tenant", "get", "good", nats); got.code != 1 {
		t.Error("the good document was stored next to bad ones")
	}
}

func importFeeds(t *testing.T, nats string) {
	must(t, `{"id":"feeds","name":"Feeds","rooftops":[{"name":"North"}]}`, "tenant", "apply", "-", nats)
	feed := "VIN,Stock,Type,Year,Make,Model,SellingPrice\n" +
		"2HGFE2F58RH512044,H100,N,2026,Honda,Civic,26495\n" +
		"9.87E+15,H101,U,2023,Honda,Civic,19850\n"
	got := run(t, feed, "inventory", "import", "--tenant", "feeds", "-", nats)
	if got.code != 3 || got.out != "2 rows: 1 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected\n" {
		t.Errorf("code %d, out %q", got.code, got.out)
	}
	for _, want := range []string{"stdin:3: VIN: ", " — ", "forecourt: 1 of 2 rows of stdin was rejected; the other one is imported\n"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
	if strings.Contains(got.out+got.err, "9.87E+15") {
		t.Errorf("a value of the feed is printed: %+v", got)
	}

	file := filepath.Join(t.TempDir(), "feed.csv")
	writeFile(t, file, feed)
	got = run(t, "", "inventory", "import", "--tenant", "feeds", "--json", file, nats)
	report := decode[struct {
		Unchanged, Rejected int
		Problems            []struct {
			File string
			Line int
		}
	}](t, got.out)
	if got.code != 3 || report.Unchanged != 1 || report.Rejected != 1 || report.Problems[0].File != file || report.Problems[0].Line != 3 {
		t.Errorf("code %d, report %+v", got.code, report)
	}
	if strings.Contains(got.out+got.err, "9.87E+15") {
		t.Errorf("a value of the feed is printed: %+v", got)
	}
	got = run(t, "no,feed\n", "inventory", "import", "--tenant", "feeds", "-", nats)
	if got.code != 1 || strings.Count(got.err, "import stdin: ") != 1 || strings.Count(got.err, "\n") != 1 {
		t.Errorf("a file that cannot be read: %+v", got)
	}
	for name, args := range map[string][]string{"tenant": {"nobody", file}, "file": {"feeds", file + ".gone"}} {
		if got := run(t, "", "inventory", "import", nats, "--tenant", args[0], args[1]); got.code != 1 || got.out != "" {
			t.Errorf("unknown %s: code %d, out %q", name, got.code, got.out)
		}
	}
}

func findImportInTheLog(t *testing.T, url string) {
	must(t, `{"id":"traced","name":"Traced","rooftops":[{"name":"North"}]}`, "tenant", "apply", "-", "--nats-url="+url)
	feed := `[{"vehicle_id":"a","status":"available"},{"vehicle_id":"b","status":"available"}]`
	summary := decode[struct {
		CorrelationID string `json:"correlation_id"`
		Listed        int
	}](t, must(t, feed, "inventory", "import", "--tenant", "traced", "--json", "-", "--nats-url="+url))
	if summary.CorrelationID == "" || summary.Listed != 2 {
		t.Errorf("summary = %+v", summary)
	}
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "INVENTORY")
	if err != nil {
		t.Fatal(err)
	}
	for _, vehicle := range []string{"a", "b"} {
		msg, err := stream.GetLastMsgForSubject(t.Context(), "inventory.v1.traced."+vehicle)
		if err != nil {
			t.Fatal(err)
		}
		if got := msg.Header.Get("correlation-id"); got != summary.CorrelationID {
			t.Errorf("the event of %s has the id %q, want %q", vehicle, got, summary.CorrelationID)
		}
	}
}
