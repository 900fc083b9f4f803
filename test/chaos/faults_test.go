package chaos

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var someTargets = Targets{
	Kill: []string{"edge-1", "leads-1", "nats-1", postgres}, Pause: []string{"edge-1", "leads-1", "nats-1"}, Links: []string{"edge-1>leads", "leads-1>nats"},
}

func TestPlan_IsWhatItsSeedGives(t *testing.T) {
	one, two := Plan(7, time.Minute, Lease, someTargets), Plan(7, time.Minute, Lease, someTargets)
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("the same seed:\n%s", diff)
	}
	if cmp.Equal(one, Plan(8, time.Minute, Lease, someTargets)) {
		t.Error("another seed gives the same faults")
	}
}

func TestPlan_EveryFaultEnds_OneOfATargetAtATime_AFewAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(2*time.Minute)).Draw(t, "duration"))
		plan := Plan(rapid.Uint64().Draw(t, "seed"), d, Lease, someTargets)
		for i, f := range plan {
			if f.For <= 0 || f.At+f.For > d {
				t.Errorf("%+v does not end within %s", f, d)
			}
			others := slices.DeleteFunc(slices.Clone(plan[:i]), func(g Fault) bool { return g.At+g.For <= f.At })
			if len(others) >= atOnce {
				t.Errorf("%d faults at the same time as %+v", len(others), f)
			}
			for _, g := range others {
				if g.Target == f.Target {
					t.Errorf("%+v while %+v", f, g)
				}
			}
		}
	})
}

func TestPlan_HasEveryKindWithinAMinute(t *testing.T) {
	kinds := map[Kind]bool{}
	for _, f := range Plan(1, time.Minute, Lease, someTargets) {
		kinds[f.Kind] = true
	}
	for kind := range mix {
		if !kinds[kind] {
			t.Errorf("no %s", kind)
		}
	}
}
