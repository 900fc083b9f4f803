package index_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// history is a stock that changes at random: in an index whose deltas and segments are small, and as the model sees it.
type history struct {
	index     *index.Index
	listed    map[string]put
	gone      map[string]index.Identity
	confirmed index.Confirmation
	seq       uint64
	held      bool   // merges wait for merge
	finish    func() // puts a merge in place that has begun; may be nil
}

// put is a listing of the model.
type put struct {
	seq     uint64
	listing *vehicle.Listing
}

func newHistory(t *rapid.T) *history {
	// Small merges are made by the writer, others in the background, where the answers must not tell when.
	inline := rapid.SampledFrom([]int{0, 12, 1000}).Draw(t, "merged inline")
	h := &history{
		index:  index.Sized(rapid.IntRange(1, 6).Draw(t, "delta"), rapid.IntRange(2, 4).Draw(t, "factor"), inline, 40),
		listed: make(map[string]put), gone: make(map[string]index.Identity),
		held: rapid.Bool().Draw(t, "hold merges"),
	}
	if h.held {
		h.index.HoldMerges()
	}
	return h
}

// stocked is a history after some changes.
func stocked(t *rapid.T) *history {
	h := newHistory(t)
	h.change(t, rapid.IntRange(0, 60).Draw(t, "changes"))
	return h
}

func (h *history) change(t *rapid.T, times int) {
	for range times {
		id := "v" + strconv.Itoa(rapid.IntRange(0, 39).Draw(t, "vehicle"))
		switch rapid.IntRange(0, 9).Draw(t, "change") {
		case 0, 1:
			h.remove(id)
		case 2:
			h.confirm(t)
		case 3:
			h.merge()
		default:
			h.put(t, id)
		}
	}
}

// merge begins a merge or puts it in place, so that changes come between.
func (h *history) merge() {
	switch {
	case !h.held:
		h.index.Settle()
	case h.finish != nil:
		h.finish()
		h.finish = nil
	default:
		h.finish = h.index.BeginMerge("t")
	}
}

func (h *history) put(t *rapid.T, id string) {
	h.seq++
	l := drawListing(t, id)
	h.index.Put("t", h.seq, l)
	h.listed[id] = put{h.seq, l}
	delete(h.gone, id)
}

func (h *history) remove(id string) {
	h.seq++
	identity := index.Identity{VehicleID: id, Stock: "B2"}
	if was, ok := h.listed[id]; ok {
		identity = was.listing.Identity
	}
	h.index.Remove("t", identity)
	h.gone[id] = identity
	delete(h.listed, id)
}

func (h *history) confirm(t *rapid.T) {
	micros := rapid.Map(rapid.Int64Range(0, 6), func(s int64) int64 { return s * 1_000_000 })
	h.confirmed = index.Confirmation{
		AsOf:   rapid.Uint64Range(0, h.seq+5).Draw(t, "as of"), // also of listings that come later
		At:     micros.Draw(t, "at"),
		Others: rapid.MapOfN(words("v0", "v1", "v2", "v3"), micros, 0, 3).Draw(t, "others"),
	}
	h.index.Confirm("t", h.confirmed)
}

// cars are the listings as callers must see them, by vehicle id.
func (h *history) cars(t *rapid.T) []car {
	var cars []car
	for _, id := range slices.Sorted(maps.Keys(h.listed)) {
		var c car
		if err := json.Unmarshal(h.shown(t, id), &c); err != nil {
			t.Fatal(err)
		}
		cars = append(cars, c)
	}
	return cars
}

// shown is the JSON that callers must get of a listing.
func (h *history) shown(t *rapid.T, id string) []byte {
	was := h.listed[id]
	value, err := contract.DecodeJSON(was.listing.JSON)
	if err != nil {
		t.Fatal(err)
	}
	v := vehicle.Vehicle(value.(map[string]any))
	at, named := h.confirmed.Others[id]
	if !named {
		at = h.confirmed.At
	}
	if was.seq <= h.confirmed.AsOf && at != 0 {
		evidence := vehicle.Vehicle(v["evidence"].(map[string]any))
		confirm(v, "updated_at", at)
		confirm(evidence, "observed_at", at)
	}
	text, err := v.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func confirm(v vehicle.Vehicle, member string, at int64) {
	if stated, _ := v.Micros(member); stated < at {
		v[member] = time.UnixMicro(at).UTC().Format(time.RFC3339Nano)
	}
}
