package inventory_test

import (
	"bytes"
	"testing"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory"
)

func TestGenerate_EveryRowIsImportedWithoutAProblem(t *testing.T) {
	t.Parallel()
	const count = 2_000
	for _, doc := range []*tenant.Document{toyota, lexus} {
		t.Run(doc.ID, func(t *testing.T) {
			t.Parallel()
			cfg := inventory.GenerateConfig{Count: count, Seed: 23}
			for _, r := range doc.Rooftops {
				cfg.Rooftops = append(cfg.Rooftops, r.Name)
			}
			var feed bytes.Buffer
			if err := inventory.Generate(&feed, cfg); err != nil {
				t.Fatal(err)
			}
			sold := bytes.Count(feed.Bytes(), []byte(",Sold,"))
			report := load(t, natstest.Start(t).JetStream(), doc, feed.String())
			// Vehicles that were never listed and are sold are no event.
			want := inventory.Report{Rows: count, Listed: count - sold, Unchanged: sold}
			if diff := diffReport(want, report); diff != "" {
				t.Error(diff)
			}
		})
	}
}
