package vehicle

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"forecourt.internal/contract"
)

// typical is a listing of ordinary length as importers write it.
var typical = []byte(`{"vehicle_id":"4T1DAACK5SU512044","vin":"4T1DAACK5SU512044","stock":"T5120","rooftop":"Demo Toyota Oakland",` +
	`"vehicle_type":"car","body":"Sedan","year":2025,"make":"Toyota","model":"Camry","trim":"XSE","condition":"new","status":"available",` +
	`"msrp":35200,"list_price":33900,"price":33985,"fees":[{"amount":85,"name":"Documentation fee"}],"mileage":14,` +
	`"transmission":"8-speed automatic","driveline":"FWD","engine":"2.5L I4 hybrid","displacement_cc":2487,"fuel":"Hybrid","city_mpg":44,` +
	`"highway_mpg":43,"electric_range_mi":1.5,"dc_fast_charge":false,"charge_port":null,"exterior_color":"Ocean Gem",` +
	`"interior_color":"Black SofTex","features":["Adaptive cruise control","Heated front seats","Panoramic roof","Blind-spot monitor",` +
	`"Wireless charging"],"photos":["https://img.demo-toyota.example/t5120/1.jpg?w=1024&h=768","https://img.demo-toyota.example/t5120/2.jpg",` +
	`"https://img.demo-toyota.example/t5120/3.jpg"],"vdp_url":"https://demo-toyota.example/new/2025-toyota-camry-xse/t5120",` +
	`"description":"New Camry XSE in dealer stock, ready to drive.\nOne look at the “Ocean Gem” paint tells you why this one goes fast: ` +
	`panoramic roof, heated seats and 44 mpg in the city.","other_attributes":{"packages":["Cold weather"],"towing_lbs":1500},` +
	`"inventory_date":"2026-03-02","updated_at":"2026-04-30T08:42:00.123456Z"}`)

var typicalEvidence = Evidence{Source: "feed:provider", ObservedAt: time.Date(2026, 4, 30, 8, 41, 0, 0, time.UTC), EventID: "01JT3F6Q5X"}

var validator = sync.OnceValue(func() *contract.Validator {
	check, err := contract.NewValidator()
	if err != nil {
		panic(err)
	}
	return check
})

// agree fails unless the slow path says the same as the fast one, where that says anything.
func agree(t interface {
	Errorf(format string, args ...any)
}, text []byte, e Evidence) (fast bool) {
	before := bytes.Clone(text)
	got := parseFast(text, e)
	if got != nil {
		want, err := parseSlow(text, e, validator())
		if err != nil {
			t.Errorf("%s is taken; the slow path says %v", text, err)
			return true
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s (-slow +fast)\n%s", text, diff)
		}
		if cap(got.JSON) != len(got.JSON) && cap(got.JSON) > len(got.JSON)+len(got.JSON)/4 {
			t.Errorf("%d bytes are kept in %d", len(got.JSON), cap(got.JSON))
		}
	}
	agreeOnFacts(t, text)
	if !bytes.Equal(before, text) {
		t.Errorf("the text was changed to %s", text)
	}
	return got != nil
}

// agreeOnFacts holds the scan that checks no rules against the decoder of the contract.
func agreeOnFacts(t interface {
	Errorf(format string, args ...any)
}, text []byte) {
	var at layout
	s := scanner{text: text}
	if !s.vehicle(&at, nil) {
		return
	}
	v, err := decode(text)
	if err != nil {
		t.Errorf("%s is canonical; the decoder says %v", text, err)
		return
	}
	if whole, err := v.JSON(); err != nil || string(whole) != string(text) {
		t.Errorf("%s is canonical; the encoder writes %s, %v", text, whole, err)
	}
	if got, ok := identifyFast(text); ok && got != (Identity{v.Text("vehicle_id"), v.Text("vin"), v.Text("stock")}) {
		t.Errorf("%s is identified as %+v", text, got)
	}
	delete(v, "updated_at")
	delete(v, "evidence")
	want, err := v.JSON()
	if err != nil {
		t.Errorf("encode facts: %v", err)
	}
	if got, err := appendFacts(nil, text); err != nil || string(got) != string(want) {
		t.Errorf("facts of %s are %s, %v; want %s", text, got, err, want)
	}
}

func TestParse_TypicalListing_TakesTheFastPath(t *testing.T) {
	if !agree(t, typical, typicalEvidence) {
		t.Fatal("the slow path is taken")
	}
	l := parseFast(typical, typicalEvidence)
	for want, span := range map[string]Span{"2026-04-30T08:42:00.123456Z": l.UpdatedAtText, "2026-04-30T08:41:00Z": l.ObservedAtText} {
		if got := string(l.JSON[span.Start:span.End]); got != want {
			t.Errorf("a span is at %s, want %s", got, want)
		}
	}
}

