package feed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/inventory/internal/feed"
)

// stocks are the stock numbers of a feed's rows with their lines, and the lines of its problems.
func stocks(f *feed.Feed) (rows, problems []string) {
	for _, r := range f.Rows {
		rows = append(rows, fmt.Sprint(r.Line, " ", r.Stock))
	}
	for _, p := range f.Problems {
		problems = append(problems, fmt.Sprint(p.Line, " ", p.Problem))
	}
	return rows, problems
}

func TestRead_JSONLines_EachLineIsARow(t *testing.T) {
	one := func(stock string) string { return fmt.Sprintf(`{"stock":%q,"status":"pending"}`, stock) }
	const broken, notJSON = "1 the line is not a JSON object", "the element is not a JSON object in UTF-8 with unique member names"
	for name, c := range map[string]struct {
		text           string
		rows, problems []string
	}{
		"one":                      {one("a"), []string{"1 a"}, nil},
		"two":                      {one("a") + "\n" + one("b") + "\n", []string{"1 a", "2 b"}, nil},
		"blank lines":              {"\n \n" + one("a") + "\n\t\n\n" + one("b"), []string{"3 a", "6 b"}, nil},
		"white space":              {"  " + one("a") + " \n\t" + one("b") + "\t", []string{"1 a", "2 b"}, nil},
		"CR":                       {one("a") + "\r" + one("b"), []string{"1 a", "2 b"}, nil},
		"the first is broken":      {"{\"stock\":\n" + one("b"), []string{"2 b"}, []string{"1 " + notJSON}},
		"one in the middle broken": {one("a") + "\n{\"stock\"\n" + one("b"), []string{"1 a", "3 b"}, []string{"2 " + notJSON}},
		"two on a line":            {one("a") + "\n" + one("b") + one("c") + "\n" + one("d"), []string{"1 a", "3 d"}, []string{"2 " + notJSON}},
		"something else":           {one("a") + "\nnull\n[1]\n" + one("d"), []string{"1 a", "4 d"}, []string{"2" + broken[1:], "3" + broken[1:]}},
		"a line that is too long": {
			one("a") + "\n" + one(strings.Repeat("x", 3<<20)) + "\n" + one("c"), []string{"1 a", "3 c"}, []string{"2 the line is longer than 1024 KiB"},
		},
		"a list of objects inside":  {`{"stock":"a","status":"pending","fees":[{"name":"Doc","amount":1}]}`, []string{"1 a"}, nil},
		"a duplicate name in first": {`{"stock":"a","stock":"b","status":"pending"}` + "\n" + one("c"), []string{"2 c"}, []string{"1 " + notJSON}},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, twoRoofs, c.text)
			rows, problems := stocks(f)
			if diff := cmp.Diff([][]string{c.rows, c.problems}, [][]string{rows, problems}); diff != "" {
				t.Error(diff)
			}
			if f.Rejected != len(problems) || f.Unnamed != len(problems) {
				t.Errorf("%d rejected, %d unnamed", f.Rejected, f.Unnamed)
			}
		})
	}
}

func TestRead_Array_NamesTheElement(t *testing.T) {
	large := strings.Repeat("x", 3<<20)
	f := read(t, twoRoofs, `[{"stock":"a","status":"pending"}, 7, ["`+large[:1<<19]+`","`+large[:1<<19]+`",[1]], {"stock":"b","status":"pending"}]`)
	type place struct {
		Line, Element int
		Problem       string
	}
	var got []place
	for _, p := range f.Problems {
		got = append(got, place{p.Line, p.Element, p.Problem})
	}
	want := []place{
		{1, 2, "the element is not a JSON object in UTF-8 with unique member names"}, {1, 3, "the element is larger than 1024 KiB"},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(f.Rows) != 2 || f.Rows[1].Element != 4 {
		t.Errorf("rows %+v, %s", f.Rows, diff)
	}
}

func TestRead_ObservedAt_IsWhatTheEvidenceSays(t *testing.T) {
	for evidence, want := range map[string]string{
		`{"source":"x","observed_at":"2026-04-30T08:00:00.25+02:00","event_id":"e"}`: "2026-04-30T06:00:00.25Z",
		`{"observed_at":"2026-05-01T06:00:00Z"}`:                                     "2026-05-01T06:00:00Z",
		`{"observed_at":"2026-05-01T06:00:01Z"}`:                                     "", // in the future
		`{"observed_at":"yesterday"}`:                                                "",
		`{"observed_at":7}`:                                                          "",
		`"x"`:                                                                        "",
		`null`:                                                                       "",
	} {
		f := read(t, twoRoofs, `[{"stock":"S1","status":"pending","evidence":`+evidence+`}]`)
		got := ""
		if at := f.Rows[0].ObservedAt; !at.IsZero() {
			got = at.Format("2006-01-02T15:04:05.999999Z07:00")
		}
		if got != want || listing(t, f.Rows[0])["evidence"] != nil {
			t.Errorf("%s: %q, want %q", evidence, got, want)
		}
	}
}

func TestRead_AListingThatIsNestedTooDeep_IsABadRow(t *testing.T) {
	nested := func(open, inner, closing string, levels int) string {
		return strings.Repeat(open, levels) + inner + strings.Repeat(closing, levels)
	}
	for name, c := range map[string]struct {
		value string
		good  bool
	}{
		"arrays within bounds":  {nested("[", "", "]", 32), true},
		"objects within bounds": {nested(`{"a":`, "1", "}", 32), true},
		"arrays":                {nested("[", "", "]", 33), false},
		"objects":               {nested(`{"a":`, "1", "}", 33), false},
		"empty objects":         {nested("[", "{}", "]", 32), false},
		"beside others":         {`[1,` + nested("[", "", "]", 32) + `]`, false},
		"as deep as JSON goes":  {nested("[", "", "]", 9990), false},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, twoRoofs, `[{"stock":"a","status":"pending","other":`+c.value+`},{"stock":"b","status":"pending"}]`)
			if c.good {
				if len(f.Rows) != 2 || f.Rejected != 0 {
					t.Errorf("%d rows, problems %+v", len(f.Rows), f.Problems)
				}
				return
			}
			_, problems := stocks(f)
			if diff := cmp.Diff([]string{"1 the value is nested deeper than 32 levels"}, problems); diff != "" || len(f.Rows) != 1 ||
				f.Problems[0].Column != "other" || f.Unnamed != 0 {
				t.Errorf("%d rows, %d unnamed, %s", len(f.Rows), f.Unnamed, diff)
			}
		})
	}
}
