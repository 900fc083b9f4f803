package main

import (
	"cmp"
	"slices"
)

// Subject is one table: figures of one unit, against one peer.
type Subject struct {
	Name string `json:"name"`
	// Unit of Ours and Theirs: "ns", "bytes/vehicle", "events/s" or "calls/s".
	Unit string `json:"unit"`
	Peer string `json:"peer"`
	// Ratio says what the ratios are of.
	Ratio   string   `json:"ratio"`
	Figures []Figure `json:"figures"`
}

// Figure is one measurement beside that of the peer in the same run.
type Figure struct {
	Case string `json:"case"`
	// Size is what the cost is measured against: vehicles in stock, events, or leads.
	Size   int     `json:"size"`
	Found  *Spread `json:"found,omitempty"` // vehicles that a search matches
	Ours   Spread  `json:"ours"`
	Theirs Spread  `json:"theirs"`
	Ratio  float64 `json:"ratio"`
}

// Spread is what repeated measurements gave.
type Spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// spreadOf summarises at least one measurement.
func spreadOf[N cmp.Ordered](measured []N, value func(N) float64) Spread {
	sorted := slices.Sorted(slices.Values(measured))
	return Spread{value(sorted[0]), value(sorted[len(sorted)/2]), value(sorted[len(sorted)-1])}
}
