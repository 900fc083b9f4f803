package inventory_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/inventory"
)

func TestImport_ForgottenQuoteAndHugeRow_OthersGoIn(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	report := load(t, js, lexus, "VehicleID,Stock,Make,Price,Description\r"+
		"a,A,Kia,9000,\"forgotten\rb,B,Kia,9000,\""+strings.Repeat("huge ", 40_000)+"\"\rc,C,Kia,9000,ok\r")
	want := inventory.Report{Rows: 3, Listed: 1, Rejected: 2, Problems: []inventory.RowProblem{{
		File: "feed", Line: 2, Column: "Description", Problem: "the quote that opens the value in this column is never closed",
		Correction: "Put a double quote at the end of the value, right before the separator or the end of the line, and double the quotes inside.",
	}, {
		File: "feed", Line: 3, Column: "Description", Problem: "the listing is larger than 128 KiB",
		Correction: "Shorten the value in this column, which is the longest.",
	}}}
	if diff := diffReport(want, report); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"demo-lexus.c listed"}, kinds(t, js)); diff != "" {
		t.Error(diff)
	}
}

// smallPayload connects to a broker that takes messages up to a size.
func smallPayload(t *testing.T, limit int32) jetstream.JetStream {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), MaxPayload: limit, NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the broker did not start")
	}
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func TestImport_RowThatTheBrokerWouldRefuse_IsABadRow(t *testing.T) {
	t.Parallel()
	const limit = 16 << 10
	js := smallPayload(t, limit)
	var rows []string
	for size := limit / 2; size < limit+100; size += 50 {
		id := fmt.Sprintf("%064d", size) // as long as an id can be
		rows = append(rows, fmt.Sprintf(`{"vehicle_id":%q,"status":"pending","description":%q}`, id, strings.Repeat("x", size)))
	}
	report := load(t, js, lexus, "["+strings.Join(rows, ",\n")+"]")
	if report.Rows != len(rows) || report.Listed == 0 || report.Rejected == 0 || report.Listed+report.Rejected != len(rows) {
		t.Errorf("of %d rows %d were listed and %d rejected", len(rows), report.Listed, report.Rejected)
	}
	if n := len(kinds(t, js)); n != report.Listed {
		t.Errorf("%d events are stored, %d were reported", n, report.Listed)
	}
}

// TestImport_ReportHoldsNoValue puts a word into every value of bad rows and looks for it in what the import says.
func TestImport_ReportHoldsNoValue(t *testing.T) {
	t.Parallel()
	const canary = "Canary4711"
	js := natstest.Start(t).JetStream()
	headers := strings.Split("VehicleID,VIN,VehicleVIN,Stock,Stock,StockNo,Location,Type,Certified,Status,InTransit,Year,Price,MSRP,Miles,"+
		"Cylinders,Displacement,CityMPG,Photos,VDP,DateInStock,UpdatedAt,Make,Description", ",")
	header := strings.Join(headers, ",") + "\n"
	row := strings.Repeat(canary+",", len(headers)-1) + canary
	feeds := []string{
		header + row + "\n" + row + ",more\n" + row + `"` + "\n",
		header + row[:len(row)-len(canary)] + `"` + canary + "\n" + row + "\n",
		header + row[:len(row)-len(canary)] + `"` + canary + "\n" + row + "\"\n" + row,
		header + row[:len(row)-len(canary)] + strings.Repeat(canary, 20_000) + "\n",
		header + row + "\xff\n",
		header + `"` + canary + `",` + canary,
		canary + "\n", canary + "," + canary + "\n" + row, `VIN,Make,"` + canary,
	}
	for _, member := range []string{
		"vehicle_id", "vin", "stock", "rooftop", "status", "condition", "year", "price", "mileage", "photos", "vdp_url", "fees", "inventory_date",
		"updated_at", "dealer_id", "other_attributes",
	} {
		for _, value := range []string{`"` + canary + ` \u0000"`, `["` + canary + `"]`, `[{"name":"` + canary + `"}]`} {
			feeds = append(feeds, fmt.Sprintf(`[{"stock":"S1","status":"pending",%q:%s,%[1]q:%[2]s},{"stock":"S1","status":"pending",%[1]q:%[2]s}]`, member, value),
				fmt.Sprintf(`[{"stock":"S1","status":"pending",%q:%s`, member, value))
		}
	}
	for _, text := range feeds {
		var log lockedBuffer
		report, err := inventory.Import(t.Context(), js, inventory.ImportConfig{Tenant: toyota, File: "f", Logger: slog.New(slog.NewTextHandler(&log, nil))}, strings.NewReader(text))
		said, jsonErr := json.Marshal(report)
		if jsonErr != nil {
			t.Fatal(jsonErr)
		}
		if all := fmt.Sprint(string(said), err, log.String()); strings.Contains(strings.ToLower(all), strings.ToLower(canary[:6])) {
			t.Errorf("%.300q: the import says %s", text, all)
		}
		if err == nil && report.Rejected == 0 && report.Superseded == 0 && len(report.Problems) == 0 && text[0] != '[' {
			t.Errorf("%.300q: nothing is wrong", text)
		}
	}
}
