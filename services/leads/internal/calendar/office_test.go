package calendar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

// The hour at which an office opens tells which schedule it has.
func TestOfficeOf_FindsRooftopAndDepartment(t *testing.T) {
	schedule := func(name, open string) tenant.Schedule {
		return tenant.Schedule{Name: name, Value: always(open, "20:00")}
	}
	closed := tenant.Schedule{Name: "service", Value: map[string]*tenant.Hours{"monday": nil}}
	north := at("North", "UTC", schedule("Sales", "09:00"), schedule("SERVICE", "07:00"))
	south := at("South", "UTC", schedule("sales", "10:00"), closed)
	for name, c := range map[string]struct {
		rooftops             []tenant.Rooftop
		rooftop, appointment string
		// want is the rooftop, its department and the hour at which it opens; "" when nobody knows the hours.
		want string
	}{
		"sales":                              {[]tenant.Rooftop{north}, "North", "sales", "North sales 09:00"},
		"a test drive is for sales":          {[]tenant.Rooftop{north}, "North", "test_drive", "North sales 09:00"},
		"a trade-in is for sales":            {[]tenant.Rooftop{north}, "North", "trade_in", "North sales 09:00"},
		"service":                            {[]tenant.Rooftop{north}, "North", "service", "North service 07:00"},
		"the named rooftop":                  {[]tenant.Rooftop{north, south}, "South", "sales", "South sales 10:00"},
		"in other case":                      {[]tenant.Rooftop{north, south}, "SOUTH", "sales", "South sales 10:00"},
		"no rooftop":                         {[]tenant.Rooftop{south, north}, "", "sales", "South sales 10:00"},
		"no rooftop, first with hours":       {[]tenant.Rooftop{{Name: "Yard"}, south, north}, "", "service", "North service 07:00"},
		"unknown rooftop, first with hours":  {[]tenant.Rooftop{{Name: "Yard"}, south, north}, "East", "service", "North service 07:00"},
		"the named rooftop without hours":    {[]tenant.Rooftop{{Name: "Yard"}, north}, "Yard", "sales", ""},
		"a department that never opens":      {[]tenant.Rooftop{south, north}, "South", "service", ""},
		"no rooftop has hours":               {[]tenant.Rooftop{{Name: "Yard"}, {Name: "Lot"}}, "", "sales", ""},
		"own schedule before unnamed":        {[]tenant.Rooftop{at("A", "UTC", schedule("", "08:00"), schedule("sales", "09:00"))}, "A", "sales", "A sales 09:00"},
		"unnamed before another department":  {[]tenant.Rooftop{at("A", "UTC", schedule("parts", "06:00"), schedule("", "08:00"))}, "A", "service", "A service 08:00"},
		"the only schedule":                  {[]tenant.Rooftop{at("A", "UTC", schedule("showroom", "08:00"))}, "A", "service", "A service 08:00"},
		"two schedules of other departments": {[]tenant.Rooftop{at("A", "UTC", schedule("parts", "06:00"), schedule("body", "08:00"))}, "A", "sales", ""},
	} {
		t.Run(name, func(t *testing.T) {
			o, ok := calendar.OfficeOf(dealer(tenant.Appointments{}, c.rooftops...), c.rooftop, c.appointment)
			if ok != (c.want != "") {
				t.Fatalf("ok = %t, want %t", ok, c.want != "")
			}
			if !ok {
				return
			}
			decision, err := o.Decide(calendar.Wish{At: instant("2026-05-04T00:00:00Z")}, instant("2026-05-04T00:00:00Z"), booked(o))
			if err != nil {
				t.Fatal(err)
			}
			opens := decision.(calendar.Proposed).Times[0]
			ledger := o.Ledger("demo", o.Day(opens))
			if diff := cmp.Diff(c.want, ledger.Rooftop+" "+ledger.Department+" "+opens.Format("15:04")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
