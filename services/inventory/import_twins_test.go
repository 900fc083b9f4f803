package inventory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/natstest"
)

// TestImport_TwinSoldInAFileOfItsOwn_LeavesTheOther: one VIN stands at two rooftops under two stock numbers, and a later file names only the
// one that is sold.
func TestImport_TwinSoldInAFileOfItsOwn_LeavesTheOther(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	const header = "VIN,Stock,Make,Price,Status,Location\n"
	load(t, js, toyota, header+"1M8GDM9AXKP042788,A,Kia,9000,In Stock,Oakland\n1M8GDM9AXKP042788,B,Kia,9000,In Stock,San Jose\n")
	before := kinds(t, js)
	report := load(t, js, toyota, header+"1M8GDM9AXKP042788,B,Kia,9000,Sold,San Jose\n")
	if report.Delisted != 1 {
		t.Errorf("report = %+v", report)
	}
	after := kinds(t, js)
	if len(before) != 2 || before[0] == before[1] || len(after) != 3 {
		t.Fatalf("events = %v, then %v", before, after)
	}
	twin := before[1][:len(before[1])-len(" listed")] // B, in the order of the file
	if diff := cmp.Diff(twin+" delisted", after[2]); diff != "" {
		t.Error(diff)
	}
}
