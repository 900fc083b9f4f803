package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// readTogether is how many states are read from the stream at a time.
const readTogether = 500

// Exporter exports the listings of one tenant.
type Exporter struct {
	Events *eventlog.Log
	Check  *contract.Validator
	Tenant string
}

// Write writes the listings as a JSON array in the order of vehicle ids, one listing per line, and returns how many there are. They are
// as they were when Write began. Only ids and digests of all vehicles are in memory.
func (e *Exporter) Write(ctx context.Context, to io.Writer) (int, error) {
	stock, err := e.Events.Current(ctx, e.Tenant, func(int64, int64) {})
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(to)
	written := 0
	w.WriteByte('[')
	for ids := range slices.Chunk(candidates(stock), readTogether) {
		listings, err := e.listings(ctx, stock, ids)
		if err != nil {
			return written, err
		}
		for _, listing := range listings {
			if written > 0 {
				w.WriteByte(',')
			}
			w.WriteByte('\n')
			w.Write(listing)
			written++
		}
	}
	w.WriteString("\n]\n")
	if err := w.Flush(); err != nil { // which repeats the first failure
		return written, fmt.Errorf("write listings: %w", err)
	}
	return written, nil
}

// candidates are the vehicles that may be listed: those on sale, and those whose last message is broken, which hides an earlier state.
func candidates(stock *eventlog.Stock) []string {
	ids := slices.Sorted(maps.Keys(stock.Vehicles))
	return slices.DeleteFunc(ids, func(id string) bool {
		last := stock.Vehicles[id]
		return !last.OnSale && !last.Broken
	})
}

// listings are the vehicles' listings, without those that are not listed.
func (e *Exporter) listings(ctx context.Context, stock *eventlog.Stock, ids []string) ([][]byte, error) {
	sequences := make([]uint64, len(ids))
	for i, id := range ids {
		sequences[i] = stock.Vehicles[id].Seq
	}
	states, err := e.Events.States(ctx, sequences)
	if err != nil {
		return nil, err
	}
	var listings [][]byte
	for i, id := range ids {
		seq := sequences[i]
		listing, err := e.listing(states[i])
		if errors.Is(err, vehicle.ErrInvalid) {
			listing, seq, err = e.earlier(ctx, id)
		}
		if err != nil {
			return nil, err
		}
		if listing != nil {
			listings = append(listings, listing.Confirmed(stock.Confirmed.At(id, seq)))
		}
	}
	return listings, nil
}

// listing is what an event lists; nil when it takes the vehicle off sale. It returns vehicle.ErrInvalid, wrapped, for one that a replica
// skips.
func (e *Exporter) listing(event *eventlog.Event) (*vehicle.Listing, error) {
	switch {
	case event == nil:
		return nil, vehicle.ErrInvalid
	case event.Kind == eventlog.Delisted:
		return nil, nil
	}
	return vehicle.Parse(event.State, event.Evidence(), e.Check)
}

// earlier is what the newest valid event of a vehicle lists, as a replica does when the last one is broken.
func (e *Exporter) earlier(ctx context.Context, id string) (*vehicle.Listing, uint64, error) {
	history, err := e.Events.History(ctx, e.Tenant, id)
	if err != nil {
		return nil, 0, err
	}
	for _, stored := range slices.Backward(history) {
		listing, err := e.listing(&stored.Event)
		if err == nil {
			return listing, stored.Seq, nil
		}
	}
	return nil, 0, nil
}
