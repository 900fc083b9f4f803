package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

// addDealership adds a dealership with one rooftop, whose feeds' prices include every fee.
func addDealership(t *testing.T, p *binary.Process, id string) *agent {
	t.Helper()
	operate(t, p, "{id: "+id+", name: Feeds, rooftops: [{name: North}], feed: {price_includes_fees: true}}", "tenant", "apply", "-")
	return newAgent(p.TenantURL(id), current)
}

// stocks are the stock numbers that an agent finds, sorted.
func stocks(t *testing.T, a *agent) []string {
	t.Helper()
	var found []string
	for _, v := range walk(t, a, map[string]any{}) {
		found = append(found, v.Stock)
	}
	slices.Sort(found)
	return found
}

// servesStocks waits until an agent finds exactly these stock numbers.
func servesStocks(t *testing.T, a *agent, want ...string) {
	t.Helper()
	eventually(t, fmt.Sprintf("an agent finds %v", want), func() bool { return slices.Equal(stocks(t, a), want) })
}

func TestFeed(t *testing.T) {
	t.Parallel()
	p := binary.Start(t, "serve", t.TempDir())
	for name, test := range map[string]func(*testing.T, *binary.Process){
		"every dialect":                           everyDialect,
		"options and exit codes":                  optionsAndExitCodes,
		"an unchanged file confirms":              unchangedFileConfirms,
		"two imports of one tenant are in turn":   importsInTurn,
		"an import of an export changes nothing":  exportChangesNothing,
		"a generated feed is served":              generatedFeed,
		"output that nobody reads on is no error": brokenPipe,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, p)
		})
	}
}

func everyDialect(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "dialects")
	var want []string
	for stock, feed := range map[string]string{
		"PROVIDER": "VIN,Stock,Type,Year,Make,Model,Miles,SellingPrice,Status\n" +
			`1FTFW1E51NFA00001,PROVIDER,Used,2022,Ford,F-150,"31,400","$34,990",In Stock` + "\n",
		"SEMICOLON": "VIN;Stock;Make;Model;SellingPrice\n1FTFW1E52NFA00002;SEMICOLON;Ford;F-150;24.990,00\n",
		"TAB":       "VIN\tStock\tMake\tModel\tSellingPrice\n1FTFW1E54NFA00003\tTAB\tFord\tF-150\t24990.00 USD\n",
		"GOOGLE": "id,vin,store_code,condition,price,mileage,year,make,model,availability,link\n" +
			"GOOGLE,1FTFW1E57NFA00004,North,used,24990 USD,22150 miles,2022,Ford,F-150,in stock,https://harbor.example/google\n",
		"META": "vehicle_id,stock_number,vin,dealer_name,state_of_vehicle,price,mileage.value,mileage.unit,year,make,model,body_style,availability\n" +
			"META,META,1FTFW1E59NFA00005,North,USED,18000 USD,35000,KM,2022,Ford,F-150,TRUCK,AVAILABLE\n",
		"ARRAY": `[{"stock":"ARRAY","status":"available","condition":"used","year":2021,"make":"Honda","price":17900}]`,
		"LINES": `{"stock":"LINES","status":"available","make":"Honda"}` + "\n" + `{"stock":"LINES2","status":"sold","make":"Honda"}` + "\n",
	} {
		operate(t, p, feed, "inventory", "import", "--tenant", "dialects", "--strict", "-")
		want = append(want, stock)
	}
	slices.Sort(want)
	servesStocks(t, a, want...)
}

func optionsAndExitCodes(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "options")
	const header = "Stock,Make,Price\n"
	for _, step := range []struct {
		args []string
		feed string
		code int
		want []string
	}{
		{nil, header + "A,Kia,9000\nB,Kia,9000\n", 0, []string{"A", "B"}},
		{nil, header + "C,Kia,9000\nD,Kia,9000 EUR\n", 3, []string{"A", "B", "C"}},
		{[]string{"--strict"}, header + "E,Kia,9000\nD,Kia,9000 EUR\n", 1, []string{"A", "B", "C"}},
		{[]string{"--replace"}, header + "A,Kia,9000\nB,Kia,9000 EUR\n", 3, []string{"A", "B"}}, // a rejected row keeps its vehicle
		{[]string{"--replace"}, header, 1, []string{"A", "B"}},
		{[]string{"--dialect", "csv"}, header, 2, []string{"A", "B"}},
		{[]string{"--rooftop", "South"}, header, 2, []string{"A", "B"}},
		{nil, "no,feed\n1,2\n", 1, []string{"A", "B"}},
		{[]string{"--replace", "--allow-empty"}, header, 0, nil},
	} {
		out, errOut, code := operator(t, p, step.feed, append([]string{"inventory", "import", "--tenant", "options", "-"}, step.args...)...)
		if code != step.code {
			t.Errorf("%v %q: exit code %d, want %d\n%s%s", step.args, step.feed, code, step.code, out, errOut)
		}
		if strings.ContainsAny(out+errOut, "\r\x1b") {
			t.Errorf("%v: a pipe gets what is for terminals: %q %q", step.args, out, errOut)
		}
		servesStocks(t, a, step.want...)
	}
}

