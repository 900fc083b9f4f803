package feed_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/feed"
)

// update writes what is read as what is wanted, to be reviewed by eye.
var update = flag.Bool("update", false, "write what is read as what is wanted")

// filesDir has one feed for each dialect and each kind of mess. Beside each is what it must become, and the tenant's document where it is not
// twoRoofs.
const filesDir = "../../testdata"

// feedFiles are the names of the feeds.
func feedFiles(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(filesDir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".want.json") && !strings.HasSuffix(e.Name(), ".tenant.json") {
			names = append(names, e.Name())
		}
	}
	return names
}

// shown is a feed as the .want.json files show it: listings as JSON, nothing that is not stated.
type shown struct {
	*feed.Feed
	Rows []shownRow
}

type shownRow struct {
	feed.Row
	VIN        string          `json:",omitempty"`
	Stock      string          `json:",omitempty"`
	Rooftop    string          `json:",omitempty"`
	ObservedAt time.Time       `json:",omitzero"`
	JSON       json.RawMessage `json:",omitempty"`
}

func show(f *feed.Feed) shown {
	s := shown{Feed: f, Rows: make([]shownRow, len(f.Rows))}
	for i, r := range f.Rows {
		s.Rows[i] = shownRow{Row: r, VIN: r.VIN, Stock: r.Stock, Rooftop: r.Rooftop, ObservedAt: r.ObservedAt, JSON: r.JSON}
	}
	return s
}

func TestRead_Files(t *testing.T) {
	for _, name := range feedFiles(t) {
		t.Run(name, func(t *testing.T) {
			s := settings(tenantOf(t, name), validator(t))
			s.File = name
			text, err := os.Open(filepath.Join(filesDir, name))
			if err != nil {
				t.Fatal(err)
			}
			defer text.Close()
			f, err := feed.Read(text, s)
			if err != nil {
				t.Fatal(err)
			}
			if f.Count != len(f.Rows)+f.Rejected+f.Superseded {
				t.Errorf("%d rows, but %d taken, %d rejected, %d superseded", f.Count, len(f.Rows), f.Rejected, f.Superseded)
			}
			compare(t, filepath.Join(filesDir, name+".want.json"), f)
		})
	}
}

func tenantOf(t *testing.T, name string) *tenant.Document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filesDir, name+".tenant.json"))
	if os.IsNotExist(err) {
		return twoRoofs
	}
	if err != nil {
		t.Fatal(err)
	}
	doc, err := tenant.Parse(text, validator(t))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func compare(t *testing.T, wantFile string, f *feed.Feed) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(show(f)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(wantFile, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(wantFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}
