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

func TestRead_AnyLineEnd(t *testing.T) {
	for _, text := range []string{"Stock,Make,Price\nS1,Kia,9000\n\nS2,VW,9000,x\n", "[{\"stock\":\"S1\",\"status\":\"pending\"},\n\n\n3]\n"} {
		want := read(t, twoRoofs, text)
		if len(want.Rows) != 1 || len(want.Problems) != 1 || want.Problems[0].Line != 4 {
			t.Errorf("%q: rows %+v, problems %+v, want one at line 4", text, want.Rows, want.Problems)
		}
		for _, end := range []string{"\r", "\r\n"} {
			other := strings.ReplaceAll(text, "\n", end)
			if diff := cmp.Diff(want, read(t, twoRoofs, other)); diff != "" {
				t.Errorf("%q: %s", other, diff)
			}
		}
	}
}

func TestRead_FileWithoutRows_IsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "empty",
		"\uFEFF\r\n":                  "empty",
		strings.Repeat("\n", 1<<17):   "empty",
		"Stock,Make":                  "no row",
		"Stock,Make\r":                "no row",
		"Stock,Make\n,\n \n\"\",\"\"": "no row",
		"[]":                          "no vehicle",
		"Stock,\"Make\nS1,Kia\n":      "line 1, is never closed",
		"no,feed\nS1,Kia\n":           "separated by commas",
	} {
		_, err := feed.Read(strings.NewReader(text), settings(twoRoofs, validator(t)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

func TestRead_UTF16IsNamed(t *testing.T) {
	for _, text := range []string{"Stock,Make\nS1,Kia\n", `[{"stock":"S1"}]`} {
		units := utf16.Encode([]rune(text))
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, mark := range []uint16{0xFEFF, units[0]} { // with and without a byte order mark
				file := order.AppendUint16(nil, mark)
				for _, u := range units {
					file = order.AppendUint16(file, u)
				}
				_, err := feed.Read(bytes.NewReader(file), settings(twoRoofs, validator(t)))
				if err == nil || !strings.Contains(err.Error(), "UTF-16") || !strings.Contains(err.Error(), "UTF-8") {
					t.Errorf("%q, %v, first %x: %v", text, order, mark, err)
				}
			}
		}
	}
}

func TestRead_ColumnsThatContradict_AreWarnedOf(t *testing.T) {
	const vin, otherVIN = "4T1DAACK5SU512044", "4T1DAACK5SU512045"
	for name, c := range map[string]struct {
		text     string
		warnings []string // line and column
	}{
		"a header twice":           {"Stock,STOCK,Make,make,Price\nS1,S1,Kia,Kia,9000\n", []string{"1 STOCK", "1 make"}},
		"a header three times":     {"Stock,Make,Make,Make,Price\nS1,Kia,,,9000\n", []string{"1 Make", "1 Make"}},
		"an unknown header twice":  {"Stock,Make,Price,x,x\nS1,Kia,9000,1,2\n", []string{"1 "}},
		"two stock numbers":        {"Stock,stock_number,Make,Price\nS1,S2,Kia,1\nS3,S3,Kia,1\nS4,,Kia,1\n,S5,Kia,1\n", []string{"2 stock_number"}},
		"two VINs":                 {"VIN,VehicleVIN,Make,Price\n" + vin + "," + otherVIN + ",Kia,9000\n", []string{"2 VehicleVIN"}},
		"one VIN in two spellings": {"VIN,VehicleVIN,Make,Price\n" + vin + "," + strings.ToLower(vin) + ",Kia,9000\n", nil},
		"two prices":               {"Stock,Make,InternetPrice,Price\nS1,Kia,9000,9500\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, twoRoofs, c.text)
			var got []string
			for _, p := range f.Problems {
				if !p.Warning {
					t.Errorf("a bad row: %+v", p)
				}
				got = append(got, fmt.Sprintf("%d %s", p.Line, p.Column))
			}
			if diff := cmp.Diff(c.warnings, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRead_FirstOfTwoColumnsCounts(t *testing.T) {
	v := listing(t, read(t, twoRoofs, "stock_number,Stock,Make,make\nS2,S1,Toyota,Honda\n").Rows[0])
	if v["stock"] != "S1" || v["make"] != "Toyota" { // Stock is the better column, Make the first
		t.Errorf("vehicle = %v", v)
	}
}

func TestRead_TooLargeListing_IsABadRow(t *testing.T) {
	words := func(n int) string { return strings.Repeat("nice ", n/5) }
	large := words(feed.MaxListing)
	for text, column := range map[string]string{
		"Stock,Make,Price,Comments\nS0,Kia,1,ok\nS1,Kia,1," + large + "\nS2,Kia,1,ok\n":                                                                                   "Comments",
		"Stock,Make,Price,Options\nS0,Kia,1,ok\nS1,Kia,1,\"" + large + "\"\nS2,Kia,1,ok\n":                                                                                "Options",
		"[{\"stock\":\"S0\",\"status\":\"pending\"},\n{\"stock\":\"S1\",\"status\":\"pending\",\"notes\":\"" + large + "\"},\n{\"stock\":\"S2\",\"status\":\"pending\"}]": "notes",
	} {
		f := read(t, twoRoofs, text)
		want := []feed.Problem{{
			File: "feed", Line: f.Rows[0].Line + 1, Column: column,
			Problem: "the listing is larger than 128 KiB", Correction: "Shorten the value in this column, which is the longest.",
		}}
		if diff := cmp.Diff(want, f.Problems); diff != "" || len(f.Rows) != 2 || f.Rejected != 1 {
			t.Errorf("%d rows, %d rejected, %s", len(f.Rows), f.Rejected, diff)
		}
	}
	if f := read(t, twoRoofs, "Stock,Make,Comments\nS1,Kia,"+words(feed.MaxListing-1000)+"\n"); len(f.Rows) != 1 {
		t.Errorf("a listing below the bound is refused: %+v", f.Problems)
	}
}
