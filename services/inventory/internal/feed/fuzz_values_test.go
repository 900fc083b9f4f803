package feed

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"forecourt.internal/platform/tenant"
)

// parsers are all that read a value of one kind.
var parsers = map[string]parser{
	"money": parseMoney, "whole": parseWhole, "year": parseYear, "decimal": parseDecimal, "displacement": parseDisplacement,
	"miles":      func(text string) (any, *badValue) { return parseMileage(text, miles) },
	"kilometres": func(text string) (any, *badValue) { return parseMileage(text, kilometres) },
	"vin":        parseVIN, "date": parseDate, "url": parseURL, "photos": parsePhotos, "features": parseFeatures, "fees": parseFees,
	"text": parseText, "enum": parseEnum, "description": parseDescription, "bool": parseBool,
}

// FuzzValues holds every parser to what its callers rely on: it says a value, nothing, or what is wrong and how to correct it, and reads
// what it says as the same again.
func FuzzValues(f *testing.F) {
	for _, text := range []string{
		"$24,990", "24.990,00", "24'990.5k", "35 000 km", "1.23E+16", "1M8GDM9AXKP042788", "2.5L", "31.01.2026", "01/31/2026 10:00 PM",
		"https://a.example/1.jpg, https://a.example/2.jpg", `["https://a.example/1.jpg"]`, "<ul><li>a</li></ul>", "PLUGIN_HYBRID", `[{"name":"a","amount":1}]`,
		"R&amp;D|x", "\u00a024\u202f990", "N/A", "Call us",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text = strings.TrimSpace(text); !utf8.ValidString(text) || isAbsent(text) {
			return // never handed to a parser
		}
		for name, parse := range parsers {
			value, err := parse(text)
			if err != nil {
				if value != nil || err.problem == "" || err.correction == "" {
					t.Errorf("%s of %q is %v and %+v", name, text, value, err)
				}
				continue
			}
			soundValue(t, name, parse, value)
		}
	})
}

func soundValue(t *testing.T, name string, parse parser, value any) {
	switch value := value.(type) {
	case json.Number:
		n, err := value.Float64()
		if err != nil || n < 0 || n > 1e15 || name != "decimal" && n != math.Trunc(n) {
			t.Errorf("%s: %s", name, value)
		}
		if again, err := parse(value.String()); name != "kilometres" && name != "displacement" && (err != nil || again != value) {
			t.Errorf("%s: %s becomes %v, %+v", name, value, again, err)
		}
	case string:
		if value == "" || !utf8.ValidString(value) {
			t.Errorf("%s: %q", name, value)
		}
		if again, err := parse(value); (name == "vin" || name == "date" || name == "url") && (err != nil || again != value) {
			t.Errorf("%s: %q becomes %v, %+v", name, value, again, err)
		}
	case []any:
		if len(value) == 0 && name != "fees" {
			t.Errorf("%s: an empty list", name)
		}
	}
}

// FuzzLayout holds recognition and mapping to their rules for any header row and any mapping: a column holds one fact at most once, a
// field that is mapped has no other columns, and the order of columns does not change the dialect.
func FuzzLayout(f *testing.F) {
	f.Add("VIN,Stock,Make,Model,Price", "", "")
	f.Add("vehicle_id,vin,status,price,list_price", "price", "Price")
	f.Add("vin,id,make,image[0].url,image[1].url,store_code", "photos", "image[1].url")
	f.Add("Lot,Brand,,Lot,x", "stock", "lot")
	f.Fuzz(func(t *testing.T, text, name, mapped string) {
		header := strings.Split(text, ",")
		if len(header) > 200 {
			return
		}
		doc := &tenant.Document{ID: "demo", Rooftops: []tenant.Rooftop{{Name: "Main"}}}
		target, isMapped := mappedFields[name]
		if isMapped {
			doc.Feed.Mapping = map[string]tenant.HeaderNames{name: {mapped}}
		}
		l, err := newLayout(header, Settings{Tenant: doc})
		if err != nil {
			return
		}
		for f, columns := range l.at {
			seen := make(map[int]bool)
			for _, i := range columns {
				if seen[i] {
					t.Errorf("column %d stands twice in field %d", i, f)
				}
				seen[i] = true
			}
		}
		if isMapped && tenant.HeaderKey(mapped) != "" {
			soundMapping(t, l, target.field, mapped)
		}
		reversed := make([]string, len(header))
		for i, h := range header {
			reversed[len(header)-1-i] = h
		}
		if other, err := newLayout(reversed, Settings{Tenant: doc}); err != nil || other.dialect != l.dialect {
			t.Errorf("%q is %s, and reversed %+v, %v", header, l.dialect, other, err)
		}
	})
}

func soundMapping(t *testing.T, l *layout, target field, mapped string) {
	for f, columns := range l.at {
		for _, i := range columns {
			if isMapped := tenant.HeaderKey(l.header[i]) == tenant.HeaderKey(mapped); isMapped != (field(f) == target) {
				t.Errorf("column %q, field %d, mapped to %d", l.header[i], f, target)
			}
		}
	}
}
