package contract

import (
	"flag"
	"os"
	"sync"
	"testing"
)

// TestMain gives rapid a fixed seed, so that a run on one machine is the run on another; -rapid.seed asks for another.
func TestMain(m *testing.M) {
	flag.Parse()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == seed.DefValue {
		if err := seed.Value.Set("3"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

var sharedValidator = sync.OnceValues(NewValidator)

func validator(t testing.TB) *Validator {
	t.Helper()
	v, err := sharedValidator()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func decode(t testing.TB, s string) any {
	t.Helper()
	v, err := DecodeJSON([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
