package domain

import (
	"encoding/json"
	"fmt"
	"regexp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// response is a lead.submit.response. It is kept with the idempotency key, so nothing in it comes from the customer.
type response struct {
	Type    string       `json:"type"`
	Data    responseData `json:"data"`
	Message string       `json:"message,omitempty"`
}

type responseData struct {
	LeadID      LeadID       `json:"lead_id"`
	Status      string       `json:"status"`
	Appointment *Appointment `json:"appointment,omitempty"`
	Dealer      *dealer      `json:"dealer,omitempty"`
}

type dealer struct {
	Name  string `json:"name"`
	Phone string `json:"phone"`
}

// response tells the caller of a repetition which lead it repeats. Of any other earlier lead it tells nothing.
func (f Findings) response() ([]byte, error) {
	status := "received"
	if f.Repeats != "" {
		status = "duplicate"
	}
	b, err := json.Marshal(response{
		Type: contract.Skill{ID: contract.LeadSubmit}.ResponseType(),
		Data: responseData{
			LeadID: f.LeadID(), Status: status, Appointment: f.Appointment, Dealer: dealerOf(f.Dealer, f.Vehicle.Rooftop),
		},
		Message: f.Vehicle.remark(),
	})
	if err != nil {
		return nil, fmt.Errorf("encode response of lead %s: %w", f.ID, err)
	}
	return b, nil
}

// e164 is the form of phone numbers in a response; in tenant documents people write them as they like.
var e164 = regexp.MustCompile(`^\+[1-9]\d{1,14}$`)

// dealerOf says whom the buyer can call: the rooftop that holds the vehicle, else the first one with a usable number. It is
// nil when there is none.
func dealerOf(doc *tenant.Document, rooftop string) *dealer {
	candidates := doc.Rooftops
	if r := doc.Rooftop(rooftop); r != nil {
		candidates = append([]tenant.Rooftop{*r}, candidates...)
	}
	for _, r := range candidates {
		for _, phone := range r.Phones {
			if e164.MatchString(phone.Value) {
				return &dealer{Name: doc.Name, Phone: phone.Value}
			}
		}
	}
	return nil
}
