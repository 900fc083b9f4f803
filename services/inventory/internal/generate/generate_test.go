package generate_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/inventory/internal/generate"
)

var update = flag.Bool("update", false, "write the golden files anew")

func written(t interface{ Fatal(...any) }, cfg generate.Config) []byte {
	var out bytes.Buffer
	if err := generate.Write(&out, cfg); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// rows are the records of a feed by header.
func rows(t testing.TB, cfg generate.Config) []map[string]string {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(written(t, cfg))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]map[string]string, len(records)-1)
	for i, record := range records[1:] {
		out[i] = make(map[string]string, len(record))
		for column, value := range record {
			out[i][records[0][column]] = value
		}
	}
	return out
}

// Whoever changes the generator or its tables changes what every seed gives, on purpose: run the test with -update.
func TestWrite_SameSeed_SameBytesEverywhere(t *testing.T) {
	const golden = "testdata/first-rows.csv"
	first := written(t, generate.Config{Count: 8, Seed: 1, Rooftops: []string{"North", "Bay, South"}})
	sum := sha256.Sum256(written(t, generate.Config{Count: 20_000, Seed: 7}))
	got := append(first, hex.EncodeToString(sum[:])...)
	if *update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Error(diff)
	}
}

func TestWrite_LongerFeed_BeginsWithTheShorter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := generate.Config{
			Count:    rapid.IntRange(0, 50).Draw(t, "count"),
			Seed:     rapid.Uint64().Draw(t, "seed"),
			Rooftops: rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", "C"}), 0, 3).Draw(t, "rooftops"),
		}
		short := written(t, cfg)
		cfg.Count += rapid.IntRange(0, 50).Draw(t, "more")
		if long := written(t, cfg); !bytes.HasPrefix(long, short) {
			t.Errorf("%d rows do not begin a feed of %d", bytes.Count(short, []byte{'\n'})-1, cfg.Count)
		}
	})
}

func TestWrite_OtherSeed_OtherVehicles(t *testing.T) {
	if bytes.Equal(written(t, generate.Config{Count: 5, Seed: 1}), written(t, generate.Config{Count: 5, Seed: 2})) {
		t.Error("two seeds give the same feed")
	}
}

func TestWrite_RefusesCountsItCannotGive(t *testing.T) {
	for _, count := range []int{-1, generate.MaxCount + 1} {
		if err := generate.Write(io.Discard, generate.Config{Count: count}); err == nil {
			t.Errorf("a feed of %d vehicles was written", count)
		}
	}
}

