package tenant

import "time"

// Leads says how leads are taken. The zero value has the defaults.
type Leads struct {
	// DuplicateWindowHours is nil when it is not given: 0 switches the window off.
	DuplicateWindowHours *int `json:"duplicate_window_hours,omitempty"`
}

// DuplicateWindow is for how long a lead of the same buyer about the same vehicle counts as the same lead again: 0, which is never, to
// 7 days, default 24 hours.
func (l Leads) DuplicateWindow() time.Duration {
	if l.DuplicateWindowHours == nil {
		return 24 * time.Hour
	}
	return time.Duration(*l.DuplicateWindowHours) * time.Hour
}
