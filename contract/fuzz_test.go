package contract

import (
	"encoding/json"
	"testing"
)

// FuzzDecodeJSON checks that what is taken is a JSON value that encoding/json understands the same way.
func FuzzDecodeJSON(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"a":2}`, `[1e999999999,-0.0]`, `"\ud800"`, `{"a":[null,true,"x"]} `, "\xff", `{"a":`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := DecodeJSON(b)
		if err != nil {
			return
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("%q gave a value that does not encode: %v", b, err)
		}
		if _, err := DecodeJSON(again); err != nil {
			t.Fatalf("%q gave %q, which is not taken: %v", b, again, err)
		}
	})
}

// FuzzRequest checks that no request makes validation or the rules panic, and that what they say is a valid aap.error.
func FuzzRequest(f *testing.F) {
	for _, skill := range Skills() {
		for _, seed := range seeds(f, skill.RequestSchema) {
			b, err := json.Marshal(seed)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	f.Add([]byte(`{"type":"inventory.search.request","filters":{"price_max":1e99999999,"geo":{"latitude":1e-99999999}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		args, err := DecodeJSON(b)
		if err != nil {
			return
		}
		v := validator(t)
		says := func(e *Error) {
			if e == nil {
				return
			}
			payload, err := DecodeJSON(e.Payload("err_1", leadNow))
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Document(errorSchema, payload); err != nil {
				t.Fatalf("%v: %+v", e, err.Problems)
			}
		}
		for _, skill := range Skills() {
			says(v.Request(skill.ID, args, leadNow))
		}
		request, _ := args.(map[string]any)
		says(LeadRules(request, leadNow))
	})
}
