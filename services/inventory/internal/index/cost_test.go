package index_test

import (
	"fmt"
	"testing"

	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// dealt is a stock of n listings: 40 makes of 25 models each in 12 colours, prices without order, and 50 listings with a rare word.
func dealt(t testing.TB, n int) *index.Index {
	t.Helper()
	x := new(index.Index)
	for i := range n {
		rare := ""
		if i%(n/50) == 0 {
			rare = " unicorn"
		}
		text := fmt.Sprintf(`{"vehicle_id":"v%d","stock":"S%d","year":%d,"make":"Make %d","model":"Model %d","status":"available",`+
			`"price":%d,"exterior_color":"Color %d","description":"One owner, heated seats%s.","updated_at":"2026-01-01T00:00:00Z"}`,
			i*7919%n, i, 2005+i%20, i%40, i%1000, 10000+i*37%30000, i*31%12, rare)
		l, err := vehicle.Parse([]byte(text), vehicle.Evidence{Source: "feed:test", ObservedAt: observed, EventID: "e"}, check)
		if err != nil {
			t.Fatal(err)
		}
		x.Put("t", uint64(i+1), l)
	}
	x.Settle()
	return x
}

func terms(term index.Term, texts ...string) map[index.Term][]string {
	return map[index.Term][]string{term: texts}
}

func TestSearch_CostFollowsTheResult(t *testing.T) {
	low, high := 20000.0, 20100.0
	stocks := map[int]*index.Index{2000: dealt(t, 2000), 20_000: dealt(t, 20_000)}
	for name, c := range map[string]struct {
		query index.Query
		most  int // documents, whatever the stock
	}{
		"a rare word":                 {index.Query{Filters: index.Filters{Query: "UNICORN"}, Limit: 20}, 200},
		"a rare word and common ones": {index.Query{Filters: index.Filters{Query: "heated unicorn owner"}, Limit: 20}, 200},
		"part of a stock number":      {index.Query{Filters: index.Filters{Query: "s199"}, Limit: 20}, 400},
		"a stock number":              {index.Query{Filters: index.Filters{Stock: new("s17")}, Limit: 20}, 150},
		"all, by price":               {index.Query{Sort: index.Sort{Field: "price", Descending: true}, Limit: 20}, 500},
		"a model, by year": {index.Query{Filters: index.Filters{Terms: terms(index.Model, "model 7")},
			Sort: index.Sort{Field: "year"}, Limit: 20}, 200},
		"a model in a color": {index.Query{Filters: index.Filters{Terms: map[index.Term][]string{
			index.Model: {"Model 7", "model 8"}, index.ExteriorColor: {"Color 1"}}}, Limit: 20}, 200},
		"a narrow range": {index.Query{Filters: index.Filters{Ranges: map[index.Number]index.Range{
			index.Price: {Min: &low, Max: &high}}}, Limit: 20}, 300},
		"nothing": {index.Query{Filters: index.Filters{Terms: terms(index.Make, "none")}, Limit: 20}, 128},
	} {
		for stock, x := range stocks {
			if visited := x.Visited("t", c.query); visited > c.most {
				t.Errorf("%s: %d of %d documents are looked at, want at most %d", name, visited, stock, c.most)
			}
		}
	}
}
