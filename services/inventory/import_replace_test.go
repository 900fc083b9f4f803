package inventory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory"
)

// as imports a feed with options.
func as(t *testing.T, js jetstream.JetStream, doc *tenant.Document, feed string, change func(*inventory.ImportConfig)) (inventory.Report, error) {
	t.Helper()
	cfg := inventory.ImportConfig{Tenant: doc, File: "feed", Logger: quiet}
	change(&cfg)
	return inventory.Import(t.Context(), js, cfg, strings.NewReader(feed))
}

func replace(cfg *inventory.ImportConfig) { cfg.Replace = true }

const threeOfTwoRoofs = "VehicleID,Stock,Location,Make\na,A,Oakland,Kia\nb,B,Oakland,Kia\nc,C,San Jose,Kia\n"

func TestImport_Replace_DelistsWhatTheFileDoesNotName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		feed   string
		change func(*inventory.ImportConfig)
		want   inventory.Report // without problems
		then   []string         // the events of vehicles that it adds
	}{
		"missing vehicles": {
			"VehicleID,Stock,Location,Make\nb,B,Oakland,Kia\n", nil,
			inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1, Missing: 2}, []string{"a delisted", "c delisted"}},
		"none missing": {
			threeOfTwoRoofs, nil, inventory.Report{Rows: 3, Unchanged: 3, Confirmed: 3}, nil},
		"a sold vehicle is named": {
			"VehicleID,Stock,Location,Make,Status\nb,B,Oakland,Kia,in stock\nc,C,San Jose,Kia,sold\n", nil,
			inventory.Report{Rows: 2, Unchanged: 1, Confirmed: 1, Delisted: 1, Missing: 1}, []string{"c delisted", "a delisted"}},
		"of one rooftop": {
			"VehicleID,Stock,Make\nb,B,Kia\n", func(cfg *inventory.ImportConfig) { cfg.Rooftop = " OAKLAND " },
			inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1, Missing: 1}, []string{"a delisted"}},
		"a rejected row names its vehicle": {
			"VehicleID,Stock,Location,Make,Year\nb,B,Oakland,Kia,\nc,C,San Jose,Kia,old\n", nil,
			inventory.Report{Rows: 2, Unchanged: 1, Confirmed: 1, Rejected: 1, Missing: 1}, []string{"a delisted"}},
		"a rejected row may be of any vehicle": {
			"VehicleID,Stock,Location,Make,Year\nb,B,Oakland,Kia,\n,,San Jose,Kia,\n", nil,
			inventory.Report{Rows: 2, Unchanged: 1, Confirmed: 1, Rejected: 1, MissingKept: 2}, nil},
		"an empty file that may be": {
			"VehicleID,Stock,Make,Price\n", func(cfg *inventory.ImportConfig) { cfg.AllowEmpty = true },
			inventory.Report{Missing: 3}, []string{"a delisted", "b delisted", "c delisted"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js := natstest.Start(t).JetStream()
			load(t, js, toyota, threeOfTwoRoofs)
			report, err := as(t, js, toyota, c.feed, func(cfg *inventory.ImportConfig) {
				cfg.Replace = true
				if c.change != nil {
					c.change(cfg)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			report.Problems = nil
			if diff := diffReport(c.want, report); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.then, vehicleKinds(t, js)[3:], cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// vehicleKinds are vehicle and kind of every event of a vehicle.
func vehicleKinds(t *testing.T, js jetstream.JetStream) []string {
	t.Helper()
	var out []string
	for _, kind := range kinds(t, js) {
		if _, of, _ := strings.Cut(kind, "."); !strings.HasPrefix(of, "~") {
			out = append(out, of)
		}
	}
	return out
}

func TestImport_WholeFilesThatAreRefused_SayWhatTheyWouldDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		feed   string
		change func(*inventory.ImportConfig)
		want   inventory.Report // without problems
		err    error
	}{
		"replace by nothing": {"VehicleID,Stock,Make,Price\n", replace, inventory.Report{Missing: 3}, inventory.ErrListsNothing},
		"replace by sold vehicles": {"VehicleID,Stock,Make,Status\na,A,Kia,sold\n", replace,
			inventory.Report{Rows: 1, Delisted: 1, Missing: 2}, inventory.ErrListsNothing},
		"strict with a bad row": {"VehicleID,Stock,Location,Make,Year\na,A,Oakland,Kia,old\nb,B,Oakland,Kia,\nd,D,Oakland,Kia,2020\n",
			func(cfg *inventory.ImportConfig) { cfg.Strict = true },
			inventory.Report{Rows: 3, Listed: 1, Unchanged: 1, Confirmed: 1, Rejected: 1}, inventory.ErrBadRows},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js := natstest.Start(t).JetStream()
			load(t, js, toyota, threeOfTwoRoofs)
			report, err := as(t, js, toyota, c.feed, c.change)
			if !errors.Is(err, c.err) {
				t.Errorf("err = %v, want %v", err, c.err)
			}
			report.Problems = nil
			if diff := diffReport(c.want, report); diff != "" {
				t.Error(diff)
			}
			if n := len(messages(t, js)); n != 3 {
				t.Errorf("%d events were published", n-3)
			}
		})
	}
}

func TestImport_Strict_TakesAFileWithWarnings(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	report, err := as(t, js, lexus, "VehicleID,Stock,Make,Price,Type,Miles\na,A,Kia,1,Used,0\n", func(cfg *inventory.ImportConfig) { cfg.Strict = true })
	if err != nil || report.Listed != 1 || len(report.Problems) != 1 {
		t.Errorf("err = %v, report = %+v", err, report)
	}
}

func TestImport_EmptyFile_ChangesNothing(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	load(t, js, toyota, threeOfTwoRoofs)
	for _, text := range []string{"VehicleID,Stock,Make,Price\n", "[]"} {
		if diff := diffReport(inventory.Report{}, load(t, js, toyota, text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if n := len(messages(t, js)); n != 3 {
		t.Errorf("%d events were published", n-3)
	}
}

func TestImport_OfARooftopThatIsNone_IsRefused(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	_, err := as(t, js, toyota, threeOfTwoRoofs, func(cfg *inventory.ImportConfig) { cfg.Rooftop = "Fresno" })
	if err == nil || !strings.Contains(err.Error(), "Oakland, San Jose") || strings.Contains(err.Error(), "Fresno") {
		t.Errorf("err = %v, want one that names the rooftops", err)
	}
}

func TestImport_TellsItsProgress(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	var got []inventory.Progress
	progress := func(cfg *inventory.ImportConfig) {
		cfg.Progress = func(p inventory.Progress) {
			if n := len(got); n > 0 && got[n-1].Stage == p.Stage {
				got = got[:n-1] // keep the last of each stage
			}
			got = append(got, p)
		}
	}
	if _, err := as(t, js, toyota, threeOfTwoRoofs, progress); err != nil {
		t.Fatal(err)
	}
	size := int64(len(threeOfTwoRoofs))
	want := []inventory.Progress{{Stage: "waiting"}, {Stage: "reading", Done: size}, {Stage: "comparing"}, {Stage: "publishing", Done: 3, Total: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
