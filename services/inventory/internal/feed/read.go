package feed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// MaxListing is the largest listing in bytes of JSON. It is many times what dealers write, and a page of 100 still fits in one
// message between services.
const MaxListing = 128 << 10

// maxNesting is how deep the members of a listing may be nested. Readers of JSON give up between 64 levels and 1,000, and an answer
// that holds the listing adds some: one that is deeper would keep its agents from reading every other listing on the page.
const maxNesting = 32

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
	// Progress, when set, is told now and then how many bytes have been read, from the goroutine that called Read.
	Progress func(bytes int64)
}

// Row is what a good row says about one vehicle.
type Row struct {
	Line                int
	Element             int `json:",omitempty"` // in a JSON array, from 1
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
	Kept    []string
	Unnamed int
	// Problems are in the order of the file, at most MaxProblems and as many warnings; Omitted counts the others.
	Problems []Problem
	Omitted  []Omitted `json:",omitempty"`
}

// Read reads a whole feed and recognises its encoding, its separator and its dialect by what it holds, never by its name. Bad rows
// become problems; an error means that the file as a whole cannot be read. A file of a header row or an array without rows is a
// feed of no rows.
//
// The file is not held in memory, only the rows are.
func Read(r io.Reader, s Settings) (*Feed, error) {
	text, err := newTextReader(&progressReader{r: r, told: s.Progress})
	if err != nil {
		return nil, err
	}
	in := newWindow(text)
	b := &builder{settings: s, feed: new(Feed), rooftops: rooftopNames(s.Tenant), problems: new(problemList)}
	if err := b.read(in); err != nil {
		return nil, err
	}
	b.feed.Encoding = text.encoding
	if text.isAmbiguous() {
		b.warn(1, "", mixedEncodings)
	}
	b.nameTwins()
	b.keepLast()
	b.feed.Problems, b.feed.Omitted = b.problems.inOrder(), b.problems.counts()
	return b.feed, nil
}

var mixedEncodings = bad("the file is read as Windows-1252, but some of its text looks like UTF-8", "Save the whole file as UTF-8.")

// read reads the text as what its first character says.
func (b *builder) read(in *window) error {
	first, err := firstCharacter(in)
	if err != nil {
		return err
	}
	// JSON is of one dialect only, whatever the tenant's exports are otherwise.
	isJSON := first == '[' || first == '{'
	if forced := b.settings.Dialect; isJSON && forced != "" && forced != dialectAAP {
		return fmt.Errorf("the file is JSON, which the dialect %s is not; choose %s, or none to have it recognised", forced, dialectAAP)
	}
	switch first {
	case '[':
		return b.readArray(in)
	case '{':
		return b.readJSONLines(in)
	default:
		return b.readCSV(in)
	}
}

// firstCharacter returns the first one that is not white space, and stays before it and what leads to it.
func firstCharacter(in *window) (byte, error) {
	for {
		if first := bytes.TrimLeft(in.text(), " \t\r\n"); len(first) > 0 {
			return first[0], nil
		}
		if len(in.text()) > maxRecord {
			return 0, errors.New("the file begins with too much white space")
		}
		if !in.more() {
			return 0, cmp.Or(in.err, errors.New("the file is empty"))
		}
	}
}

// progressReader tells how many bytes have been read.
type progressReader struct {
	r           io.Reader
	told        func(bytes int64)
	bytes, last int64
}

// progressStep is how many bytes are read before the next number is told.
const progressStep = 1 << 20

func (p *progressReader) Read(text []byte) (int, error) {
	n, err := p.r.Read(text)
	p.bytes += int64(n)
	if p.told != nil && (p.bytes-p.last >= progressStep || err == io.EOF && p.bytes > p.last) {
		p.last = p.bytes
		p.told(p.bytes)
	}
	return n, err
}

// builder collects what a file, or a part of it, says.
type builder struct {
	settings Settings
	rooftops map[string]string // folded name to name
	draft    draft             // of the row that is read
	vehicle  vehicle.Vehicle   // of the draft
	element  int               // the place in a JSON array of the row that is read; 0 in other files
	feed     *Feed
	problems *problemList
	json     arena     // of the rows
	texts    textArena // of the rows
}

func (b *builder) problem(line int, column string, v *badValue) { b.report(line, column, v, false) }

func (b *builder) warn(line int, column string, v *badValue) { b.report(line, column, v, true) }

func (b *builder) report(line int, column string, v *badValue, warning bool) {
	b.problems.add(Problem{
		File: b.settings.File, Line: line, Element: b.element, Column: column, Problem: v.problem, Correction: v.correction, Warning: warning,
	})
}
