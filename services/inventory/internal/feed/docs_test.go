package feed

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// What docs/feeds.md shows and lists must be so.
func docs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/feeds.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDocs_ListEveryHeaderOfEveryDialect(t *testing.T) {
	_, table, _ := strings.Cut(docs(t), "### Columns")
	table, _, _ = strings.Cut(table, "Of several columns")
	table = strings.ReplaceAll(table, "(also spelled Colour)", ", exterior colour, ext colour, interior colour, int colour, colour")
	for i, d := range []*dialect{&provider, &google, &meta} {
		listed := make(map[string]bool)
		for _, line := range strings.Split(table, "\n")[4:] {
			cells := strings.Split(line, "|")
			if len(cells) < 5 {
				continue
			}
			for _, h := range strings.FieldsFunc(strings.Trim(cells[i+2], " …"), func(r rune) bool { return r == ',' || r == ';' }) {
				listed[columnKey(strings.Trim(h, " …"))] = true
			}
		}
		delete(listed, "")
		known := make(map[string]bool)
		for _, keys := range d.headers {
			for _, key := range keys {
				known[key] = true
			}
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(listed))); diff != "" {
			t.Errorf("%s: %s", d.name, diff)
		}
	}
}

func TestDocs_ExampleOfAMapping(t *testing.T) {
	csv := regexp.MustCompile("(?s)```csv\n(.*?)```").FindStringSubmatch(docs(t))[1]
	text := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(docs(t))[1]
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := tenant.Parse([]byte("id: demo\nname: Demo\nrooftops: [{name: Main}]\n"+text), check)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(strings.NewReader(csv), Settings{Tenant: doc, Check: check, MaxListing: MaxListing})
	if err != nil || len(f.Problems) > 0 || len(f.Rows) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	var got map[string]any
	if err := json.Unmarshal(f.Rows[0].JSON, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"vin": "1M8GDM9AXKP042788", "stock": "HM103", "list_price": 17900.0, "mileage": 26098.0, "exterior_color": "Red",
		"photos":    []any{"https://img.example/1.jpg", "https://img.example/2.jpg"},
		"dealer_id": "demo", "rooftop": "Main", "status": "available", "vehicle_id": f.Rows[0].VehicleID, "updated_at": "0001-01-01T00:00:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMapping_NamesTheFieldsOfTheSchema(t *testing.T) {
	text, _ := contract.SchemaFile("tenant.schema.json")
	var schema struct {
		Properties struct {
			Feed struct {
				Properties struct {
					Mapping struct{ Properties map[string]any }
					Dialect struct{ Enum []string }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	feed := schema.Properties.Feed.Properties
	if diff := cmp.Diff(slices.Sorted(maps.Keys(feed.Mapping.Properties)), slices.Sorted(maps.Keys(mappedFields))); diff != "" {
		t.Error(diff)
	}
	for _, name := range feed.Dialect.Enum {
		if _, err := dialectNamed(name); err != nil {
			t.Error(err)
		}
	}
}
