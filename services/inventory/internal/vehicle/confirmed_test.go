package vehicle_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

func TestConfirmed_ShowsTheLaterTimes(t *testing.T) {
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	day := func(d int) time.Time { return time.Date(2026, 5, d, 4, 0, 0, 1000, time.FixedZone("", 3600)) }
	evidence := vehicle.Evidence{Source: "feed:x", ObservedAt: day(3), EventID: "e"}
	l, err := vehicle.Parse([]byte(`{"vehicle_id":"v","status":"available","updated_at":"2026-05-05T00:00:00+02:00","zz":"é"}`), evidence, check)
	if err != nil {
		t.Fatal(err)
	}
	const own, observed = "2026-05-05T00:00:00+02:00", "2026-05-03T03:00:00.000001Z"
	for at, want := range map[time.Time][2]string{
		{}:     {own, observed},
		day(3): {own, observed},
		day(4): {own, "2026-05-04T03:00:00.000001Z"},
		day(5): {"2026-05-05T03:00:00.000001Z", "2026-05-05T03:00:00.000001Z"},
	} {
		wantJSON := `{"vehicle_id":"v","status":"available","updated_at":"` + want[0] +
			`","evidence":{"event_id":"e","observed_at":"` + want[1] + `","source":"feed:x"},"zz":"é"}`
		if diff := cmp.Diff(wantJSON, string(l.Confirmed(at))); diff != "" {
			t.Errorf("%s: %s", at, diff)
		}
	}
}