// imported is what the suite reads of an import's --json.
type imported struct {
	Rows, Listed, Updated, Delisted, Missing, Unchanged, Confirmed, Rejected int
}

func importJSON(t *testing.T, p *binary.Process, feed string, args ...string) imported {
	t.Helper()
	return decode[imported](t, []byte(operate(t, p, feed, append([]string{"inventory", "import", "--json", "-", "--tenant"}, args...)...)))
}

func unchangedFileConfirms(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "confirmed")
	const feed = "Stock,Make,Price\nA,Kia,9000\n"
	updated := func() (at time.Time) {
		for _, v := range must[struct {
			Vehicles []struct {
				UpdatedAt time.Time `json:"updated_at"`
			}
		}](t, a, "aap_inventory_search", searchArguments(map[string]any{}, "")).Vehicles {
			at = v.UpdatedAt
		}
		return at
	}
	importJSON(t, p, feed, "confirmed")
	servesStocks(t, a, "A")
	before, began := updated(), time.Now()
	if diff := cmp.Diff(imported{Rows: 1, Unchanged: 1, Confirmed: 1}, importJSON(t, p, feed, "confirmed")); diff != "" {
		t.Errorf("a file imported again:\n%s", diff)
	}
	eventually(t, "updated_at says when the file was imported again", func() bool {
		at := updated()
		return at.After(before) && !at.Before(began.Truncate(time.Second))
	})
}

func importsInTurn(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "turns")
	var feeds [2]string
	for f := range feeds {
		feeds[f] = operate(t, p, "", "inventory", "generate", "--count", "300", "--seed", fmt.Sprint(f+1))
	}
	var both sync.WaitGroup
	for _, feed := range feeds {
		both.Go(func() {
			if _, errOut, code := operator(t, p, feed, "inventory", "import", "--tenant", "turns", "--replace", "-"); code != 0 {
				t.Errorf("exit code %d: %s", code, errOut)
			}
		})
	}
	both.Wait()
	// Whichever was last, the stock is that of its file and of no other: both again change nothing and everything.
	eventually(t, "the stock is of one file", func() bool {
		n := must[page](t, a, "aap_inventory_search", searchArguments(map[string]any{}, "")).Total
		return n > 0 && n <= 300
	})
	for _, feed := range feeds {
		again := importJSON(t, p, feed, "turns", "--replace")
		if whole := again.Unchanged == again.Rows && again.Missing == 0; !whole && (again.Listed == 0 || again.Missing == 0) {
			t.Errorf("imported again: %+v; want nothing changed or all exchanged", again)
		}
	}
}

func exportChangesNothing(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "exported")
	importJSON(t, p, operate(t, p, "", "inventory", "generate", "--count", "40"), "exported")
	export := operate(t, p, "", "inventory", "export", "--tenant", "exported")
	listings := decode[[]json.RawMessage](t, []byte(export))
	eventually(t, "all of it is served", func() bool {
		return must[page](t, a, "aap_inventory_search", searchArguments(map[string]any{}, "")).Total == len(listings)
	})
	if diff := cmp.Diff(imported{Rows: len(listings), Unchanged: len(listings)}, importJSON(t, p, export, "exported", "--replace")); diff != "" {
		t.Errorf("import of an export:\n%s", diff)
	}
	if diff := cmp.Diff(export, operate(t, p, "", "inventory", "export", "--tenant", "exported")); diff != "" {
		t.Errorf("export after it:\n%s", diff)
	}
}

func generatedFeed(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "generated")
	file := filepath.Join(t.TempDir(), "feed.csv")
	operate(t, p, "", "inventory", "generate", "--count", "2000", "--seed", "7", "-o", file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := importJSON(t, p, string(text), "generated", "--strict")
	if got.Rows != 2000 || got.Rejected != 0 || got.Listed == 0 {
		t.Errorf("import = %+v", got)
	}
	eventually(t, "all of it is served", func() bool {
		return must[page](t, a, "aap_inventory_search", searchArguments(map[string]any{}, "")).Total == got.Listed
	})
}

func brokenPipe(t *testing.T, p *binary.Process) {
	line := binary.Path + ` inventory generate --count 100000 | head -1 | cut -c1-5`
	out, errOut := shell(t, line)
	if len(out) != 6 || errOut != "" {
		t.Errorf("%s: %q, %q", line, out, errOut)
	}
}
