package tenant

import (
	"cmp"
	"time"

	"forecourt.internal/contract"
)

// Appointments says how each department of each rooftop takes appointments. The zero value has the defaults.
type Appointments struct {
	SlotMinutes int `json:"slot_minutes,omitempty"`
	Capacity    int `json:"capacity,omitempty"`
	// NoticeMinutes is nil when it is not given: 0 is a notice.
	NoticeMinutes *int `json:"notice_minutes,omitempty"`
	HorizonDays   int  `json:"horizon_days,omitempty"`
}

// Slot is the length of an appointment that asks for none, and the step between the times that are proposed: 5 minutes to 8 hours,
// default 30 minutes.
func (a Appointments) Slot() time.Duration {
	return time.Duration(cmp.Or(a.SlotMinutes, 30)) * time.Minute
}

// Seats is how many appointments there may be at any moment: 1 to 1,000, default 1.
func (a Appointments) Seats() int { return cmp.Or(a.Capacity, 1) }

// Notice is how long before its start an appointment is taken at the latest: 0 to 30 days, default 1 hour.
func (a Appointments) Notice() time.Duration {
	if a.NoticeMinutes == nil {
		return time.Hour
	}
	return time.Duration(*a.NoticeMinutes) * time.Minute
}

// Horizon is how many days after today appointments are taken for: 1 to 365, default 60.
func (a Appointments) Horizon() int { return cmp.Or(a.HorizonDays, 60) }

// problems finds a notice that leaves no day to make an appointment for.
func (a Appointments) problems() []contract.Problem {
	if a.Horizon() < 1 || a.Notice() <= time.Duration(a.Horizon())*24*time.Hour {
		return nil
	}
	return []contract.Problem{{
		InstanceLocation: "/appointments/notice_minutes", Keyword: "notice",
		Error:      "the notice is longer than the horizon, so that no appointment could be made",
		Correction: "Give a notice of no more than the horizon, at 1440 minutes for each of its days, or a horizon of more days.",
	}}
}
