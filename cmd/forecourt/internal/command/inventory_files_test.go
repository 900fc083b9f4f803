package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// generateAndExport sends a generated feed through the system and back.
func generateAndExport(t *testing.T, nats string) {
	must(t, `{"id":"generated","name":"Generated","rooftops":[{"name":"North"},{"name":"South"}]}`, "tenant", "apply", "-", nats)
	dir := t.TempDir()
	feed, export := filepath.Join(dir, "feed.csv"), filepath.Join(dir, "export.json")
	generate := []string{"inventory", "generate", "--count", "50", "--seed", "7", "--rooftop", "North", "--rooftop", "South"}
	text := must(t, "", generate...)
	if got := must(t, "", append(generate, "-o", feed)...); got != feed+": 50 vehicles\n" {
		t.Errorf("generate -o: %q", got)
	}
	if diff := cmp.Diff(text, read(t, feed)); diff != "" {
		t.Errorf("the file and standard output differ:\n%s", diff)
	}
	must(t, text, "inventory", "import", "--tenant", "generated", "-", nats)

	written := decode[struct {
		File     string
		Vehicles int
	}](t, must(t, "", "inventory", "export", "--tenant", "generated", "--json", "-o", export, nats))
	if written.File != export || written.Vehicles == 0 || written.Vehicles > 50 {
		t.Errorf("export -o --json: %+v", written)
	}
	if diff := cmp.Diff(read(t, export), must(t, "", "inventory", "export", "--tenant", "generated", nats)); diff != "" {
		t.Errorf("the file and standard output differ:\n%s", diff)
	}
	again := decode[struct{ Rows, Unchanged, Confirmed int }](t,
		must(t, "", "inventory", "import", "--tenant", "generated", "--json", export, nats))
	if again.Rows != written.Vehicles || again.Unchanged != again.Rows || again.Confirmed != 0 {
		t.Errorf("the import of an export changes something: %+v", again)
	}
	if got := run(t, "", "inventory", "export", "--tenant", "nobody", nats); got.code != 1 || got.out != "" {
		t.Errorf("export of an unknown tenant: %+v", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("%d files are left, want the 2 that were asked for", len(files))
	}
}

func TestOutput_FileAppearsOnlyWhole(t *testing.T) {
	dir := t.TempDir()
	got := run(t, "", "inventory", "generate", "--count", "1", "-o", filepath.Join(dir, "gone", "feed.csv"))
	if got.code != 1 || !strings.Contains(got.err, "feed.csv was not written: ") || got.out != "" {
		t.Errorf("a directory that is not there: %+v", got)
	}
	file := filepath.Join(dir, "feed.csv")
	writeFile(t, file, "before")
	if got := runInterrupted(t, "inventory", "generate", "--count", "1000", "-o", file); got.code != 130 ||
		got.err != "forecourt: "+file+" was not written: write feed: interrupted\n" {
		t.Errorf("interrupted: %+v", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 || read(t, file) != "before" {
		t.Errorf("an interrupted command left %v, and the file says %q", files, read(t, file))
	}
	must(t, "", "inventory", "generate", "--count", "1", "-o", os.DevNull)
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a plain file now", os.DevNull)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
