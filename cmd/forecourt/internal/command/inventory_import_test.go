package command_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/cmd/forecourt/internal/command"
)

// importStep is an import and all that is said of it.
type importStep struct {
	args []string
	feed string
	want result
}

// importSteps imports feeds one after the other into one tenant.
func importSteps(t *testing.T, nats, tenant string, steps []importStep) {
	t.Helper()
	must(t, `{"id":"`+tenant+`","name":"Steps","rooftops":[{"name":"North"},{"name":"South"}]}`, "tenant", "apply", "-", nats)
	for _, step := range steps {
		got := run(t, step.feed, append([]string{"inventory", "import", "--tenant", tenant, "-", nats}, step.args...)...)
		if diff := cmp.Diff(step.want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("%v %q:\n%s", step.args, step.feed, diff)
		}
	}
}

// euros is what is said of a price in another currency.
func euros(line int) string {
	return fmt.Sprintf("stdin:%d: Currency: the price is not an amount in US dollars — "+
		"Write the amount in US dollars such as 24990 or $24,990, or leave it empty when there is no price.\n", line)
}

// importOutcomes compares what is said of rows that are good, bad or read with a warning.
func importOutcomes(t *testing.T, nats string) {
	const (
		header = "Stock,Make,Price,Currency,Rooftop\n"
		unread = "stdin:1: warning: the column Key Hook is not used — If one holds a fact of the vehicle, give it a header that is recognised.\n"
	)
	importSteps(t, nats, "outcomes", []importStep{
		{nil, header + "A,Kia,9000,EUR,North\n", result{
			out:  "1 row: 0 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected\n",
			err:  euros(2) + "forecourt: 1 of 1 row of stdin was rejected; nothing was imported\n",
			code: 1,
		}},
		{nil, header + "A,Kia,9000,EUR,North\nB,Kia,9000,USD,North\nC,Kia,9000,,South\n", result{
			out:  "3 rows: 2 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected\n",
			err:  euros(2) + "forecourt: 1 of 3 rows of stdin was rejected; the others are imported\n",
			code: 3,
		}},
		{nil, header + "A,Kia,9000,EUR,North\nB,Kia,9000,USD,North\n", result{
			out:  "2 rows: 0 listed, 0 updated, 0 delisted, 1 unchanged, 0 superseded, 1 rejected; 1 confirmed\n",
			err:  euros(2) + "forecourt: 1 of 2 rows of stdin was rejected; the other one changed nothing\n",
			code: 3,
		}},
		{nil, "Stock,Make,Price,Key Hook,Rooftop\nD,Kia,9000,7,North\n", result{
			out: "1 row: 1 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 0 rejected\n",
			err: unread,
		}},
	})
	got := must(t, "Stock,Make,Price,Key Hook,Rooftop\nD,Kia,9000,7,North\n", "inventory", "import", "--tenant", "outcomes", "--json", "-", nats)
	type problem struct {
		Line    int
		Warning bool
	}
	warnings := decode[struct{ Problems []problem }](t, got).Problems
	if diff := cmp.Diff([]problem{{1, true}}, warnings); diff != "" {
		t.Errorf("--json:\n%s", diff)
	}
}

// importOptions compares what the options make of a file.
func importOptions(t *testing.T, nats string) {
	const (
		header = "Stock,Make,Price,Currency,Rooftop\n"
		cars   = header + "A,Kia,9000,USD,North\nB,Kia,9000,USD,North\nC,Kia,9000,USD,South\n"
	)
	counts := func(rows, more string) string { return rows + ", 0 superseded, 0 rejected" + more + "\n" }
	nothing := "nothing was imported; it would have been "
	importSteps(t, nats, "options", []importStep{
		{[]string{"--strict"}, cars + "D,Kia,9000,EUR,South\n", result{
			out:  nothing + "4 rows: 3 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected\n",
			err:  euros(5) + "forecourt: import stdin: the file has bad rows and the import is strict: nothing was imported\n",
			code: 1,
		}},
		{[]string{"--strict"}, cars, result{out: counts("3 rows: 3 listed, 0 updated, 0 delisted, 0 unchanged", "")}},
		{[]string{"--rooftop", "north", "--replace"}, header + "A,Kia,9000,USD,North\n", result{
			out: counts("1 row: 0 listed, 0 updated, 0 delisted, 1 unchanged", "; 1 confirmed; 1 not in the file, delisted"),
		}},
		{[]string{"--rooftop", "East"}, cars, result{
			err: `forecourt: tenant options has no rooftop "East" (--rooftop); use "North" or "South"` + "\n" +
				"Run 'forecourt inventory import --help' for usage.\n",
			code: 2,
		}},
		{[]string{"--rooftop", "", "--replace"}, cars, result{
			err: "forecourt: --rooftop is empty; name the rooftop that the file is of, or leave the flag out when it is of all\n" +
				"Run 'forecourt inventory import --help' for usage.\n",
			code: 2,
		}},
		{nil, header, result{out: counts("0 rows: 0 listed, 0 updated, 0 delisted, 0 unchanged", "")}},
		{[]string{"--replace"}, header, result{
			out: nothing + counts("0 rows: 0 listed, 0 updated, 0 delisted, 0 unchanged", "; 2 not in the file, delisted"),
			err: "forecourt: import stdin: the file lists no vehicle for sale and would take all of them off sale: nothing was imported" +
				"; --allow-empty imports it nevertheless\n",
			code: 1,
		}},
		{[]string{"--replace", "--allow-empty"}, header + "A,Kia,9000,EUR,North\n", result{
			out: "1 row: 0 listed, 0 updated, 0 delisted, 0 unchanged, 0 superseded, 1 rejected; 1 not in the file, delisted\n",
			err: euros(2) + "forecourt: 1 of 1 row of stdin was rejected; vehicles that the file does not name are delisted\n", code: 3,
		}},
		{[]string{"--replace", "--allow-empty"}, header, result{
			out: counts("0 rows: 0 listed, 0 updated, 0 delisted, 0 unchanged", "; 1 not in the file, delisted"),
		}},
	})
	got := run(t, header, "inventory", "import", "--tenant", "options", "--replace", "--json", "-", nats)
	if refused := decode[struct{ Error string }](t, got.out).Error; got.code != 1 || refused == "" {
		t.Errorf("a refusal with --json: code %d, %s", got.code, got.out)
	}
}

// interruptImport presses Ctrl-C while the rest of standard input is still to come.
func interruptImport(t *testing.T, nats string) {
	must(t, `{"id":"interrupted","name":"Interrupted","rooftops":[{"name":"North"}]}`, "tenant", "apply", "-", nats)
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	defer feed.Close()
	var out, errOut bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- command.Main(ctx, []string{"inventory", "import", "--tenant", "interrupted", "-", nats}, in, &out, &errOut)
	}()
	if _, err := io.WriteString(feed, "Stock,Make\nA,Kia\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	want := "forecourt: interrupted: no event is known to be published; import stdin again to complete the work\n"
	if code := <-ended; code != 130 || errOut.String() != want || out.String() != "" {
		t.Errorf("code %d, out %q, err %q; want 130 and %q", code, &out, &errOut, want)
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
