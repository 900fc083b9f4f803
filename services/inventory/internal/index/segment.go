package index

import (
	"math"
	"strings"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// segment is an index of up to maxDocs listings, which are its documents. It never changes. Documents are numbered in the order
// of their vehicle ids, so that the order of numbers breaks ties of any sort and a vehicle is found by bisection.
type segment struct {
	ids     texts
	hashes  hashes // of ids
	seqs    []uint64
	bodies  bodies
	times   []timesAt
	terms   [numTerms]termColumn
	numbers [numNumbers]numberColumn // UpdatedAt as the listings state it
	vin     textColumn
	stock   textColumn
	charge  column // dc_fast_charge: ordinal 0 is false, 1 is true
	words   wordIndex
}

// timesAt is where the values of updated_at and evidence.observed_at start in a document's JSON.
type timesAt struct{ updated, observed uint32 }

func (s *segment) len() int { return s.ids.len() }

// locate returns the document of a vehicle.
func (s *segment) locate(vehicleID string) (uint16, bool) {
	doc, ok := s.ids.search(vehicleID)
	return uint16(doc), ok
}

// part is a segment as a view sees it. It never changes.
type part struct {
	*segment
	graves graves
	// shown is updated_at as the view's confirmation shows it; nil when that is as the listings state it.
	shown *numberColumn
}

func (p *part) alive() int { return p.len() - p.graves.count }

// number returns the column of a number as callers see it.
func (p *part) number(n Number) *numberColumn {
	if n == UpdatedAt && p.shown != nil {
		return p.shown
	}
	return &p.numbers[n]
}

// confirmed is the part as a confirmation shows it.
func (p *part) confirmed(c *Confirmation) *part {
	if c == nil {
		return p
	}
	stated := &p.numbers[UpdatedAt]
	shown := make([]float64, p.len())
	changed := false
	for doc := range shown {
		shown[doc] = stated.values[stated.of[doc]]
		if at := float64(c.of(p.seqs[doc], p.ids.at(doc))); at > shown[doc] {
			shown[doc], changed = at, true
		}
	}
	other := &part{segment: p.segment, graves: p.graves}
	if changed {
		column := numbersOf(shown)
		other.shown = &column
	}
	return other
}

// listing returns a document as callers get it.
func (p *part) listing(doc uint16, c *Confirmation) Listing {
	text := p.bodies.json(doc)
	at := p.times[doc]
	return Listing{
		text: text, rooftop: p.terms[Rooftop].written(doc), confirmed: c.of(p.seqs[doc], p.ids.at(int(doc))),
		updated: quoted(text, at.updated), observed: quoted(text, at.observed),
	}
}

// quoted is the span of a JSON string without escapes that starts at a place.
func quoted(text []byte, start uint32) vehicle.Span {
	end := int(start)
	for end < len(text) && text[end] != '"' {
		end++
	}
	return vehicle.Span{Start: start, End: uint32(end)}
}

// identity returns the names of a document, folded.
func (p *part) identity(doc uint16) Identity {
	return Identity{VehicleID: p.ids.at(int(doc)), VIN: p.vin.at(doc), Stock: p.stock.at(doc)}
}

// at returns a document's text; "" for none.
func (c *textColumn) at(doc uint16) string {
	if o := int(c.of[doc]); o < c.none() {
		return c.values.at(o)
	}
	return ""
}

// at returns a document's number; NaN for none.
func (c *numberColumn) at(doc uint16) float64 {
	if o := int(c.of[doc]); o < c.none() {
		return c.values[o]
	}
	return math.NaN()
}

func byVehicleID(a, b *entry) int { return strings.Compare(a.id.VehicleID, b.id.VehicleID) }
