package feed_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/inventory/internal/feed"
)

// inUTF16 writes a text in UTF-16.
func inUTF16(text string, order binary.AppendByteOrder) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

func TestRead_AnyEncoding_SameRows(t *testing.T) {
	for _, text := range []string{
		"Stock,Make,Price,Comments\nS1,Citroën,9000,“nice” – 5 €\n",
		"[{\"stock\":\"S1\",\"status\":\"pending\",\"make\":\"Citroën\",\"description\":\"“nice” – 5 €\"}]",
		"{\"stock\":\"S1\",\"status\":\"pending\",\"make\":\"Citroën\",\"description\":\"“nice” – 5 €\"}\n",
	} {
		want := read(t, twoRoofs, text)
		windows := strings.NewReplacer("ë", "\xEB", "“", "\x93", "”", "\x94", "–", "\x96", "€", "\x80").Replace(text)
		for _, c := range []struct{ name, encoding, file string }{
			{"UTF-8 with BOM", "", "\uFEFF" + text},
			{"UTF-16LE", "UTF-16LE", inUTF16(text, binary.LittleEndian)},
			{"UTF-16LE with BOM", "UTF-16LE", inUTF16("\uFEFF"+text, binary.LittleEndian)},
			{"UTF-16BE", "UTF-16BE", inUTF16(text, binary.BigEndian)},
			{"UTF-16BE with BOM", "UTF-16BE", inUTF16("\uFEFF"+text, binary.BigEndian)},
			{"Windows-1252", "Windows-1252", windows},
		} {
			want.Encoding = c.encoding
			if diff := cmp.Diff(want, read(t, twoRoofs, c.file)); diff != "" || len(want.Rows) != 1 {
				t.Errorf("%s: %q: %s", c.name, text, diff)
			}
		}
	}
}

// TestRead_BrokenUTF8_StaysUTF8 also has the broken byte far away from the first character beyond ASCII.
func TestRead_BrokenUTF8_StaysUTF8(t *testing.T) {
	for name, text := range map[string]string{
		"near": "Stock,Make,Price\nS1,Citroën,1\nS2,Citro\xEBn,1\nS3,Kia,1\n",
		"far":  "Stock,Make,Price\n" + strings.Repeat("S1,Citroën,1\n", 6000) + "S2,Citro\xEBn,1\nS3,Kia,1\n",
	} {
		f := read(t, twoRoofs, text)
		last := f.Problems[len(f.Problems)-1]
		if f.Encoding != "" || f.Rejected != 1 || listing(t, f.Rows[0])["make"] != "Citroën" {
			t.Errorf("%s: %q, %d rejected, %+v", name, f.Encoding, f.Rejected, f.Rows)
		}
		if name == "near" {
			want := feed.Problem{File: "feed", Line: 3, Column: "Make", Problem: "the text is not UTF-8", Correction: "Save the file as UTF-8."}
			if diff := cmp.Diff(want, last); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestRead_Windows1252ThatLooksLikeUTF8InPlaces_IsWarnedOf(t *testing.T) {
	var text strings.Builder
	text.WriteString("Stock,Make,Price,Comments\n")
	for i := range 20 {
		fmt.Fprintf(&text, "S%d,Citro\xEBn,1,x\n", i)
	}
	text.WriteString("S99,Kia,1,\x93CAF\xC9\x94\n")
	f := read(t, twoRoofs, text.String())
	want := []feed.Problem{{
		File: "feed", Line: 1, Warning: true, Correction: "Save the whole file as UTF-8.",
		Problem: "the file is read as Windows-1252, but some of its text looks like UTF-8",
	}}
	if diff := cmp.Diff(want, f.Problems); diff != "" || f.Encoding != "Windows-1252" || len(f.Rows) != 21 {
		t.Errorf("%q, %d rows, %s", f.Encoding, len(f.Rows), diff)
	}
	if got := listing(t, f.Rows[20])["description"]; got != "“CAFÉ”" {
		t.Errorf("description = %q", got)
	}
}

// FuzzReadEncoding holds that a text in UTF-16 is read as the same text in UTF-8 is.
func FuzzReadEncoding(f *testing.F) {
	f.Add("Stock,Make,Price\nS1,Citroën,9000\n")
	f.Add("[{\"stock\":\"é😀\",\"status\":\"pending\"}]")
	v := validator(f)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.TrimLeft(strings.ToValidUTF8(text, ""), "\uFEFF")
		want, wantErr := feed.Read(strings.NewReader("\uFEFF"+text), settings(twoRoofs, v))
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			got, err := feed.Read(bytes.NewReader([]byte(inUTF16("\uFEFF"+text, order))), settings(twoRoofs, v))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%v, in UTF-8 %v", err, wantErr)
			}
			if err != nil {
				continue
			}
			if got.Encoding = ""; cmp.Diff(want, got) != "" {
				t.Errorf("%v: %s", order, cmp.Diff(want, got))
			}
		}
	})
}
