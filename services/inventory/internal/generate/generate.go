package generate

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// Config says which feed is written.
type Config struct {
	// Count is the number of vehicles, 0 to MaxCount. A longer feed of the same seed begins with the same rows.
	Count int
	// Seed chooses the vehicles.
	Seed uint64
	// Rooftops are the locations that the vehicles stand at; without any the feed does not say where they stand.
	Rooftops []string
}

// MaxCount is how many vehicles can have a VIN of their own.
const MaxCount = serialSpace

// Write writes the feed as provider CSV. It keeps one row in memory. An error says that the count is out of range, or is the
// writer's.
func Write(w io.Writer, cfg Config) error {
	if cfg.Count < 0 || cfg.Count > MaxCount {
		return fmt.Errorf("generate %d vehicles: the count must be from 0 to %d", cfg.Count, MaxCount)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	table := columnsFor(cfg.Rooftops)
	// A failed write is kept by the bufio.Writer, but there is no point in going on after one.
	_, err := out.Write(headerRow(table))
	s := newStock(cfg)
	var line []byte
	for n := 0; n < cfg.Count && err == nil; n++ {
		line = appendRow(line[:0], table, s.vehicle(n))
		_, err = out.Write(line)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	return nil
}

// stock draws the vehicles of one feed, one after the other.
type stock struct {
	dice     dice
	rooftops []string
	serials  int // where the serial numbers start
	markets  [latestYear - oldestYear + 1]market
	drawn    vehicle // reused, for its buffers
}

// streamOfFeeds is the second half of the PCG's seed; any constant will do.
const streamOfFeeds = 0x466f7265636f7572

func newStock(cfg Config) *stock {
	d := dice{rand.NewPCG(cfg.Seed, streamOfFeeds)}
	s := &stock{dice: d, rooftops: cfg.Rooftops, serials: d.below(serialSpace)}
	for year := oldestYear; year <= latestYear; year++ {
		s.markets[year-oldestYear] = marketOf(year)
	}
	return s
}
