package feed_test

import (
	"bytes"
	"testing"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/feed"
	"forecourt.internal/services/inventory/internal/generate"
)

// BenchmarkRead_ProviderCSV reads, checks and encodes rows on one processor with -cpu 1.
func BenchmarkRead_ProviderCSV(b *testing.B) {
	const rows = 10_000
	var text bytes.Buffer
	if err := generate.Write(&text, generate.Config{Count: rows, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	s := settings(&tenant.Document{ID: "demo", Name: "Demo", Rooftops: []tenant.Rooftop{{Name: "Main"}}}, validator(b))
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		f, err := feed.Read(bytes.NewReader(text.Bytes()), s)
		if err != nil || len(f.Rows) != rows || len(f.Problems) > 0 {
			b.Fatalf("%d rows, %v", len(f.Rows), err)
		}
	}
	b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
}
