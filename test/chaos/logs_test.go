package chaos

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScanLogs_FindsFaultsAndCustomers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.log":  "{\"level\":\"ERROR\",\"msg\":\"the broker is away\"}\n",
		"panic.log": "started\npanic: nil map\n",
		"race.log":  "WARNING: DATA RACE\n",
		"leak.log":  `{"msg":"call failed","email":"` + Canaries[0] + `-1@example.com"}`,
		"phone.log": Canaries[1] + "0001\n",
		"other.txt": "panic: not a log\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := ScanLogs(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := func(where string) string { return filepath.Join(dir, where) }
	want := []string{
		at("leak.log:1: ") + `{"msg":"call failed","email":"` + Canaries[0] + `-1@example.com"}`,
		at("panic.log:2: panic: nil map"), at("phone.log:1: ") + Canaries[1] + "0001", at("race.log:1: WARNING: DATA RACE"),
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}
