package tenant_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
)

// What docs/tenants.md shows and lists must be so.
func docs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/tenants.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDocs_ExampleIsADocument(t *testing.T) {
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(docs(t))
	if example == nil {
		t.Fatal("no example")
	}
	mustParse(t, example[1])
}

func TestDocs_ListEveryFieldOfTheMapping(t *testing.T) {
	text, _ := contract.SchemaFile("tenant.schema.json")
	var schema struct {
		Properties struct {
			Feed struct {
				Properties struct {
					Mapping struct{ Properties map[string]any }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range regexp.MustCompile(`(?m)^  \| \w+ \| (.*`+"`"+`.*) \|$`).FindAllStringSubmatch(docs(t), -1) {
		withoutRemarks := regexp.MustCompile(`\(.*?\)`).ReplaceAllString(row[1], "")
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(withoutRemarks, -1) {
			listed = append(listed, name[1])
		}
	}
	slices.Sort(listed)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(schema.Properties.Feed.Properties.Mapping.Properties)), listed); diff != "" {
		t.Error(diff)
	}
}
