package index_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/inventory/internal/index"
)

var sorts = rapid.Custom(func(t *rapid.T) index.Sort {
	return index.Sort{
		Field: rapid.SampledFrom([]string{
			"", "price", "list_price", "msrp", "mileage", "year", "make", "model", "stock", "updated_at"}).Draw(t, "sort"),
		Descending: rapid.Bool().Draw(t, "descending"),
	}
})

func TestSearch_PagesEqualTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHistory(t)
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			h.change(t, rapid.IntRange(0, 40).Draw(t, "changes"))
			checkPages(t, h, index.Query{
				Filters: filters(t), Sort: sorts.Draw(t, "sort"), Limit: rapid.IntRange(1, 12).Draw(t, "limit"),
			})
		}
	})
}

// checkPages compares all pages of a search with the model: the listings byte for byte, and the rooftops.
func checkPages(t *rapid.T, h *history, q index.Query) {
	found := slices.DeleteFunc(h.cars(t), func(c car) bool { return !c.matches(q.Filters) })
	slices.SortFunc(found, before(q.Sort))
	var want, got []string
	for _, c := range found {
		want = append(want, string(h.shown(t, c.text("vehicle_id"))), c.text("rooftop"))
	}
	for {
		page := h.index.Search("t", q)
		if page.Total != len(found) {
			t.Fatalf("total = %d, want %d", page.Total, len(found))
		}
		for _, l := range page.Listings {
			got = append(got, string(l.JSON()), l.Rooftop())
		}
		if page.Next == nil {
			break
		}
		if len(page.Listings) != q.Limit {
			t.Fatalf("a page before the last has %d listings, want %d", len(page.Listings), q.Limit)
		}
		q.After = page.Next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-model +index)\n%s", diff)
	}
}

// TestSearch_WalkMeetsUnchangedListingsOnce changes, removes and adds listings between the pages of a walk (R-CUR).
func TestSearch_WalkMeetsUnchangedListingsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := stocked(t)
		q := index.Query{Filters: filters(t), Sort: sorts.Draw(t, "sort"), Limit: rapid.IntRange(1, 5).Draw(t, "limit")}
		before := h.matching(t, q.Filters)
		met := make(map[string]int)
		for {
			page := h.index.Search("t", q)
			for _, l := range page.Listings {
				met[vehicleID(t, l)]++
			}
			if page.Next == nil {
				break
			}
			q.After = page.Next
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				id := "v" + strconv.Itoa(rapid.IntRange(0, 45).Draw(t, "changed"))
				delete(before, id)
				if rapid.Bool().Draw(t, "remove") {
					h.remove(id)
				} else if len(h.listed) < 60 {
					h.put(t, id)
				}
			}
		}
		for id := range before {
			if met[id] != 1 {
				t.Errorf("%s was met %d times", id, met[id])
			}
		}
	})
}

// matching are the vehicles that match.
func (h *history) matching(t *rapid.T, f index.Filters) map[string]bool {
	ids := make(map[string]bool)
	for _, c := range h.cars(t) {
		if c.matches(f) {
			ids[c.text("vehicle_id")] = true
		}
	}
	return ids
}

func TestFacets_EqualTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := stocked(t)
		f := filters(t)
		found := slices.DeleteFunc(h.cars(t), func(c car) bool { return !c.matches(f) })
		got := h.index.Facets("t", f)
		for _, facet := range []struct {
			member string
			counts []index.Count
		}{
			{"make", got.Makes}, {"model", got.Models}, {"trim", got.Trims}, {"year", got.Years}, {"condition", got.Conditions},
			{"transmission", got.Transmissions}, {"fuel", got.Fuels}, {"driveline", got.Drivelines}, {"body", got.Bodies},
			{"exterior_color", got.ExteriorColors}, {"interior_color", got.InteriorColors}, {"rooftop", got.Rooftops},
			{"status", got.Statuses}, {"dc_fast_charge", got.DCFastCharge}, {"charge_port", got.ChargePorts},
		} {
			checkCounts(t, facet.member, facet.counts, found)
		}
		for member, got := range map[string]*index.Extent{
			"price": got.PriceRange, "mileage": got.MileageRange, "year": got.YearRange,
			"displacement_cc": got.DisplacementRange, "electric_range_mi": got.ElectricRangeRange,
		} {
			var want *index.Extent
			for _, c := range found {
				if n, ok := c.number(member); ok {
					if want == nil {
						want = &index.Extent{Min: n, Max: n}
					}
					want.Min, want.Max = min(want.Min, n), max(want.Max, n)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s_range (-model +index)\n%s", member, diff)
			}
		}
	})
}

// checkCounts holds a facet to its rules one by one: each count is the number of listings that have the value without regard to
// case, every listing is counted, and the order is by count and then by value.
func checkCounts(t *rapid.T, member string, counts []index.Count, found []car) {
	var counted, having int
	for i, c := range counts {
		var n int
		for _, listing := range found {
			if equalValue(listing[member], c.Value) {
				n++
			}
		}
		if n != c.Count {
			t.Errorf("%s %v is counted %d times, want %d", member, c.Value, c.Count, n)
		}
		counted += c.Count
		if i > 0 && (counts[i-1].Count < c.Count || counts[i-1].Count == c.Count && fmt.Sprint(counts[i-1].Value) >= fmt.Sprint(c.Value)) {
			t.Errorf("%s %v stands before %v", member, counts[i-1], c)
		}
	}
	for _, listing := range found {
		if v, ok := listing[member]; ok && v != "" {
			having++
		}
	}
	if counted != having {
		t.Errorf("%s counts %d listings, want %d", member, counted, having)
	}
}

func equalValue(has, value any) bool {
	switch value := value.(type) {
	case string:
		text, _ := has.(string)
		return containsFold([]rune(text), []rune(value)) && len([]rune(text)) == len([]rune(value))
	case int64:
		return has == float64(value)
	default:
		return has == value
	}
}
