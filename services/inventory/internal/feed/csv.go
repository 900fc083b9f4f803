package feed

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// cell is one value with the header that it stands under.
type cell struct{ column, text string }

// cells are the values of a row by field, best column first; absent values are left out.
type cells map[field][]cell

// readCSV reads comma-separated values under a header row. Quotes are taken as people write them: one inside a value does not
// need doubling.
func (b *builder) readCSV(r io.Reader) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	in.LazyQuotes = true
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if err != nil {
		return fmt.Errorf("read header row: %w", err)
	}
	known, at := recognise(header)
	if known == nil {
		return errors.New("the columns are of no known dialect: a CSV feed has a header row with VIN or Stock, and Make or Model")
	}
	b.feed.Dialect = known.name
	for {
		record, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read feed: %w", err)
		}
		line, _ := in.FieldPos(0)
		b.addRecord(line, header, at, record)
	}
}

func recognise(header []string) (*dialect, map[field][]int) {
	for _, d := range dialects {
		if at, ok := d.columns(header); ok {
			return d, at
		}
	}
	return nil, nil
}

func (b *builder) addRecord(line int, header []string, at map[field][]int, record []string) {
	for len(record) > len(header) && strings.TrimSpace(record[len(record)-1]) == "" {
		record = record[:len(record)-1]
	}
	if strings.TrimSpace(strings.Join(record, "")) == "" {
		return // spreadsheets export empty rows
	}
	b.feed.Count++
	d := &draft{line: line, vehicle: vehicle.Vehicle{}, columns: make(map[string]string)}
	if len(record) != len(header) {
		b.feed.Rejected++
		b.problem(line, "", bad(fmt.Sprintf("the row has %d values under %d headers", len(record), len(header)),
			`Put values that hold commas, quotes or line breaks in double quotes, and double the quotes inside.`))
		return
	}
	row := make(cells)
	for f, columns := range at {
		for _, i := range columns {
			if text := strings.TrimSpace(record[i]); !isAbsent(text) {
				row[f] = append(row[f], cell{strings.TrimSpace(header[i]), text})
			}
		}
	}
	if columns := at[fieldStatus]; len(columns) > 0 {
		d.statusColumn = strings.TrimSpace(header[columns[0]])
	}
	b.fill(d, row)
	b.finish(d)
}
