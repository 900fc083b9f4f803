package command

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"forecourt.internal/services/leads"
)

// leadSummary is what a line says of a lead: who sent it and what it is about, and nothing of the customer.
type leadSummary struct {
	Request struct {
		SourceAgent struct {
			Name string `json:"name"`
		} `json:"source_agent"`
		Vehicle *struct {
			Stock     string `json:"stock"`
			VIN       string `json:"vin"`
			VehicleID string `json:"vehicle_id"`
		} `json:"vehicle_of_interest"`
		Appointment *struct {
			Type string `json:"appointment_type"`
			At   string `json:"appointment_at"`
		} `json:"appointment"`
		TradeIn *struct{} `json:"trade_in"`
		Consent struct {
			Channels []string `json:"allowed_channels"`
		} `json:"consent"`
	} `json:"request"`
	Response struct {
		Data struct {
			Appointment struct {
				Status string `json:"status"`
			} `json:"appointment"`
		} `json:"data"`
	} `json:"response"`
	PossibleDuplicateOf string `json:"possible_duplicate_of"`
}

// leadLine describes an event in one line, such as
// "2026-11-30T12:00:05Z  demo-toyota  lead_01J…  submitted  by shopper; vehicle ST41002; contact by email".
func leadLine(r leads.Record) string {
	event := r.Subject[strings.LastIndexByte(r.Subject, '.')+1:]
	line := []string{r.Time.UTC().Format(time.RFC3339), r.Tenant, r.LeadID, event}
	var s leadSummary
	if err := json.Unmarshal(r.Data, &s); err != nil {
		return strings.Join(append(line, "(its data cannot be read)"), "  ")
	}
	if about := s.about(); about != "" {
		line = append(line, about)
	}
	return printable(strings.Join(line, "  "))
}

func (s leadSummary) about() string {
	var parts []string
	if name := s.Request.SourceAgent.Name; name != "" {
		parts = append(parts, "by "+name)
	}
	if v := s.Request.Vehicle; v != nil {
		parts = append(parts, "vehicle "+cmp.Or(v.Stock, v.VIN, v.VehicleID, "described in words"))
	}
	if a := s.Request.Appointment; a != nil {
		parts = append(parts, strings.Join(strings.Fields(a.Type+" "+a.At+" "+s.Response.Data.Appointment.Status), " "))
	}
	if s.Request.TradeIn != nil {
		parts = append(parts, "trade-in")
	}
	if channels := s.Request.Consent.Channels; len(channels) > 0 {
		parts = append(parts, "contact by "+strings.Join(channels, ", "))
	}
	if s.PossibleDuplicateOf != "" {
		parts = append(parts, "possible duplicate of "+s.PossibleDuplicateOf)
	}
	return strings.Join(parts, "; ")
}

// printable drops control characters: a caller's text must not steer the operator's terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}
