package calendar

import (
	"strings"
	"time"

	"forecourt.internal/platform/tenant"
)

// Office is one department of one rooftop as it takes appointments. OfficeOf makes it.
type Office struct {
	rooftop string
	// department is sales or service.
	department string
	zone       *time.Location
	// week holds the hours by time.Weekday; zero hours are a closed day.
	week [7]hours
	slot time.Duration
	// seats is how many appointments there may be at any moment.
	seats  int
	notice time.Duration
	// horizon is how many days after today appointments are taken for.
	horizon int
}

// OfficeOf finds who takes appointments of a type: the service department for "service", the sales department for any other. The
// rooftop is the named one, or the first that has hours when rooftop is "" or none of the dealership's. ok is false when nobody knows
// the hours: no schedule is the department's, or it never opens.
func OfficeOf(doc *tenant.Document, rooftop, appointmentType string) (o Office, ok bool) {
	department := "sales"
	if appointmentType == "service" {
		department = "service"
	}
	rooftops := doc.Rooftops
	for i, r := range rooftops {
		if strings.EqualFold(r.Name, rooftop) {
			rooftops = rooftops[i : i+1]
			break
		}
	}
	for _, r := range rooftops {
		if o, ok := officeAt(r, department, doc.Appointments); ok {
			return o, true
		}
	}
	return Office{}, false
}

func officeAt(r tenant.Rooftop, department string, a tenant.Appointments) (Office, bool) {
	week, opens := weekOf(scheduleOf(r, department))
	if !opens {
		return Office{}, false
	}
	zone, err := time.LoadLocation(r.Timezone)
	if err != nil {
		return Office{}, false // no document has such a zone, unless this machine knows fewer zones than the one that checked it
	}
	return Office{
		rooftop: r.Name, department: department, zone: zone, week: week,
		slot: a.Slot(), seats: a.Seats(), notice: a.Notice(), horizon: a.Horizon(),
	}, true
}

// scheduleOf is the department's own schedule, else the one without a name, else the only one.
func scheduleOf(r tenant.Rooftop, department string) tenant.Schedule {
	for _, name := range [...]string{department, ""} {
		for _, s := range r.Schedules {
			if strings.EqualFold(s.Name, name) {
				return s
			}
		}
	}
	if len(r.Schedules) == 1 {
		return r.Schedules[0]
	}
	return tenant.Schedule{}
}

// Zone is the time zone of the rooftop.
func (o Office) Zone() *time.Location { return o.zone }

// Day is the office's date at an instant.
func (o Office) Day(t time.Time) Date { return dateOf(t.In(o.zone)) }
