package tenant_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// settings are what a document's appointments and leads come to.
type settings struct {
	Slot            time.Duration
	Seats           int
	Notice          time.Duration
	Horizon         int
	DuplicateWindow time.Duration
}

func settingsOf(d *tenant.Document) settings {
	return settings{
		d.Appointments.Slot(), d.Appointments.Seats(), d.Appointments.Notice(), d.Appointments.Horizon(), d.Leads.DuplicateWindow(),
	}
}

var defaults = settings{30 * time.Minute, 1, time.Hour, 60, 24 * time.Hour}

func TestSettings_DefaultWhereAbsent_AndZeroWhereGiven(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want settings
	}{
		"absent": {"", defaults},
		"empty":  {"appointments: {}\nleads: {}", defaults},
		"zeros": {
			"appointments: {notice_minutes: 0}\nleads: {duplicate_window_hours: 0}",
			settings{30 * time.Minute, 1, 0, 60, 0},
		},
		"a notice of all the horizon": {
			"appointments: {notice_minutes: 1440, horizon_days: 1}", settings{30 * time.Minute, 1, 24 * time.Hour, 1, 24 * time.Hour},
		},
		"least": {
			"appointments: {slot_minutes: 5, capacity: 1, notice_minutes: 0, horizon_days: 1}\nleads: {duplicate_window_hours: 0}",
			settings{5 * time.Minute, 1, 0, 1, 0},
		},
		"most": {
			"appointments: {slot_minutes: 480, capacity: 1000, notice_minutes: 43200, horizon_days: 365}\nleads: {duplicate_window_hours: 168}",
			settings{8 * time.Hour, 1000, 30 * 24 * time.Hour, 365, 7 * 24 * time.Hour},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := mustParse(t, "id: a\nname: A\nrooftops: [{name: X}]\n"+c.text)
			if diff := cmp.Diff(c.want, settingsOf(d)); diff != "" {
				t.Error(diff)
			}
			text, err := d.YAML()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d, mustParse(t, string(text))); diff != "" {
				t.Errorf("read back from %s: %s", text, diff)
			}
		})
	}
}

// settingsSchema is the part of the schema for a member of the document.
func settingsSchema(t *testing.T, member string) map[string]struct{ Default int } {
	t.Helper()
	text, _ := contract.SchemaFile("tenant.schema.json")
	var schema struct {
		Properties map[string]json.RawMessage
	}
	var part struct {
		Properties map[string]struct{ Default int }
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(schema.Properties[member], &part); err != nil {
		t.Fatal(err)
	}
	return part.Properties
}

func TestSettings_DefaultsAreThoseOfTheSchema(t *testing.T) {
	appointments, leads := settingsSchema(t, "appointments"), settingsSchema(t, "leads")
	got := settings{
		time.Duration(appointments["slot_minutes"].Default) * time.Minute, appointments["capacity"].Default,
		time.Duration(appointments["notice_minutes"].Default) * time.Minute, appointments["horizon_days"].Default,
		time.Duration(leads["duplicate_window_hours"].Default) * time.Hour,
	}
	if diff := cmp.Diff(defaults, got); diff != "" {
		t.Error(diff)
	}
}

func TestDocs_DescribeEverySettingOfAppointmentsAndLeads(t *testing.T) {
	text := docs(t)
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(text)[1]
	for _, member := range []string{"appointments", "leads"} {
		for name := range settingsSchema(t, member) {
			if !strings.Contains(text, "- **`"+member+"."+name+"`**") {
				t.Errorf("%s.%s is not described", member, name)
			}
			if !strings.Contains(example, "  "+name+": ") {
				t.Errorf("%s.%s is not in the example", member, name)
			}
		}
	}
}
