package feed

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func records(text string) []record {
	var all []record
	s := newScanner(newWindow(strings.NewReader(text)), ',')
	for r, ok := s.next(); ok; r, ok = s.next() {
		r.lines = 0 // which the lines of the next records show
		all = append(all, r)
	}
	return all
}

func closed(line int, values ...string) record { return record{line: line, values: values} }

// unclosed is a record whose quote opens after some values.
func unclosed(line int, values ...string) record {
	return record{line: line, values: values, unclosed: true}
}

func TestScanner(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []record
	}{
		"up to the end of the file":          {"a,\"b\nc,d\ne,f\n", []record{unclosed(1, "a"), closed(2, "c", "d"), closed(3, "e", "f")}},
		"in the last line":                   {"a,b\nc,\"d", []record{closed(1, "a", "b"), unclosed(2, "c")}},
		"at the very end":                    {"a,\"", []record{unclosed(1, "a")}},
		"up to the next row's quote":         {"a,\"b\nc,\"d\"\ne,f\n", []record{unclosed(1, "a"), closed(2, "c", "d"), closed(3, "e", "f")}},
		"in every row":                       {"a,\"b\nc,\"d\ne,\"f\n", []record{unclosed(1, "a"), unclosed(2, "c"), unclosed(3, "e")}},
		"rows whose first value is quoted":   {"\"a\",\"b\n\"c\",\"d\"\n", []record{unclosed(1, "a"), closed(2, "c", "d")}},
		"closed inside the value":            {"a,\"b\"c\nd,e\n", []record{unclosed(1, "a"), closed(2, "d", "e")}},
		"the first of two values":            {"\"a,\"b\"x\nc,d\n", []record{unclosed(1), closed(2, "c", "d")}},
		"after a value of several lines":     {"\"a\nb\",\"c\nd\n", []record{unclosed(1), unclosed(2, `b"`), closed(3, "d")}},
		"a sloppy quote after a line end":    {"a,\"b\n6\" c\"\nd,e\n", []record{unclosed(1, "a"), closed(2, `6" c"`), closed(3, "d", "e")}},
		"a sloppy quote before a line end":   {"a,\"6\" b\nc\"\nd,e\n", []record{unclosed(1, "a"), closed(2, `c"`), closed(3, "d", "e")}},
		"a sloppy quote on its line":         {"a,\"6'2\" bed, nice\"\nd,e\n", []record{closed(1, "a", `6'2" bed, nice`), closed(2, "d", "e")}},
		"a quote that opens no value":        {"a\"b,c \"d\"\n", []record{closed(1, `a"b`, `c "d"`)}},
		"white space before the quote":       {"a, \"b,c\"\n", []record{closed(1, "a", "b,c")}},
		"white space after the quote":        {"a,\"b\" ,c\nd,e\n", []record{unclosed(1, "a"), closed(2, "d", "e")}},
		"doubled quotes":                     {"\"a\"\"b\",\"\"\"\",\"\"\n", []record{closed(1, `a"b`, `"`, "")}},
		"line ends in a value":               {"a,\"b\nc\r\nd\re\"\nf\n", []record{closed(1, "a", "b\nc\r\nd\re"), closed(5, "f")}},
		"values after one of several lines":  {"\"a\nb\",c\nd\n", []record{closed(1, "a\nb", "c"), closed(3, "d")}},
		"several values of several lines":    {"\"a\nb\",\"c\nd\"\ne\n", []record{closed(1, "a\nb", "c\nd"), closed(4, "e")}},
		"every kind of line end":             {"a\rb\nc\r\nd", []record{closed(1, "a"), closed(2, "b"), closed(3, "c"), closed(4, "d")}},
		"empty lines":                        {"\n\r\r\na\n\nb\n\n", []record{closed(4, "a"), closed(6, "b")}},
		"CR alone ends a quoted value":       {"\"a\"\r\"b\"\r", []record{closed(1, "a"), closed(2, "b")}},
		"delimiter at the end":               {"a,\n", []record{closed(1, "a", "")}},
		"only a delimiter":                   {",", []record{closed(1, "", "")}},
		"nothing":                            {"", nil},
		"a forgotten quote, CR as line ends": {"a,\"b\rc,d\r", []record{unclosed(1, "a"), closed(2, "c", "d")}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, records(c.text), cmp.AllowUnexported(record{}), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScanner_TakesLinearTime(t *testing.T) {
	// Read as one value each to the end of the file, these lines would take hours.
	const lines = 400_000
	for name, line := range map[string]string{
		"every line closes a value and opens the next": "b\",\"c\n", "every line opens a value": "\"b\n", "doubled quotes": "\"\"\",\"\"\n",
	} {
		if n := len(records(strings.Repeat(line, lines) + "a")); n < lines/2 {
			t.Errorf("%s: %d records", name, n)
		}
	}
}

// FuzzScanner compares the records of any text that encoding/csv takes with what encoding/csv reads.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{"a,\"b\nc\"\r\nd", "\"a\"\"\", \"\"\n\n,\n", "a\"b", "\u00a0\"a\",\u2028b\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
			return // encoding/csv knows no such line end
		}
		want, ok := readStrictly(text)
		if !ok {
			records(text) // must end
			return
		}
		got := records(text)
		for _, r := range got {
			for i := range r.values {
				r.values[i] = strings.ReplaceAll(r.values[i], "\r\n", "\n") // which encoding/csv does
			}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(record{})); diff != "" {
			t.Error(diff)
		}
	})
}

func readStrictly(text string) (all []record, ok bool) {
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord, in.TrimLeadingSpace = -1, true
	for {
		values, err := in.Read()
		if err == io.EOF {
			return all, true
		}
		if err != nil {
			return nil, false
		}
		line, _ := in.FieldPos(0)
		all = append(all, record{line: line, values: values})
	}
}
