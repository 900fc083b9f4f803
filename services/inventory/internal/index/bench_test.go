package index_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/feed"
	"forecourt.internal/services/inventory/internal/generate"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// generated are the listings of an invented feed of n rows.
func generated(t testing.TB, n int) []*vehicle.Listing {
	t.Helper()
	r, w := io.Pipe()
	go func() { w.CloseWithError(generate.Write(w, generate.Config{Count: n, Seed: 1})) }()
	doc := &tenant.Document{ID: "t", Name: "T", Rooftops: []tenant.Rooftop{{Name: "Main"}}, Feed: tenant.Feed{PriceIncludesFees: true}}
	read, err := feed.Read(r, feed.Settings{Tenant: doc, File: "generated", Now: time.Now(), Check: check, MaxListing: feed.MaxListing})
	if err != nil {
		t.Fatal(err)
	}
	var listings []*vehicle.Listing
	for _, row := range read.Rows {
		if row.Gone {
			continue
		}
		evidence := vehicle.Evidence{Source: "feed:generated.csv", ObservedAt: observed, EventID: "01JTESTTESTTESTTESTTESTTES"}
		l, err := vehicle.Parse(row.JSON, evidence, check)
		if err != nil {
			t.Fatal(err)
		}
		listings = append(listings, l)
	}
	return listings
}

// loaded is an index of generated listings, all of one tenant.
func loaded(b *testing.B, n int) *index.Index {
	b.Helper()
	x := new(index.Index)
	for i, l := range generated(b, n) {
		x.Put("t", uint64(i+1), l)
	}
	x.Settle()
	return x
}

// shapes are searches of different kinds.
var shapes = []struct {
	name string
	index.Query
}{
	{"selective", index.Query{Limit: 20, Sort: index.Sort{Field: "price"}, Filters: index.Filters{
		Terms:  map[index.Term][]string{index.Make: {"toyota"}, index.Model: {"camry"}, index.ExteriorColor: {"blue"}},
		Ranges: map[index.Number]index.Range{index.Price: {Max: new(20000.0)}},
	}}},
	{"text", index.Query{Limit: 20, Filters: index.Filters{Query: "toyota camry panoramic 2021"}}},
	{"rare text", index.Query{Limit: 20, Filters: index.Filters{Query: "tonneau titan"}}},
	{"one make", index.Query{Limit: 20, Sort: index.Sort{Field: "price"}, Filters: index.Filters{
		Terms: map[index.Term][]string{index.Make: {"Toyota"}}}}},
	{"broad", index.Query{Limit: 100, Sort: index.Sort{Field: "mileage", Descending: true}, Filters: index.Filters{
		Terms:  map[index.Term][]string{index.Condition: {"used"}},
		Ranges: map[index.Number]index.Range{index.Year: {Min: new(2018.0)}}}}},
	{"everything", index.Query{Limit: 100, Sort: index.Sort{Field: "price"}}},
}

// BenchmarkRead shows what a search and the facets of the same filters cost at two sizes of stock, and how many listings are looked at.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		x := loaded(b, n)
		for _, shape := range shapes {
			b.Run(fmt.Sprintf("search %s/%d", shape.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					x.Search("t", shape.Query)
				}
				b.ReportMetric(float64(x.Search("t", shape.Query).Total), "found")
				b.ReportMetric(float64(x.Visited("t", shape.Query)), "visited")
			})
			b.Run(fmt.Sprintf("facets %s/%d", shape.name, n), func(b *testing.B) {
				for b.Loop() {
					x.Facets("t", shape.Filters)
				}
			})
		}
	}
}

// BenchmarkPut shows what a listing costs at the start, merges included, and when it replaces another.
func BenchmarkPut(b *testing.B) {
	listings := generated(b, 20_000)
	for _, perTenant := range []int{1000, 20_000} {
		b.Run(fmt.Sprintf("load tenants of %d", perTenant), func(b *testing.B) {
			for b.Loop() {
				x := new(index.Index)
				for i, l := range listings {
					x.Put(fmt.Sprint(i/perTenant), uint64(i+1), l)
				}
				x.Settle()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(listings)), "ns/listing")
		})
	}
	b.Run("replace", func(b *testing.B) {
		x := loaded(b, 20_000)
		i := 0
		for b.Loop() {
			x.Put("t", uint64(i), listings[i*7919%len(listings)])
			i++
		}
		x.Settle()
	})
}
