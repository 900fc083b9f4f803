package feed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// Settings say whose feed is read and when.
type Settings struct {
	Tenant *tenant.Document
	// File is the name in problems.
	File  string
	Now   time.Time
	Check *contract.Validator
}

// Row is what a good row says about one vehicle.
type Row struct {
	Line      int
	VehicleID string
	// Gone says that the vehicle is not for sale; Vehicle is nil then.
	Gone bool
	// Vehicle is a valid listing without evidence.
	Vehicle vehicle.Vehicle
}

// Feed is a file that was read.
type Feed struct {
	Dialect string
	// Count is the number of rows in the file, Rejected those that could not be taken, Superseded those that a later row about the
	// same vehicle replaces. Count = len(Rows) + Rejected + Superseded.
	Count, Rejected, Superseded int
	Rows                        []Row // in the order of the file, one per vehicle
	Problems                    []Problem
}

// Read reads a whole feed and recognises its dialect by what it holds, never by its name. Bad rows become problems; an error
// means that the file as a whole cannot be read.
func Read(r io.Reader, s Settings) (*Feed, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if err := skipByteOrderMark(in); err != nil {
		return nil, err
	}
	b := &builder{settings: s, feed: new(Feed), rooftops: rooftopNames(s.Tenant)}
	first, err := peekFirst(in)
	if err != nil {
		return nil, err
	}
	switch first {
	case '[':
		err = b.readAAP(in)
	case '{':
		err = errors.New("the file holds a JSON object; a JSON feed is an array of vehicles")
	default:
		err = b.readCSV(in)
	}
	if err != nil {
		return nil, err
	}
	b.keepLast()
	slices.SortStableFunc(b.feed.Problems, func(x, y Problem) int { return x.Line - y.Line })
	return b.feed, nil
}

func skipByteOrderMark(in *bufio.Reader) error {
	mark, err := in.Peek(3)
	if err != nil && err != io.EOF {
		return fmt.Errorf("read feed: %w", err)
	}
	if string(mark) == "\uFEFF" {
		_, err = in.Discard(len(mark))
		return err
	}
	return nil
}

// peekFirst returns the first byte that is not white space, without consuming anything.
func peekFirst(in *bufio.Reader) (byte, error) {
	for n := 1; ; n++ {
		ahead, err := in.Peek(n)
		if len(ahead) < n {
			if err != io.EOF && err != bufio.ErrBufferFull {
				return 0, fmt.Errorf("read feed: %w", err)
			}
			return 0, errors.New("the file is empty")
		}
		switch c := ahead[n-1]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c, nil
		}
	}
}

// builder collects what a file says.
type builder struct {
	settings Settings
	rooftops map[string]string // folded name to name
	feed     *Feed
}

func (b *builder) problem(line int, column string, v *badValue) {
	b.feed.Problems = append(b.feed.Problems, Problem{
		File: b.settings.File, Line: line, Column: column, Problem: v.problem, Correction: v.correction,
	})
}

func (b *builder) warn(line int, column string, v *badValue) {
	b.problem(line, column, v)
	b.feed.Problems[len(b.feed.Problems)-1].Warning = true
}

// keepLast drops the rows that a later one about the same vehicle replaces.
func (b *builder) keepLast() {
	byID, byVIN := make(map[string]int), make(map[string][]int) // places of the rows that stay
	stays := make([]bool, len(b.feed.Rows))
	for i, row := range slices.Backward(b.feed.Rows) {
		by, replaced := byID[row.VehicleID]
		for _, other := range byVIN[row.Vehicle.Text("vin")] {
			if !replaced && sameVehicle(row, b.feed.Rows[other]) {
				by, replaced = other, true
			}
		}
		if replaced {
			b.feed.Superseded++
			b.warn(row.Line, "", bad(fmt.Sprintf("line %d is about the same vehicle and replaces this row", b.feed.Rows[by].Line),
				"Write every vehicle once."))
			continue
		}
		stays[i] = true
		byID[row.VehicleID] = i
		if vin := row.Vehicle.Text("vin"); vin != "" {
			byVIN[vin] = append(byVIN[vin], i)
		}
	}
	var kept []Row
	for i, row := range b.feed.Rows {
		if stays[i] {
			kept = append(kept, row)
		}
	}
	b.feed.Rows = kept
}

// sameVehicle says whether two rows with one VIN and different vehicle ids mean one vehicle. They are two only when both the
// rooftop and the stock number differ.
func sameVehicle(a, b Row) bool {
	return a.Vehicle.Text("rooftop") == b.Vehicle.Text("rooftop") || a.Vehicle.Text("stock") == b.Vehicle.Text("stock")
}
