package generate

import (
	"math/big"
	"regexp"
	"testing"
)

func TestCatalog_IsSound(t *testing.T) {
	wmi := regexp.MustCompile(`^[A-HJ-NPR-Z0-9]{3}$`)
	for _, b := range brands {
		if b.share < 1 || b.keeps < 800 || b.keeps > 1_100 {
			t.Errorf("%s: share %d, keeps %d", b.name, b.share, b.keeps)
		}
		for i, name := range b.paints {
			if name == "" {
				t.Errorf("%s has no name for %s", b.name, colourNames[i])
			}
		}
		for _, m := range b.models {
			name := b.name + " " + m.name
			if !wmi.MatchString(m.wmi) {
				t.Errorf("%s: WMI %q", name, m.wmi)
			}
			if m.first < oldestYear || m.last > latestYear || m.first > m.last {
				t.Errorf("%s: model years %d to %d", name, m.first, m.last)
			}
			if m.share < 1 || len(m.trims) == 0 || len(m.drives) == 0 || len(m.engines) == 0 {
				t.Errorf("%s: share %d, %d trims, %d drives, %d engines", name, m.share, len(m.trims), len(m.drives), len(m.engines))
			}
			for _, e := range m.engines {
				if isElectric := e.fuel == electric; isElectric != (e.litres == "") || isElectric != (e.city == 0) || isElectric != (e.highway == 0) {
					t.Errorf("%s: engine %+v", name, e)
				}
			}
		}
	}
}

// A VIN tells model, trim, drive and engine, so no two models of a make may share a code.
func TestCatalog_ModelsOfAMakeHaveCodesOfTheirOwn(t *testing.T) {
	for _, b := range brands {
		if len(b.models) > len(vinLetters) {
			t.Errorf("%s has %d models, and there are codes for %d", b.name, len(b.models), len(vinLetters))
		}
	}
}

// A step that is coprime to the space visits all of it before it comes back.
func TestSerialOf_VisitsEveryPairOnce(t *testing.T) {
	if common := new(big.Int).GCD(nil, nil, big.NewInt(int64(serialSpace)), big.NewInt(serialStep)); common.Int64() != 1 {
		t.Errorf("space and step have the common divisor %d", common)
	}
	const start = 12_345
	if first, again := serialOf(start, 0), serialOf(start, serialSpace); first != start || again != start {
		t.Errorf("the first is %d, after one round it is %d, want %d", first, again, start)
	}
}
