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
	Appointment *appointment `json:"appointment,omitempty"`
	Dealer      *dealer      `json:"dealer,omitempty"`
}

type appointment struct {
	ID     string `json:"appointment_id"`
	Status string `json:"status"`
}

type dealer struct {
	Name  string `json:"name"`
	Phone string `json:"phone"`
}

func (c Command) response(id LeadID, v Vehicle, doc *tenant.Document) ([]byte, error) {
	r := response{
		Type:    contract.Skill{ID: contract.LeadSubmit}.ResponseType(),
		Data:    responseData{LeadID: id, Status: "received", Dealer: dealerOf(doc, v.Rooftop)},
		Message: v.remark(),
	}
	if _, asked := c.members["appointment"]; asked {
		r.Data.Appointment = &appointment{ID: id.appointmentID(), Status: "requested"}
	}
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode response of lead %s: %w", id, err)
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
