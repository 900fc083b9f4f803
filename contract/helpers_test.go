package contract

import (
	"sync"
	"testing"
)

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
