package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"forecourt.internal/platform/tenant"
)

// Canaries are in every value that a customer gives. No process may log one.
var Canaries = []string{"zqxcanary", "+1202555"}

// The dealerships: two with hours and few places, and one that leaves appointments to its staff.
var dealerships = []*tenant.Document{
	dealership("single", 1), dealership("double", 2), {ID: "byhand", Name: "Chaos by hand", Rooftops: []tenant.Rooftop{{Name: "Main"}}},
}

const zone = "America/Los_Angeles"

func dealership(id string, seats int) *tenant.Document {
	week := map[string]*tenant.Hours{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		week[weekday(day)] = &tenant.Hours{Open: "09:00", Close: "17:00"}
	}
	return &tenant.Document{
		ID: id, Name: "Chaos " + id, Appointments: tenant.Appointments{Capacity: seats},
		Rooftops: []tenant.Rooftop{{Name: "Main", Timezone: zone, Schedules: []tenant.Schedule{{Name: "sales", Value: week}, {Name: "service", Value: week}}}},
	}
}

func weekday(d time.Weekday) string {
	return [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}[d]
}

// newLead makes a payload that differs from every other one of the run.
func newLead(r *rand.Rand, key Key) map[string]any {
	n := r.Uint64()
	lead := map[string]any{
		"type": "lead.submit.request",
		"customer": map[string]any{
			"first_name": fmt.Sprintf("%s-%x", Canaries[0], n), "last_name": Canaries[0],
			"email": fmt.Sprintf("%s-%x@example.com", Canaries[0], n), "phone": fmt.Sprintf("%s%04d", Canaries[1], n%10000),
			"preferred_contact": "any",
		},
		"consent": map[string]any{
			"granted_at": time.Now().UTC().Add(-time.Hour).Format(time.RFC3339), "allowed_channels": []string{"email", "phone"},
			"consent_text": "You may contact me. " + Canaries[0], "scope": []string{"lead_submission"},
		},
		"source_agent":    map[string]any{"name": key.Agent},
		"idempotency_key": key.Key,
		"message":         fmt.Sprintf("Is it still there? %s %x", Canaries[0], r.Uint64()),
	}
	switch r.IntN(4) {
	case 0, 1:
		lead["vehicle_of_interest"] = map[string]any{"stock": stocks[r.IntN(len(stocks))]}
	case 2:
		lead["vehicle_of_interest"] = map[string]any{"stock": "SOLD LONG AGO"}
	}
	return lead
}

// with returns a copy of a lead with another member.
func with(lead map[string]any, name string, value any) map[string]any {
	lead = maps.Clone(lead)
	lead[name] = value
	return lead
}

// canonical writes a request without submitted_at, so that equal payloads are equal texts. "" for what is no JSON object.
func canonical(request []byte) string {
	var members map[string]any
	if json.Unmarshal(request, &members) != nil {
		return ""
	}
	delete(members, "submitted_at")
	text, _ := json.Marshal(members) // it was JSON
	return string(text)
}

// seats are the places of the dealerships, by id.
func seats() map[string]int {
	by := map[string]int{}
	for _, d := range dealerships {
		by[d.ID] = d.Appointments.Capacity
	}
	return by
}
