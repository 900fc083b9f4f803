package contract

import (
	"testing"
	"time"
)

// BenchmarkRequest_Search is the hot path of the edge: a typical valid search. The goal is under 20 µs.
func BenchmarkRequest_Search(b *testing.B) {
	v := validator(b)
	args := decode(b, `{"type":"inventory.search.request","filters":{"make":["Toyota"],"model":["Camry","RAV4"],
		"condition":["used","cpo"],"status":["available"],"price_max":35000,"mileage_max":60000,"year_min":2020},
		"pagination":{"limit":20},"sort":{"field":"price","order":"asc"},"privacy":{"anonymous":true}}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := v.Request(InventorySearch, args, time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeJSON_Search(b *testing.B) {
	body := []byte(`{"type":"inventory.search.request","filters":{"make":["Toyota"],"model":["Camry","RAV4"],
		"condition":["used","cpo"],"status":["available"],"price_max":35000,"mileage_max":60000,"year_min":2020},
		"pagination":{"limit":20},"sort":{"field":"price","order":"asc"},"privacy":{"anonymous":true}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeJSON(body); err != nil {
			b.Fatal(err)
		}
	}
}