type full struct{ room int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWrite_ReportsTheWritersError(t *testing.T) {
	for _, room := range []int{0, 100_000} {
		if err := generate.Write(&full{room}, generate.Config{Count: 1_000}); !errors.Is(err, errFull) {
			t.Errorf("error = %v, want the writer's", err)
		}
	}
}

func TestWrite_RooftopColumnOnlyWithRooftops(t *testing.T) {
	for _, c := range []struct {
		rooftops []string
		want     map[string]bool
	}{
		{nil, map[string]bool{"": true}},
		{[]string{"North", "South"}, map[string]bool{"North": true, "South": true}},
	} {
		got := make(map[string]bool)
		for _, row := range rows(t, generate.Config{Count: 100, Rooftops: c.rooftops}) {
			got[row["Location"]] = true
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWrite_MoneyAndFuelMakeSense(t *testing.T) {
	for _, row := range rows(t, generate.Config{Count: 3_000, Seed: 3}) {
		isNew, isElectric := row["Type"] == "New", row["FuelType"] == "Electric"
		for rule, holds := range map[string]bool{
			"only a new vehicle has an MSRP":                      isNew == (row["MSRP"] != ""),
			"a new vehicle is not certified":                      !isNew || row["Certified"] == "FALSE",
			"an electric vehicle has no displacement":             isElectric == (row["EngineDisplacement"] == ""),
			"an electric vehicle burns no fuel":                   isElectric == (row["CityMPG"] == ""),
			"a used vehicle has been driven":                      isNew || number(t, row["Miles"]) > 1_000,
			"a vehicle on its way has not come":                   (row["Status"] == "In Transit") == (row["DateInStock"] == ""),
			"a new vehicle costs no more than the maker asks":     !isNew || row["SellingPrice"] == "Call" || number(t, row["SellingPrice"]) <= number(t, row["MSRP"]),
			"hosts are reserved for examples":                     strings.HasPrefix(row["PhotoURLs"], "https://photos.example.com/"),
			"a description has no word that was not filled in":    !strings.ContainsAny(row["Description"], "{}"),
			"a price is one of a car that can be driven":          row["SellingPrice"] == "Call" || number(t, row["SellingPrice"]) >= 1_500,
			"a price is below what the catalog's dearest costs":   row["SellingPrice"] == "Call" || number(t, row["SellingPrice"]) <= 130_000,
			"a vehicle names its make and model":                  row["Make"] != "" && row["Model"] != "" && row["Trim"] != "",
			"a new vehicle is of this, the last or the next year": !isNew || number(t, row["Year"]) >= 2025,
		} {
			if !holds {
				t.Errorf("%s: %v", rule, row)
			}
		}
	}
}

func number(t testing.TB, text string) int {
	t.Helper()
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			t.Fatalf("%q is not a number", text)
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// mean returns the mean of a column over the rows of which keep holds and that state a number.
func mean(t testing.TB, feed []map[string]string, column string, keep func(map[string]string) bool) int {
	t.Helper()
	sum, n := 0, 0
	for _, row := range feed {
		if keep(row) && row[column] != "Call" {
			sum += number(t, row[column])
			n++
		}
	}
	if n == 0 {
		t.Fatalf("no row to average %s of", column)
	}
	return sum / n
}

func TestWrite_AgeCostsValueAndMiles(t *testing.T) {
	feed := rows(t, generate.Config{Count: 20_000, Seed: 5})
	of := func(year string) func(map[string]string) bool {
		return func(row map[string]string) bool {
			return row["Make"] == "Toyota" && row["Type"] == "Used" && row["Year"] == year
		}
	}
	years := []string{"2026", "2024", "2022", "2020", "2018", "2016"}
	for i, year := range years[1:] {
		younger := years[i]
		if old, young := mean(t, feed, "SellingPrice", of(year)), mean(t, feed, "SellingPrice", of(younger)); old >= young {
			t.Errorf("a Toyota of %s costs %d, one of %s %d", year, old, younger, young)
		}
		if old, young := mean(t, feed, "Miles", of(year)), mean(t, feed, "Miles", of(younger)); old <= young {
			t.Errorf("a Toyota of %s has %d miles, one of %s %d", year, old, younger, young)
		}
	}
}

func TestWrite_SharesAreThoseOfAMarket(t *testing.T) {
	const count = 20_000
	feed := rows(t, generate.Config{Count: count, Seed: 11})
	share := func(column, value string) int { // per mille
		n := 0
		for _, row := range feed {
			if row[column] == value {
				n++
			}
		}
		return n * 1_000 / count
	}
	for _, c := range []struct {
		column, value string
		low, high     int
	}{
		{"Status", "In Stock", 820, 890}, {"Status", "In Transit", 50, 100}, {"Status", "Pending", 30, 60}, {"Status", "Sold", 15, 40},
		{"Type", "New", 350, 410}, {"Certified", "TRUE", 60, 200},
		{"FuelType", "Gasoline", 650, 850}, {"FuelType", "Electric", 30, 100}, {"FuelType", "Hybrid", 50, 200},
		{"Make", "Toyota", 110, 170}, {"Make", "Ford", 90, 150}, {"Make", "Volvo", 3, 20},
		{"Body", "SUV", 450, 620}, {"Body", "Truck", 130, 250}, {"Body", "Sedan", 100, 250},
		{"SellingPrice", "Call", 5, 15},
	} {
		if got := share(c.column, c.value); got < c.low || got > c.high {
			t.Errorf("%s %s: %d per mille, want %d to %d", c.column, c.value, got, c.low, c.high)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	const count = 10_000
	for b.Loop() {
		if err := generate.Write(io.Discard, generate.Config{Count: count, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
