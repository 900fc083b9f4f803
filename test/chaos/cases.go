package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// kindsOfCase are what agents do, by how often of 100.
var kindsOfCase = []struct {
	weight int
	play   func(*Driver, context.Context, uint64, *rand.Rand)
}{
	{20, (*Driver).plain},
	{20, (*Driver).twins},
	{8, (*Driver).otherPayloadLater},
	{12, (*Driver).otherPayloadAtOnce},
	{6, (*Driver).otherScopes},
	{5, (*Driver).sameBuyer},
	{25, (*Driver).appointment},
	{4, (*Driver).corrected},
}

// play plays the n-th case of the run.
func (d *Driver) play(ctx context.Context, n uint64, r *rand.Rand) {
	dice := r.IntN(100)
	for _, kind := range kindsOfCase {
		if dice -= kind.weight; dice < 0 {
			kind.play(d, ctx, n, r)
			break
		}
	}
	if r.IntN(3) == 0 {
		d.again(ctx, r)
	}
}

func (d *Driver) key(n uint64, r *rand.Rand) Key {
	return Key{
		Tenant: dealerships[r.IntN(len(dealerships))].ID, Agent: fmt.Sprintf("agent-%d", 1+r.IntN(6)), Key: fmt.Sprintf("%s-%d", Canaries[0], n),
	}
}

// atOnce settles leads at the same time, turn about at the edges.
func (d *Driver) atOnce(ctx context.Context, r *rand.Rand, leads ...Submission) {
	var all sync.WaitGroup
	first := r.IntN(len(d.edges))
	for i, s := range leads {
		r := rand.New(rand.NewPCG(r.Uint64(), 0)) // one for each goroutine
		all.Go(func() { d.settle(ctx, r, s, (first+i)%len(d.edges)) })
	}
	all.Wait()
}

// plain is one agent with one lead.
func (d *Driver) plain(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	d.atOnce(ctx, r, d.plan(key, "A", newLead(r, key)))
}

// twins submit the same lead at the same time.
func (d *Driver) twins(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	s := d.plan(key, "A", newLead(r, key))
	same := make([]Submission, 2+r.IntN(5))
	for i := range same {
		same[i] = s
	}
	d.atOnce(ctx, r, same...)
}

// otherPayloadLater uses a key for another payload once it is answered.
func (d *Driver) otherPayloadLater(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	lead := newLead(r, key)
	first := d.plan(key, "A", lead)
	d.atOnce(ctx, r, first)
	d.atOnce(ctx, r, d.plan(key, "B", with(lead, "message", "And what does it cost?")), first)
}

// otherPayloadAtOnce uses a key for two payloads at the same time.
func (d *Driver) otherPayloadAtOnce(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	lead := newLead(r, key)
	a, b := d.plan(key, "A", lead), d.plan(key, "B", with(lead, "message", "And what does it cost?"))
	d.atOnce(ctx, r, [][]Submission{{a, b}, {a, a, b}, {a, a, b, b, a, b}}[r.IntN(3)]...)
}

// otherScopes uses the same key as other agents and at other dealerships.
func (d *Driver) otherScopes(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	var all []Submission
	for _, dealership := range dealerships {
		for _, agent := range []string{"agent-1", "agent-2"} {
			scope := Key{Tenant: dealership.ID, Agent: agent, Key: key.Key}
			all = append(all, d.plan(scope, "A", newLead(r, scope)))
		}
	}
	d.atOnce(ctx, r, all...)
}

// sameBuyer sends the same payload under several keys, each of which is a lead of its own to an agent that nobody has authenticated.
func (d *Driver) sameBuyer(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	lead := newLead(r, key)
	var all []Submission
	for i := range 3 {
		other := key
		other.Key = fmt.Sprintf("%s-%d", key.Key, i)
		all = append(all, d.plan(other, "A", with(lead, "idempotency_key", other.Key)))
	}
	d.atOnce(ctx, r, all...)
}

// corrected sends a lead that is refused, and then a better one under the same key.
func (d *Driver) corrected(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	lead := newLead(r, key)
	consent := map[string]any{
		"granted_at": "2026-01-15T10:00:00Z", "allowed_channels": []string{"sms"}, "consent_text": "Text me.", "scope": []string{"lead_submission"},
	}
	by := map[string]any{"first_name": Canaries[0], "last_name": Canaries[0], "email": Canaries[0] + "@example.com", "preferred_contact": "email"}
	d.atOnce(ctx, r, d.plan(key, "A", with(with(lead, "consent", consent), "customer", by), "CONTACT_CONSENT_REQUIRED"))
	d.atOnce(ctx, r, d.plan(key, "B", lead))
}

// appointment competes for a time with the cases before and after it.
func (d *Driver) appointment(ctx context.Context, n uint64, r *rand.Rand) {
	key := d.key(n, r)
	lead := newLead(r, key)
	kind := []string{"sales", "service", "test_drive"}[r.IntN(3)]
	if kind == "test_drive" {
		lead["vehicle_of_interest"] = map[string]any{"stock": stocks[0]}
	}
	s := d.plan(key, "A", with(lead, "appointment", map[string]any{
		"appointment_type": kind, "appointment_at": slot(n, r).Format(time.RFC3339), "duration_minutes": []int{15, 30, 30, 60, 90}[r.IntN(5)],
		"notes": "I come by train. " + Canaries[0],
	}))
	d.atOnce(ctx, r, [][]Submission{{s}, {s, s}}[r.IntN(2)]...)
}

// slot is a time that a handful of appointments around the n-th case ask for, on one of the next 50 days.
func slot(n uint64, r *rand.Rand) time.Time {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	const perSlot, perDay, days = 60, 16, 50
	i := int(n/perSlot) % (perDay * days)
	now := time.Now().In(location)
	start := time.Date(now.Year(), now.Month(), now.Day()+2+i/perDay, 9, 30*(i%perDay), 0, 0, location)
	if r.IntN(6) == 0 {
		start = start.Add(time.Duration(5*(1+r.IntN(5))) * time.Minute) // not on the grid
	}
	return start
}
