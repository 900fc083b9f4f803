package tenant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// FuzzParse: no text panics, and an accepted document reads back from its own YAML as it was.
func FuzzParse(f *testing.F) {
	check, err := contract.NewValidator()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		twoRooftops,
		"id: a\nname: A\nrooftops: [{name: X}]\ndisabled_filters: [geo]\nfeed: {dialect: aap-json, mapping: {price: [Ask, Price]}, mileage_unit: km}\n",
		"id: a\nname: A\nrooftops: [{name: X}]\nappointments: {slot_minutes: 3e1, notice_minutes: 0.0}\nleads: {duplicate_window_hours: 0x18}\n",
		"id: a\nname: &n A\nrooftops: [{name: *n}]\n",
		`{"id": "a", "name": "A\u0000", "rooftops": [{"name": " ", "address": {"city": 1}}]}`,
		"id: a\nid: b\n", "---\n---\n", "[", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := tenant.Parse(text, check)
		if err != nil {
			return
		}
		written, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := tenant.Parse(written, check)
		if err != nil {
			t.Fatalf("%s\n%v", written, err)
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Error(diff)
		}
	})
}
