package feed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// MaxListing is the largest listing in bytes of JSON. It is many times what dealers write, and a page of 100 still fits in one
// message between services.
const MaxListing = 128 << 10

// Settings say whose feed is read and when.
type Settings struct {
	Tenant *tenant.Document
	// File is the name in problems.
	File  string
	Now   time.Time
	Check *contract.Validator
	// MaxListing bounds the JSON of a listing in bytes; a larger one is a bad row.
	MaxListing int
	// Dialect names the dialect; "" recognises it by what the file holds.
	Dialect string
	// Rooftop is the rooftop that the file is of: rows that name none have it, rows of another are bad. "" is all.
	Rooftop string
	// Progress, when set, is told now and then how many bytes have been read.
	Progress func(bytes int64)
}

// Row is what a good row says about one vehicle.
type Row struct {
	Line                int
	VehicleID           string
	VIN, Stock, Rooftop string // "" when not stated
	// Gone says that the vehicle is not for sale; JSON is nil then.
	Gone bool
	// JSON is a valid listing without evidence, in canonical JSON.
	JSON []byte
	// ObservedAt is when the row's facts were observed, where the row says so; zero means by this file.
	ObservedAt time.Time
}

// Feed is a file that was read.
type Feed struct {
	Dialect string
	// Encoding names the text's encoding when it is not UTF-8: "UTF-16LE", "UTF-16BE" or "Windows-1252".
	Encoding string `json:",omitempty"`
	// Count is the number of rows in the file, Rejected those that could not be taken, Superseded those that a later row about the
	// same vehicle replaces. Count = len(Rows) + Rejected + Superseded.
	Count, Rejected, Superseded int
	Rows                        []Row // in the order of the file, one per vehicle
	// Kept are the vehicles that rejected rows name, by every id that they may have here. Unnamed counts the rejected rows whose
	// vehicle cannot be told.
	Kept     []string
	Unnamed  int
	Problems []Problem
}

// Read reads a whole feed and recognises its dialect by what it holds, never by its name. Bad rows become problems; an error
// means that the file as a whole cannot be read, or that it holds no row.
func Read(r io.Reader, s Settings) (*Feed, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read feed: %w", err)
	}
	if isUTF16(text) {
		return nil, errors.New("the file is UTF-16 text; export it as UTF-8 (spreadsheets call it CSV UTF-8)")
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	b := &builder{settings: s, feed: new(Feed), rooftops: rooftopNames(s.Tenant)}
	switch first := bytes.TrimLeft(text, " \t\r\n"); {
	case len(first) == 0:
		err = errors.New("the file is empty")
	case first[0] == '[':
		err = b.readAAP(text)
	case first[0] == '{':
		err = errors.New("the file holds a JSON object; a JSON feed is an array of vehicles")
	default:
		err = b.readCSV(text)
	}
	if err != nil {
		return nil, err
	}
	b.keepLast()
	slices.SortStableFunc(b.feed.Problems, func(x, y Problem) int { return x.Line - y.Line })
	return b.feed, nil
}

// isUTF16 says whether a text begins with the byte order mark of UTF-16, or with an ASCII character of two bytes.
func isUTF16(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	mark := string(text[:2])
	return mark == "\xFF\xFE" || mark == "\xFE\xFF" || (text[0] == 0) != (text[1] == 0)
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
		for _, other := range byVIN[row.VIN] {
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
		if row.VIN != "" {
			byVIN[row.VIN] = append(byVIN[row.VIN], i)
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
	return a.Rooftop == b.Rooftop || a.Stock == b.Stock
}
