// Package boottest holds that the settings of a service's binary are those that its users read about.
package boottest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/boot"
)

// page is where users read about settings. A row of its table is: name, the services that read it, default, explanation.
const page = "docs/operations.md"

// Documented fails the test when the table of settings and the struct type S, of the named service, differ in a name, a default or
// whether the setting is required.
func Documented[S any](t *testing.T, service string) {
	t.Helper()
	want, err := boot.Describe[S]()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, documented(t, service)); diff != "" {
		t.Errorf("the settings of %s (-) and those in %s (+) differ:\n%s", service, page, diff)
	}
}

// documented reads the table, sorted by name as the settings are.
func documented(t *testing.T, service string) []boot.Setting {
	t.Helper()
	var settings []boot.Setting
	for line := range strings.Lines(read(t)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`FORECOURT_") || !reads(cells[2], service) {
			continue
		}
		s := boot.Setting{Name: text(cells[1]), Default: text(cells[3])}
		if s.Default == "required" {
			s.Default, s.Required = "", true
		}
		settings = append(settings, s)
	}
	slices.SortFunc(settings, func(a, b boot.Setting) int { return strings.Compare(a.Name, b.Name) })
	return settings
}

// reads says whether the cell names the service or all of them.
func reads(cell, service string) bool {
	for one := range strings.SplitSeq(cell, ",") {
		if name := text(one); name == service || name == "all" {
			return true
		}
	}
	return false
}

func text(cell string) string { return strings.Trim(strings.TrimSpace(cell), "`") }

// read finds the page above the directory of the test.
func read(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		content, err := os.ReadFile(filepath.Join(dir, page))
		if err == nil {
			return string(content)
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Fatalf("there is no %s above the test", page)
	}
}