// TestParse_EdgesOfTheRules changes one member of the typical listing at a time.
func TestParse_EdgesOfTheRules(t *testing.T) {
	for _, c := range []struct {
		was, is string
		fast    bool
	}{
		{`"year":2025`, `"year":1900`, true}, {`"year":2025`, `"year":2101`, false}, {`"year":2025`, `"year":1899`, false},
		{`"price":33985`, `"price":0`, true}, {`"price":33985`, `"price":-1`, false}, {`"price":33985`, `"price":-0`, false},
		{`"price":33985`, `"price":33985.5`, false}, {`"price":33985`, `"price":33985.0`, false}, {`"price":33985`, `"price":033985`, false},
		{`"price":33985`, `"price":3e4`, false}, {`"price":33985`, `"price":"33985"`, false}, {`"price":33985`, `"price":1234567890123456`, false},
		{`"electric_range_mi":1.5`, `"electric_range_mi":1.50`, true}, {`"electric_range_mi":1.5`, `"electric_range_mi":-1.5`, false},
		{`"electric_range_mi":1.5`, `"electric_range_mi":1.0`, false}, {`"electric_range_mi":1.5`, `"electric_range_mi":1.`, false},
		{`"vin":"4T1DAACK5SU512044"`, `"vin":"4T1DAACK5SU51204"`, false}, {`"vin":"4T1DAACK5SU512044"`, `"vin":"4T1DAACK5SU51204O"`, false},
		{`"condition":"new"`, `"condition":"cpo"`, true}, {`"condition":"new"`, `"condition":"good"`, false},
		{`"status":"available"`, `"status":"sold"`, false}, {`"status":"available",`, ``, false},
		{`"vehicle_type":"car",`, ``, true}, {`"vehicle_type":"car"`, `"vehicle_type":"boat"`, false},
		{`,"updated_at":"2026-04-30T08:42:00.123456Z"`, ``, false}, {`08:42:00.123456Z`, `08:42:00+02:00`, true},
		{`08:42:00.123456Z`, `08:42:00`, false}, {`2026-04-30T`, `2026-04-31T`, false},
		{`"2026-03-02"`, `"2026-02-29"`, false}, {`"2026-03-02"`, `"2026-12-31"`, true}, {`"2026-03-02"`, `"2026-11-31"`, false},
		{`"2026-03-02"`, `"2026-3-2"`, false}, {`"2026-03-02"`, `"0000-00-02"`, false},
		{`"amount":85`, `"amount":-85`, false}, {`"Documentation fee"`, `""`, false}, {`"Documentation fee"`, `"` + strings.Repeat("é", 120) + `"`, true},
		{`"Documentation fee"`, `"` + strings.Repeat("é", 121) + `"`, false},
		{`"name":"Documentation fee"}`, `"name":"Doc"},{"amount":1,"name":"Doc"}`, false}, {`"name":"Documentation fee"}`, `"name":"Doc","x":1}`, false},
		{`"charge_port":null`, `"charge_port":"NACS"`, true}, {`"rooftop":"Demo Toyota Oakland"`, `"rooftop":null`, true},
		{`"trim":"XSE"`, `"trim":null`, false}, {`"dc_fast_charge":false`, `"dc_fast_charge":true`, true}, {`"dc_fast_charge":false`, `"dc_fast_charge":0`, false},
		{`["Cold weather"]`, `[["Cold weather"]]`, false}, {`["Cold weather"]`, `null`, false}, {`["Cold weather"]`, `[true,1.5,"x"]`, true},
		{`"towing_lbs":1500`, `"a":1500`, false}, {`"Heated front seats"`, `"Heated \"front\" seats\\"`, true}, {`"Heated front seats"`, `"\u0041"`, false},
		{`"Heated front seats"`, `"a/b"`, true}, {`"Heated front seats"`, `"a\/b"`, false}, {`"Heated front seats"`, "\"\t\"", false}, {`"Heated front seats"`, "\"\xff\"", false},
		{`t5120/2.jpg`, `%C3%A9.jpg`, true}, {`t5120/2.jpg`, `%zz.jpg`, false}, {`https://img.demo-toyota.example/t5120/2.jpg`, `2.jpg`, false},
		{`"trim":"XSE"`, `"model":"Camry"`, false}, {`"trim":"XSE"`, `"trim": "XSE"`, false}, {`"trim":"XSE"`, `"Trim":"XSE"`, false},
		{`123456Z"}`, `123456Z","alpha":{"a":[null,{}],"b":-1},"zeta":""}`, true}, {`123456Z"}`, `123456Z","zeta":1,"alpha":1}`, false},
		{`123456Z"}`, `123456Z","zeta":{"b":1,"a":1}}`, false}, {`123456Z"}`, `123456Z","zeta":1,"notes":""}`, false},
		{`123456Z"}`, `123456Z","evidence":{}}`, false}, {`123456Z"}`, `123456Z"} `, false}, {`123456Z"}`, `123456Z",}`, false},
		{`123456Z"}`, `123456Z","z":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, false},
	} {
		text := bytes.Replace(typical, []byte(c.was), []byte(c.is), 1)
		if bytes.Equal(text, typical) {
			t.Fatalf("%s does not occur", c.was)
		}
		if got := agree(t, text, typicalEvidence); got != c.fast {
			t.Errorf("%s for %s: fast = %t, want %t", c.is, c.was, got, c.fast)
		}
	}
}

func TestParse_OddEvidence_IsTheSlowPathsToJudge(t *testing.T) {
	for name, e := range map[string]Evidence{
		"a year of five digits": {Source: "s", ObservedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"no UTF-8":              {Source: "\xff", ObservedAt: typicalEvidence.ObservedAt},
		"quotes":                {Source: `"\` + "\n", ObservedAt: typicalEvidence.ObservedAt.Add(1234 * time.Nanosecond), EventID: "é"},
		"nothing":               {},
	} {
		t.Run(name, func(t *testing.T) { agree(t, typical, e) })
	}
}

// samples are values of every kind, right and wrong ones for each member.
var samples = []string{
	`null`, `true`, `false`, `0`, `-1`, `14`, `2025`, `1.5`, `25000.0`, `1e3`, `-0`, `12345678901234567890`, `""`, `"Kia"`, `"é\"\n"`, `"\u0001"`,
	`"4T1DAACK5SU512044"`, `"new"`, `"cpo"`, `"good"`, `"available"`, `"pending"`, `"sold"`, `"car"`, `"2026-03-02"`, `"2026-04-30T08:42:00Z"`,
	`"2026-04-30T08:42:00.5+02:00"`, `"1990-12-31T23:59:60z"`, `"https://a.example/1.jpg"`, `"http://a.example:80/%41?b"`, `"ftp://x"`, `"http://a b"`, `[]`, `{}`,
	`["Kia","\\"]`, `[1,null]`, `["https://a.example","http://b.example/x"]`, `[{"amount":85,"name":"Doc"}]`, `[{"name":"Doc","amount":85}]`,
	`[{"amount":85,"name":"Doc"},{"amount":1,"name":"Doc"}]`, `{"a":1,"b":["x",true]}`, `{"b":1,"a":{}}`, `[[[]]]`,
}

func drawVehicle(t *rapid.T) []byte {
	names := slices.Clone(members[:])
	names = append(names, "alpha", "Make", "zeta")
	value := rapid.SampledFrom(samples)
	var b strings.Builder
	separator := `{`
	for _, name := range names {
		text := `"available"`
		switch {
		case (name == "status" || name == "updated_at") && rapid.IntRange(0, 9).Draw(t, "required") > 0:
			if name == "updated_at" {
				text = `"2026-04-30T08:42:00Z"`
			}
		case rapid.IntRange(0, 9).Draw(t, "given") > 2:
			continue
		default:
			text = value.Draw(t, name)
		}
		b.WriteString(separator + `"` + name + `":` + text)
		separator = `,`
	}
	return []byte(b.String() + `}`)
}

func TestParse_FastPathAgreesWithTheSlowOne(t *testing.T) {
	fast := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawVehicle(t)
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0: // as drawn
		case 1: // as an importer would write it
			if v, err := decode(text); err == nil {
				delete(v, "evidence")
				text, _ = v.JSON()
			}
		case 2: // only what is valid for each member, canonical
			text = validMembers(text)
		case 3: // with a byte changed
			text = bytes.Clone(typical)
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if agree(t, text, typicalEvidence) {
			fast++
		}
	})
	if fast == 0 {
		t.Error("the fast path was never taken")
	}
}

// validMembers drops the members that make a vehicle invalid as a listing.
func validMembers(text []byte) []byte {
	v, err := decode(text)
	if err != nil {
		return text
	}
	delete(v, "evidence")
	for name, value := range v {
		alone := map[string]any{"status": "available", "updated_at": "2026-04-30T08:42:00Z", name: value}
		if validator().Listing(alone) != nil {
			delete(v, name)
		}
	}
	out, err := v.JSON()
	if err != nil {
		return text
	}
	return out
}

func FuzzParse(f *testing.F) {
	f.Add(typical)
	for _, sample := range samples {
		f.Add([]byte(`{"status":"available","updated_at":"2026-04-30T08:42:00Z","x":` + sample + `}`))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		text := bytes.Clone(typical)
		text[r.IntN(len(text))] = byte(r.IntN(256))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { agree(t, text, typicalEvidence) })
}

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if parseFast(typical, typicalEvidence) == nil {
			b.Fatal("slow")
		}
	}
}

func BenchmarkFactsSum(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FactsSum(typical); err != nil {
			b.Fatal(err)
		}
	}
}
