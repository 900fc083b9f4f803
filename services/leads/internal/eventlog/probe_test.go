package eventlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/leads/internal/calendar"
	"forecourt.internal/services/leads/internal/domain"
)

// brokers are the ways to run one; what the log relies on must hold in each.
var brokers = map[string]func(testing.TB) (js jetstream.JetStream, replicas int){
	"standalone":     func(t testing.TB) (jetstream.JetStream, int) { return natstest.Start(t).JetStream(), 1 },
	"three replicas": func(t testing.TB) (jetstream.JetStream, int) { return natstest.Cluster(t), 3 },
}

// TestLog_OnEveryBroker holds the log to its promises. A cluster takes seconds to start, so the cases share one, and have a stream each.
func TestLog_OnEveryBroker(t *testing.T) {
	for name, start := range brokers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js, replicas := start(t)
			for name, test := range map[string]func(context.Context, *testing.T, *Log){
				"recorded tells what is under a key, and stores nothing": recordedTells,
				"a second lead under a key is the first":                 secondIsFirst,
				"a booking goes with its lead or not at all":             bookingGoesWithLead,
				"nothing is sent when the time is over":                  lateSendsNothing,
				"a lead that the broker takes none of is refused":        tooLargeIsRefused,
				"a day is its own ledger or none":                        dayIsItsOwn,
			} {
				t.Run(name, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					l, err := Open(ctx, js, contract.DefaultRetention, replicas)
					if err != nil {
						t.Fatal(err)
					}
					test(ctx, t, l)
					if err := js.DeleteStream(ctx, Stream); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
}

func digest(key string) idemkey.Digest {
	return idemkey.Key{Tenant: "demo-toyota", Caller: "public|a", Skill: "lead.submit", Key: key}.Digest()
}

// leadUnder is a lead under a key, received at a time of its own.
func leadUnder(t *testing.T, key string) domain.Lead {
	t.Helper()
	at := time.Date(2026, 4, 30, 11, 5, 9, 0, time.UTC)
	id, err := domain.NewLeadID(at, digest(key))
	if err != nil {
		t.Fatal(err)
	}
	return domain.Lead{
		ID: id, Tenant: "demo-toyota", Caller: "public|a", ReceivedAt: at, Fingerprint: domain.Fingerprint{1},
		Request: []byte(`{"message":"hello"}`), Response: []byte(fmt.Sprintf(`{"data":{"lead_id":%q}}`, id)),
	}
}

func recordedOf(lead domain.Lead) domain.Recorded {
	return domain.Recorded{LeadID: lead.LeadID(), Attempt: lead.ID, Fingerprint: lead.Fingerprint, Response: lead.Response}
}

// messages counts what is in the stream.
func messages(ctx context.Context, t *testing.T, l *Log) uint64 {
	t.Helper()
	info, err := l.stream.Info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Msgs
}

func appendFirst(ctx context.Context, t *testing.T, l *Log, key string, lead domain.Lead, b *domain.Booking) domain.Recorded {
	t.Helper()
	r, err := l.AppendFirst(ctx, digest(key), lead, b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func recordedTells(ctx context.Context, t *testing.T, l *Log) {
	for range 3 {
		if r, found, err := l.Recorded(ctx, "demo-toyota", digest("k-1")); err != nil || found {
			t.Fatalf("recorded = %+v, found = %v, err = %v; want nothing", r, found, err)
		}
	}
	lead := leadUnder(t, "k-1")
	if diff := cmp.Diff(recordedOf(lead), appendFirst(ctx, t, l, "k-1", lead, nil)); diff != "" {
		t.Error(diff)
	}
	want := recordedOf(lead)
	want.Found = true
	r, found, err := l.Recorded(ctx, "demo-toyota", digest("k-1"))
	if diff := cmp.Diff(want, r); diff != "" || !found || err != nil {
		t.Errorf("found = %v, err = %v, %s", found, err, diff)
	}
	if _, found, err := l.Recorded(ctx, "demo-toyota", digest("k-2")); err != nil || found {
		t.Errorf("another key: found = %v, err = %v", found, err)
	}
	if n := messages(ctx, t, l); n != 1 {
		t.Errorf("messages = %d, want the lead", n)
	}
	// The stream takes leads as before.
	appendFirst(ctx, t, l, "k-2", leadUnder(t, "k-2"), nil)
}

func secondIsFirst(ctx context.Context, t *testing.T, l *Log) {
	repeats := leadUnder(t, "k-3")
	repeats.Repeats = leadUnder(t, "k-1").ID
	for name, first := range map[string]domain.Lead{"k-1": leadUnder(t, "k-1"), "k-2": leadUnder(t, "k-2"), "k-3": repeats} {
		appendFirst(ctx, t, l, name, first, nil)
		want := recordedOf(first)
		want.Found = true
		second := leadUnder(t, name)
		second.Fingerprint, second.Response = domain.Fingerprint{2}, []byte(`{}`)
		if diff := cmp.Diff(want, appendFirst(ctx, t, l, name, second, nil)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(want, appendFirst(ctx, t, l, name, second, booking(0, second))); diff != "" {
			t.Errorf("%s with a booking: %s", name, diff)
		}
	}
	if n := messages(ctx, t, l); n != 3 {
		t.Errorf("messages = %d, want 3", n)
	}
}

// day is where the ledgers of booking are; the token stands for Main.
var day = calendar.Ledger{Tenant: "demo-toyota", Rooftop: "Main", Department: "sales", Date: "2026-05-04"}.Subject()

// booking follows a ledger of some sequence with those of leads.
func booking(last uint64, leads ...domain.Lead) *domain.Booking {
	start := time.Date(2026, 5, 4, 17, 0, 0, 0, time.UTC)
	ledger := calendar.Ledger{Tenant: "demo-toyota", Rooftop: "Main", Department: "sales", Date: "2026-05-04"}
	for _, lead := range leads {
		ledger.Bookings = append(ledger.Bookings, calendar.Booking{
			LeadID: string(lead.ID), AppointmentID: lead.ID.AppointmentID(), Start: start, End: start.Add(time.Hour),
		})
	}
	return &domain.Booking{Subject: day, Last: last, Ledger: ledger}
}

func bookingGoesWithLead(ctx context.Context, t *testing.T, l *Log) {
	first, second := leadUnder(t, "k-1"), leadUnder(t, "k-2")
	if ledger, last, err := l.Day(ctx, day); err != nil || last != 0 || len(ledger.Bookings) != 0 {
		t.Fatalf("ledger = %+v, last = %d, err = %v; want none", ledger, last, err)
	}
	if diff := cmp.Diff(recordedOf(first), appendFirst(ctx, t, l, "k-1", first, booking(0, first))); diff != "" {
		t.Error(diff)
	}
	ledger, last, err := l.Day(ctx, day)
	if diff := cmp.Diff(booking(0, first).Ledger, ledger, cmpopts.EquateEmpty()); diff != "" || err != nil || last == 0 {
		t.Fatalf("last = %d, err = %v, %s", last, err, diff)
	}
	if _, err := l.AppendFirst(ctx, digest("k-2"), second, booking(0, second)); !errors.Is(err, domain.ErrDayChanged) {
		t.Fatalf("err = %v, want that the day has changed", err)
	}
	if _, found, err := l.Recorded(ctx, "demo-toyota", digest("k-2")); found || err != nil {
		t.Fatalf("found = %v, err = %v; want nothing of a lead that lost the race", found, err)
	}
	appendFirst(ctx, t, l, "k-2", second, booking(last, first, second))
	want := recordedOf(first)
	want.Found = true
	// An attempt whose acknowledgement was lost sends the same again: it must hear of its lead, not of the day that has changed.
	if diff := cmp.Diff(want, appendFirst(ctx, t, l, "k-1", first, booking(0, first))); diff != "" {
		t.Error(diff)
	}
	if r, _, err := l.Recorded(ctx, "demo-toyota", digest("k-1")); err != nil {
		t.Error(err)
	} else if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if n := messages(ctx, t, l); n != 4 {
		t.Errorf("messages = %d, want two leads and two ledgers", n)
	}
}

func lateSendsNothing(ctx context.Context, t *testing.T, l *Log) {
	late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Millisecond))
	defer cancel()
	lead := leadUnder(t, "k-1")
	for name, b := range map[string]*domain.Booking{"alone": nil, "with a booking": booking(0, lead)} {
		if _, err := l.AppendFirst(late, digest("k-1"), lead, b); !errors.Is(err, domain.ErrNotRecorded) {
			t.Errorf("%s: err = %v, want that nothing was recorded", name, err)
		}
	}
	if n := messages(ctx, t, l); n != 0 {
		t.Errorf("messages = %d, want none", n)
	}
}

func tooLargeIsRefused(ctx context.Context, t *testing.T, l *Log) {
	lead := leadUnder(t, "k-1")
	lead.Request = []byte(`{"message":"` + strings.Repeat("a", 3<<20) + `"}`)
	for name, b := range map[string]*domain.Booking{"alone": nil, "with a booking": booking(0, lead)} {
		_, err := l.AppendFirst(ctx, digest("k-1"), lead, b)
		if diff := cmp.Diff(domain.TooLarge(), err, cmpopts.IgnoreUnexported(contract.Error{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if n := messages(ctx, t, l); n != 0 {
		t.Errorf("messages = %d, want none", n)
	}
	appendFirst(ctx, t, l, "k-1", leadUnder(t, "k-1"), booking(0, leadUnder(t, "k-1")))
}

func dayIsItsOwn(ctx context.Context, t *testing.T, l *Log) {
	other := calendar.Ledger{Tenant: "rival-motors", Rooftop: "Main", Department: "sales", Date: "2026-05-04"}
	foreign, err := json.Marshal(other)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "junk", "[]", "null", "{}", string(foreign)} {
		if _, err := l.js.Publish(ctx, day, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if ledger, _, err := l.Day(ctx, day); err == nil {
			t.Errorf("%q is read as %+v", text, ledger)
		}
	}
}
