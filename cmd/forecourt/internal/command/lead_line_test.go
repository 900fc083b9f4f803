package command

import (
	"testing"
	"time"

	"forecourt.internal/services/leads"
)

func TestLeadLine_SaysWhatStaffHasToKnow_AndNothingOfTheCustomer(t *testing.T) {
	record := leads.Record{
		Subject: "lead.v1.demo-toyota.submitted", Time: time.Date(2026, 4, 30, 11, 5, 9, 0, time.UTC), Tenant: "demo-toyota", LeadID: "lead_2",
	}
	for data, want := range map[string]string{
		`{"request":{"source_agent":{"name":"shopper"},"customer":{"email":"ines@mail.example"},"vehicle_of_interest":{"stock":"T1"},
			"appointment":{"appointment_type":"test_drive","appointment_at":"2026-05-03T11:00:00-07:00"},"consent":{"allowed_channels":["email"]}},
			"response":{"data":{"appointment":{"status":"confirmed"}}},"possible_duplicate_of":"lead_1"}`: "  by shopper; vehicle T1; " +
			"test_drive 2026-05-03T11:00:00-07:00 confirmed; contact by email; possible duplicate of lead_1",
		`{"request":{"source_agent":{"name":"shopper"},"trade_in":{}}}`: "  by shopper; trade-in",
		`{}`: "",
		`7`:  "  (its data cannot be read)",
	} {
		record.Data = []byte(data)
		if got, want := leadLine(record), "2026-04-30T11:05:09Z  demo-toyota  lead_2  submitted"+want; got != want {
			t.Errorf("line = %q, want %q", got, want)
		}
	}
}
