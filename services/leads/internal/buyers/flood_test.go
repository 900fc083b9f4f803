package buyers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/leads/internal/domain"
)

// Anyone may send leads with the same address on a public endpoint; what each costs must not grow with how many there are.
func TestIndex_AFloodUnderOneAddress_IsBounded(t *testing.T) {
	_, events := stream(t, natstest.Start(t).JetStream(), jetstream.MemoryStorage)
	c := clockAt(time.Now().Truncate(span).Add(time.Minute))
	r := run(t, events, windowsOf("north", 24*time.Hour), c, quiet)
	defer r.stop()
	buyer := domain.Buyer{Email: "ines@mail.example", Interest: domain.Interest[string]{Stock: "s1"}}
	first := newID(c.now())
	for id := first; len(r.generations) == 0 || r.held() < maxChain; id = newID(c.now()) {
		r.Note("north", "public|a", buyer, id, c.now())
		c.advance(time.Millisecond)
	}
	r.Note("north", "public|a", buyer, newID(c.now()), c.now())
	if held := r.held(); held != maxChain {
		t.Errorf("%d leads are held, want %d", held, maxChain)
	}
	got, _ := r.First("north", "public|b", buyer, c.now())
	if diff := cmp.Diff(domain.Earlier{LeadID: first}, got); diff != "" {
		t.Error(diff)
	}
	buyer.Phone = "+15105550117" // another contact is not crowded out
	r.Note("north", "public|a", buyer, newID(c.now()), c.now())
	if held := r.held(); held != maxChain+1 {
		t.Errorf("%d leads are held, want that with a phone number too", held)
	}
}

// held counts the leads in the index.
func (r replica) held() (n int) {
	for _, g := range r.generations {
		n += len(g.entries)
	}
	return n
}
