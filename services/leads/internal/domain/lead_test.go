package domain_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/domain"
)

func TestLeadID_OfOneClaim_StaysTheSame(t *testing.T) {
	at := time.Date(2026, 4, 30, 11, 5, 9, 123_456_789, time.FixedZone("", 3600))
	digest := idemkey.Digest{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	id, err := domain.NewLeadID(at, digest)
	if err != nil {
		t.Fatal(err)
	}
	if want := domain.LeadID("lead_01KQEXJX43041061050R3GG28A"); id != want {
		t.Errorf("id = %s, want %s", id, want)
	}
	made, err := id.Time()
	if err != nil || !made.Equal(at.Truncate(time.Millisecond)) {
		t.Errorf("time = %v, err = %v; want %v", made, err, at)
	}
	digest[11]++ // beyond the bits that an id has room for
	if again, _ := domain.NewLeadID(at.Add(1), digest); again != id {
		t.Errorf("the id changed to %s within a millisecond", again)
	}
	digest[9]++
	if other, _ := domain.NewLeadID(at, digest); other == id {
		t.Error("another key has the same id")
	}
}

func TestAccept_DealerToCall(t *testing.T) {
	rooftop := func(name string, phones ...string) tenant.Rooftop {
		r := tenant.Rooftop{Name: name}
		for _, p := range phones {
			r.Phones = append(r.Phones, tenant.NamedValue{Value: p})
		}
		return r
	}
	north, south, east := rooftop("North", "+15105550142"), rooftop("South", "ask", "+15105550199"), rooftop("East", "(510) 555-0100")
	for name, test := range map[string]struct {
		rooftops []tenant.Rooftop
		at       string // rooftop of the vehicle
		want     string
	}{
		"the first with a number":                {[]tenant.Rooftop{east, north, south}, "", "+15105550142"},
		"the vehicle's":                          {[]tenant.Rooftop{north, south}, "South", "+15105550199"},
		"the first, when the vehicle's has none": {[]tenant.Rooftop{north, east}, "East", "+15105550142"},
		"the first, when the vehicle's is gone":  {[]tenant.Rooftop{north, south}, "West", "+15105550142"},
		"none":                                   {[]tenant.Rooftop{east}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, err := domain.NewCommand("demo-toyota", "public|a", []byte(`{"idempotency_key":"k"}`))
			if err != nil {
				t.Fatal(err)
			}
			at := time.UnixMilli(1777547109123)
			id, err := domain.NewLeadID(at, cmd.Digest)
			if err != nil {
				t.Fatal(err)
			}
			lead, err := cmd.Accept(domain.Findings{
				ID: id, FirstClaimedAt: at, Dealer: &tenant.Document{Name: "Demo Toyota", Rooftops: test.rooftops},
				Vehicle: domain.Vehicle{Stock: domain.Listed, Rooftop: test.at},
			})
			if err != nil {
				t.Fatal(err)
			}
			want := `{"type":"lead.submit.response","data":{"lead_id":"` + string(lead.ID) + `","status":"received"`
			if test.want != "" {
				want += `,"dealer":{"name":"Demo Toyota","phone":"` + test.want + `"}`
			}
			if diff := cmp.Diff(want+"}}", string(lead.Response)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
