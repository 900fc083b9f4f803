package inventory_test

import (
	"io"
	"testing"

	"forecourt.internal/services/inventory"
)

// The broker takes 1,000 consumers of a stream, and keeps one that was left for minutes: as many imports in that time would be the
// last ones.
func TestImportAndExport_LeaveNoConsumerBehind(t *testing.T) {
	t.Parallel()
	js := broker(t).JetStream()
	for range 2 {
		load(t, js, toyota, "VehicleID,Stock,Make,Price,Location\na,S1,Kia,9000,Oakland\nb,S2,Kia,9000,Oakland\n")
	}
	if _, err := inventory.Export(t.Context(), js, toyota.ID, io.Discard); err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "INVENTORY")
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Consumers; n != 0 {
		t.Errorf("%d consumers are left", n)
	}
}
