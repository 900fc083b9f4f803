package feed

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// records reads a text through a window that is small at first.
func records(text string, delimiter byte) []record {
	var all []record
	s := newScanner(&window{r: strings.NewReader(text), buf: make([]byte, 0, 4)}, delimiter)
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
			if diff := cmp.Diff(c.want, records(c.text, ','), cmp.AllowUnexported(record{}), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScanner_OtherDelimiters(t *testing.T) {
	for delimiter, text := range map[byte]string{';': "a;\"b;c\"; d,e\n", '\t': "a\t\"b\tc\"\t d,e\n", '|': "a|\"b|c\"| d,e\n"} {
		want := []record{closed(1, "a", "b"+string(rune(delimiter))+"c", "d,e")}
		if diff := cmp.Diff(want, records(text, delimiter), cmp.AllowUnexported(record{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	want := []record{closed(1, "a", "", "", "b")}
	if diff := cmp.Diff(want, records("a\t\t \tb\n", '\t'), cmp.AllowUnexported(record{})); diff != "" {
		t.Errorf("empty values between tabs: %s", diff)
	}
}

func TestScanner_BoundsARecord(t *testing.T) {
	largest := strings.Repeat("x", maxRecord-4)
	tall := strings.Repeat("\n", maxRecordLines-1)
	for name, c := range map[string]struct {
		text string
		want []record
	}{
		"as large as may be":       {"a,\"" + largest[1:] + "\"\nb\n", []record{closed(1, "a", largest[1:]), closed(2, "b")}},
		"a byte more":              {"a,\"" + largest + "\"\nb\n", []record{{line: 1, tooLong: true}, closed(2, "b")}},
		"much more":                {strings.Repeat(largest, 3) + "\nb", []record{{line: 1, tooLong: true}, closed(2, "b")}},
		"to the end":               {"b\r\n" + strings.Repeat(largest, 3), []record{closed(1, "b"), {line: 2, tooLong: true}}},
		"with a line end":          {"a,\"\n" + largest + "\"\nb\n", []record{unclosed(1, "a"), closed(2, largest+`"`), closed(3, "b")}},
		"as many lines as may be":  {"a,\"" + tall + "\"\nb\n", []record{closed(1, "a", tall), closed(maxRecordLines+1, "b")}},
		"a line more":              {"a,\"\n" + tall + "\"b\n", []record{unclosed(1, "a"), unclosed(maxRecordLines + 1)}},
		"CRLF behind the largest":  {"a,\"" + largest[1:] + "\"\r\nb\n", []record{closed(1, "a", largest[1:]), closed(2, "b")}},
		"a large one behind small": {"b\n" + "a,\"" + largest[1:] + "\"", []record{closed(1, "b"), closed(2, "a", largest[1:])}},
	} {
		if !cmp.Equal(c.want, records(c.text, ','), cmp.AllowUnexported(record{}), cmpopts.EquateEmpty()) {
			t.Errorf("%s: %d records, want %d, or they differ", name, len(records(c.text, ',')), len(c.want))
		}
	}
}

func TestScanner_TakesLinearTime(t *testing.T) {
	// Read as one value each to the bounds of a record, these lines would take many minutes.
	const lines = 50_000
	for name, line := range map[string]string{
		"every line closes a value and opens the next": "b\",\"c\n", "every line opens a value": "\"b\n", "doubled quotes": "\"\"\",\"\"\n",
		"one opens, the others are long": "x" + strings.Repeat(",", 60) + "\"\n",
	} {
		if n := len(records("a,\"\n"+strings.Repeat(line, lines)+"a", ',')); n < lines/2 {
			t.Errorf("%s: %d records", name, n)
		}
	}
}

// TestScanner_ReadsWhatIsWritten has any records written by encoding/csv with any delimiter and line end.
func TestScanner_ReadsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\",;\t|\n 'é\u00a0")), 0, 6, -1)
		rows := rapid.SliceOfN(rapid.SliceOfN(text, 2, 5), 1, 20).Draw(t, "rows")
		delimiter := rapid.SampledFrom([]byte(delimiters)).Draw(t, "delimiter")
		var file bytes.Buffer
		out := csv.NewWriter(&file)
		out.Comma, out.UseCRLF = rune(delimiter), rapid.Bool().Draw(t, "CRLF")
		if err := out.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for _, r := range records(file.String(), delimiter) {
			got = append(got, r.values)
		}
		if out.UseCRLF {
			for _, row := range rows {
				for i := range row {
					row[i] = strings.ReplaceAll(row[i], "\n", "\r\n")
				}
			}
		}
		if diff := cmp.Diff(rows, got); diff != "" {
			t.Errorf("%q: %s", file.String(), diff)
		}
	})
}

// FuzzScanner compares the records of any text that encoding/csv takes with what encoding/csv reads.
func FuzzScanner(f *testing.F) {
	for i, text := range []string{"a,\"b\nc\"\r\nd", "\"a\"\"\"; \"\"\n\n;\n", "a\"b", "\u00a0\"a\"|\u2028b\n", "a\t\"b\"\tc\n"} {
		f.Add(text, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, choice uint8) {
		delimiter := delimiters[int(choice)%len(delimiters)]
		got := records(text, delimiter) // must end
		if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
			return // encoding/csv knows no such line end
		}
		if delimiter == '\t' && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) && !strings.ContainsRune("\t\r\n", r) }) {
			return // encoding/csv drops white space before values only together with tabs
		}
		want, ok := readStrictly(text, delimiter)
		if !ok {
			return
		}
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

func readStrictly(text string, delimiter byte) (all []record, ok bool) {
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.FieldsPerRecord, in.TrimLeadingSpace = rune(delimiter), -1, delimiter != '\t'
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
