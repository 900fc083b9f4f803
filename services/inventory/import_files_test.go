package inventory_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory"
)

// TestImport_EveryDialect_PublishesWhatItsFileMustBecome imports a file of each dialect and compares the events with the file of
// what it must become.
func TestImport_EveryDialect_PublishesWhatItsFileMustBecome(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"provider.csv", "google.tsv", "meta.csv", "aap.json", "aap.jsonl", "aap.csv", "mapping.csv", "windows-1252.csv"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want struct {
				Dialect, Encoding           string
				Count, Rejected, Superseded int
				Rows                        []struct{ JSON json.RawMessage }
			}
			if err := json.Unmarshal(readFile(t, name+".want.json"), &want); err != nil {
				t.Fatal(err)
			}
			var listings []any
			for _, row := range want.Rows {
				if row.JSON != nil {
					listings = append(listings, parsed(t, row.JSON))
				}
			}
			js := natstest.Start(t).JetStream()
			file, err := os.Open(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			report, err := inventory.Import(t.Context(), js, inventory.ImportConfig{
				Tenant: tenantOf(t, name), File: name, Logger: quiet,
				Now: func() time.Time { return time.Date(2026, 5, 1, 6, 0, 0, 0, time.UTC) },
			}, file)
			if err != nil {
				t.Fatal(err)
			}
			if report.Dialect != want.Dialect || report.Encoding != want.Encoding {
				t.Errorf("read as %s, %q", report.Dialect, report.Encoding)
			}
			if report.Rows != want.Count || report.Rejected != want.Rejected || report.Superseded != want.Superseded || report.Listed != len(listings) {
				t.Errorf("report = %+v", report)
			}
			var got []any
			for _, msg := range messages(t, js) {
				if event, ok := parsed(t, msg.Data()).(map[string]any); ok && event["vehicle"] != nil {
					got = append(got, event["vehicle"])
				}
			}
			if diff := cmp.Diff(listings, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// tenantOf is the tenant whose feed a file is.
func tenantOf(t *testing.T, name string) *tenant.Document {
	t.Helper()
	if name != "mapping.csv" {
		return toyota
	}
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := tenant.Parse(readFile(t, name+".tenant.json"), check)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
