package skill

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestWhole_ReadsEveryFormOfAnInteger(t *testing.T) {
	for n, want := range map[json.Number]int64{
		"20": 20, "20.0": 20, "2e1": 20, "2E+1": 20, "200e-1": 20, "0.2e2": 20, "-0": 0, "-3.0": -3,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"9223372036854775808": math.MaxInt64, "1e30": math.MaxInt64, "1e400": math.MaxInt64, "-1e400": math.MinInt64,
	} {
		if got := whole(n); got != want {
			t.Errorf("whole(%s) = %d, want %d", n, got, want)
		}
	}
}

func TestWhole_KeepsIntegersThatADoubleHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.Int64Range(-1<<53, 1<<53).Draw(t, "i")
		for _, form := range []string{
			strconv.FormatInt(i, 10), strconv.FormatInt(i, 10) + ".0", new(big.Float).SetInt64(i).Text('e', 20),
		} {
			if got := whole(json.Number(form)); got != i {
				t.Errorf("whole(%s) = %d", form, got)
			}
		}
	})
}

func TestFloat_IsAlwaysFinite(t *testing.T) {
	for n, want := range map[json.Number]float64{"6.5": 6.5, "1e400": math.MaxFloat64, "-1e400": -math.MaxFloat64, "1e-400": 0} {
		if got := float(n); got != want {
			t.Errorf("float(%s) = %g, want %g", n, got, want)
		}
	}
}
