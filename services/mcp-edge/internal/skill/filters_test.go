package skill

import (
	"encoding/json"
	"math"
	"testing"
)

func TestFloat_IsAlwaysFinite(t *testing.T) {
	for n, want := range map[json.Number]float64{"6.5": 6.5, "1e400": math.MaxFloat64, "-1e400": -math.MaxFloat64, "1e-400": 0} {
		if got := float(n); got != want {
			t.Errorf("float(%s) = %g, want %g", n, got, want)
		}
	}
}
