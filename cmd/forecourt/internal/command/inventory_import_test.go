package command_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// importOutcomes imports feeds one after the other into one tenant and compares all that is said of each.
func importOutcomes(t *testing.T, nats string) {
	must(t, `{"id":"outcomes","name":"Outcomes","rooftops":[{"name":"North"}]}`, "tenant", "apply", "-", nats)
	const (
		header = "Stock,Make,Price,Currency\n"
		euros  = "stdin:2: Currency: the price is not an amount in US dollars — " +
			"Write the amount in US dollars such as 24990 or $24,990, or leave it empty when there is no price.\n"
		unread = "stdin:1: warning: the column Asking Price is not used — If one holds a fact of the vehicle, give it a header that is recognised.\n" +
			"stdin:1: warning: no column is recognised as the selling price, so vehicles are listed without it — Name the column that holds it " +
			"one of these, in any case, with or without spaces: sellingprice, internetprice, price, pricecurrent.\n"
	)
	for _, c := range []struct {
		feed string
		want result
	}{
		{header + "A,Kia,9000,EUR\n", result{
			out:  "1 row: 0 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected\n",
			err:  euros + "forecourt: 1 of 1 row of stdin was rejected; nothing was imported\n",
			code: 1,
		}},
		{header + "A,Kia,9000,EUR\nB,Kia,9000,USD\nC,Kia,9000,\n", result{
			out:  "3 rows: 2 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected\n",
			err:  euros + "forecourt: 1 of 3 rows of stdin was rejected; the others are imported\n",
			code: 1,
		}},
		{"Stock,Make,Asking Price\nD,Kia,9000\n", result{
			out: "1 row: 1 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 0 rejected\n",
			err: unread,
		}},
		{"Stock;Make;Price\nD;Kia;9000\n", result{
			err: "forecourt: import stdin: the header row looks separated by semicolons (;); " +
				"export the file with commas between the values\n",
			code: 1,
		}},
	} {
		got := run(t, c.feed, "inventory", "import", "--tenant", "outcomes", "-", nats)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("%q:\n%s", c.feed, diff)
		}
	}

	got := must(t, "Stock,Make,Asking Price\nD,Kia,9000\n", "inventory", "import", "--tenant", "outcomes", "--json", "-", nats)
	type problem struct {
		Line    int
		Warning bool
	}
	warnings := decode[struct{ Problems []problem }](t, got).Problems
	if diff := cmp.Diff([]problem{{1, true}, {1, true}}, warnings); diff != "" {
		t.Errorf("--json:\n%s", diff)
	}
}

// importSeed imports the demo's own stock again.
func importSeed(t *testing.T, nats string) {
	for _, file := range []string{"../demodata/san-francisco.csv", "../demodata/oakland.json"} {
		if got := run(t, "", "inventory", "import", "--tenant", "demo-toyota", file, nats); got.code != 0 || got.err != "" {
			t.Errorf("%s: code %d, %s", file, got.code, got.err)
		}
	}
}
