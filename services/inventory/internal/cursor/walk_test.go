package cursor_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/cursor"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// changing is a stock in which the vehicles "still-…" never change and the others do all the time.
type changing struct {
	index   index.Index
	check   *contract.Validator
	seq     atomic.Uint64
	updates atomic.Int64
}

const still, moving = 1500, 500

func newChanging(t *testing.T) *changing {
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	c := &changing{check: check}
	for n := range still {
		c.put(t, fmt.Sprintf("still-%04d", n), n)
	}
	return c
}

// put lists a vehicle; many have the same price and make, and every seventh has no price.
func (c *changing) put(t *testing.T, id string, n int) {
	price := fmt.Sprintf(`,"price":%d`, 10000+n%97*100)
	if n%7 == 0 {
		price = ""
	}
	text := fmt.Sprintf(`{"vehicle_id":%q,"stock":"S%d","make":"Make %d","condition":%q,"status":"available"%s,"updated_at":"2026-01-01T00:00:00Z"}`,
		id, n, n%11, []string{"new", "used"}[n%2], price)
	l, err := vehicle.Parse([]byte(text), vehicle.Evidence{Source: "feed:test", ObservedAt: start, EventID: "e"}, c.check)
	if err != nil {
		t.Error(err)
		return
	}
	c.index.Put("t", c.seq.Add(1), l)
}

// change updates, removes, adds and confirms until stop is closed.
func (c *changing) change(t *testing.T, random *rand.Rand, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		id := fmt.Sprintf("moving-%03d", random.IntN(moving))
		switch n := random.IntN(200); {
		case n == 0:
			c.index.Confirm("t", index.Confirmation{AsOf: c.seq.Load(), At: start.UnixMicro()})
		case n <= 20:
			c.index.Remove("t", index.Identity{VehicleID: id})
		default:
			c.put(t, id, random.IntN(2000))
		}
		c.updates.Add(1)
	}
}

// walk goes through all pages of a search by cursors, and counts how often it meets each vehicle.
func (c *changing) walk(t *testing.T, codec *cursor.Codec, q index.Query) map[string]int {
	b := bind(t, "t", q.Filters, q.Sort)
	met := make(map[string]int)
	for {
		page := c.index.Search("t", q)
		for _, l := range page.Listings {
			id, err := vehicle.Identify(l.JSON())
			if err != nil {
				t.Error(err)
			}
			met[id.VehicleID]++
		}
		if page.Next == nil {
			return met
		}
		after, err := codec.Decode(b, codec.Encode(b, *page.Next))
		if err != nil {
			t.Error(err)
			return met
		}
		q.After = &after
	}
}

func TestCursor_WalksUnchangedVehiclesExactlyOnce_UnderUpdates(t *testing.T) {
	c := newChanging(t)
	now := start
	codec := codec(&now)
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() { c.change(t, rand.New(rand.NewPCG(1, uint64(w))), stop) })
	}
	used := index.Filters{Terms: map[index.Term][]string{index.Condition: {"USED"}}}
	began := time.Now()
	for name, q := range map[string]index.Query{
		"by id":                     {Limit: 40},
		"by price":                  {Limit: 30, Sort: index.Sort{Field: "price"}},
		"used by price, descending": {Limit: 20, Sort: index.Sort{Field: "price", Descending: true}, Filters: used},
		"by make, descending":       {Limit: 50, Sort: index.Sort{Field: "make", Descending: true}},
	} {
		readers.Go(func() {
			for c.updates.Load() < 4000 {
				met := c.walk(t, codec, q)
				for n := range still {
					want := 1
					if q.Filters.Terms != nil && n%2 == 0 {
						want = 0
					}
					if id := fmt.Sprintf("still-%04d", n); met[id] != want {
						t.Errorf("%s: %s was met %d times, want %d", name, id, met[id], want)
					}
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writers.Wait()
	t.Logf("%.0f updates a second", float64(c.updates.Load())/time.Since(began).Seconds())
}
