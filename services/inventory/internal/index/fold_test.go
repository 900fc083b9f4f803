package index

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFold_AgreesWithEqualFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aAkKK sSſßẞéÉσΣςiIİıжЖ1"))
		a, b := rapid.StringOf(letters).Draw(t, "a"), rapid.StringOf(letters).Draw(t, "b")
		if got, want := fold(a) == fold(b), strings.EqualFold(a, b); got != want {
			t.Errorf("fold(%q) == fold(%q) is %t, EqualFold is %t", a, b, got, want)
		}
	})
}

func TestFold_EveryRuneFoldsWithItsOrbit(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if f := foldRune(r); !strings.EqualFold(string(r), string(f)) || foldRune(f) != f {
			t.Fatalf("fold of %U is %U", r, f)
		}
	}
}
