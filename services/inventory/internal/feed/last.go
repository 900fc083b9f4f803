package feed

import (
	"fmt"
	"slices"
)

// keepLast drops the rows that a later one about the same vehicle replaces.
func (b *builder) keepLast() {
	rows := b.feed.Rows
	stay := places{rows: rows, byID: make(map[string]int32, len(rows)), byVIN: make(map[string]int32, len(rows)), older: make([]int32, len(rows))}
	stays := make([]bool, len(rows))
	for i, row := range slices.Backward(rows) {
		by, replaced := stay.sameVehicle(row)
		if stays[i] = !replaced; replaced {
			b.feed.Superseded++
			b.element = row.Element
			b.warn(row.Line, "", bad(fmt.Sprintf("%s is about the same vehicle and replaces this row", placeOf(rows[by])), "Write every vehicle once."))
			continue
		}
		stay.add(i)
	}
	kept := rows[:0]
	for i, row := range rows {
		if stays[i] {
			kept = append(kept, row)
		}
	}
	clear(rows[len(kept):])
	b.feed.Rows = kept
}

func placeOf(r Row) string {
	if r.Element > 0 {
		return fmt.Sprintf("element %d", r.Element)
	}
	return fmt.Sprintf("line %d", r.Line)
}

// places finds rows, by their index, among those that stay. Rows are added from the last to the first.
type places struct {
	rows  []Row
	byID  map[string]int32
	byVIN map[string]int32 // the row added last
	older []int32          // the row of the same VIN that was added before, and 1; 0 is none
}

func (p *places) add(i int) {
	row := p.rows[i]
	p.byID[row.VehicleID] = int32(i)
	if row.VIN == "" {
		return
	}
	if other, ok := p.byVIN[row.VIN]; ok {
		p.older[i] = other + 1
	}
	p.byVIN[row.VIN] = int32(i)
}

// sameVehicle returns the row that is about the same vehicle as another.
func (p *places) sameVehicle(row Row) (by int32, ok bool) {
	if by, ok = p.byID[row.VehicleID]; ok {
		return by, true
	}
	if row.VIN == "" {
		return 0, false
	}
	for by, ok = p.byVIN[row.VIN]; ok; by, ok = p.older[by]-1, p.older[by] > 0 {
		if isSameVehicle(row, p.rows[by]) {
			return by, true
		}
	}
	return 0, false
}

// isSameVehicle says whether two rows with one VIN and different vehicle ids mean one vehicle. They are two only when both the
// rooftop and the stock number differ.
func isSameVehicle(a, b Row) bool {
	return a.Rooftop == b.Rooftop || a.Stock == b.Stock
}
