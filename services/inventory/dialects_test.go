package inventory_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory"
)

func TestDialects_AreThoseOfTheTenantSchema(t *testing.T) {
	t.Parallel()
	text, _ := contract.SchemaFile("tenant.schema.json")
	var schema struct {
		Properties struct {
			Feed struct {
				Properties struct {
					Dialect struct{ Enum []string }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(schema.Properties.Feed.Properties.Dialect.Enum)), slices.Sorted(slices.Values(inventory.Dialects()))); diff != "" {
		t.Error(diff)
	}
}
