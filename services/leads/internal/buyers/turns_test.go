package buyers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt.internal/services/leads/internal/domain"
)

// TestLock_SimultaneousLeadsOfOneBuyer_SeeEachOther: one is the first, and all others find it.
func TestLock_SimultaneousLeadsOfOneBuyer_SeeEachOther(t *testing.T) {
	x := New(nil, windowsOf("north", time.Hour), quiet)
	at := time.Now()
	// All share the e-mail address, so that they go one after another.
	asks := domain.Interest[string]{Other: "message "}
	both := domain.Buyer{Email: "ines@mail.example", Phone: "+15105550117", Interest: asks}
	var firsts atomic.Int32
	var all sync.WaitGroup
	for i := range 64 {
		b := both
		if i%4 == 1 {
			b.Phone = ""
		}
		all.Go(func() {
			unlock, err := x.Lock(t.Context(), "north", b)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if _, found := x.First("north", "oauth|a", b, at); !found {
				firsts.Add(1)
				x.Note("north", "oauth|a", b, newID(at), at)
			}
		})
	}
	all.Wait()
	if firsts.Load() != 1 {
		t.Errorf("%d leads found no earlier one, want 1", firsts.Load())
	}
}

// TestLock_SharedContactsExclude_OthersDoNot also shows that contacts which overlap in a ring lead to no deadlock.
func TestLock_SharedContactsExclude_OthersDoNot(t *testing.T) {
	x := New(nil, windowsOf("north", time.Hour), quiet)
	const people = 5
	var inside [2 * people]atomic.Int32
	var all sync.WaitGroup
	for i := range 40 * people {
		email, phone := i%people, (i/people)%people
		all.Go(func() {
			unlock, err := x.Lock(t.Context(), "north", domain.Buyer{Email: fmt.Sprint(email), Phone: fmt.Sprint(phone)})
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			for _, contact := range [...]int{email, people + phone} {
				if inside[contact].Add(1) != 1 {
					t.Error("two are inside with one contact")
				}
				defer inside[contact].Add(-1)
			}
			x.Note("north", "public|a", domain.Buyer{Email: fmt.Sprint(email)}, newID(time.Now()), time.Now())
		})
	}
	all.Wait()

	unlock, err := x.Lock(t.Context(), "north", domain.Buyer{Email: "a", Phone: "1"})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	for _, other := range []struct {
		tenant string
		b      domain.Buyer
	}{{"north", domain.Buyer{Email: "1", Phone: "a"}}, {"south", domain.Buyer{Email: "a", Phone: "1"}}, {"north", domain.Buyer{}}} {
		free, err := x.Lock(t.Context(), other.tenant, other.b)
		if err != nil {
			t.Fatal(err)
		}
		free()
	}
}

func TestLock_ContextDone(t *testing.T) {
	x := New(nil, windowsOf("north", time.Hour), quiet)
	unlock, err := x.Lock(t.Context(), "north", domain.Buyer{Email: "a"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	failed := make(chan error)
	for range 8 {
		go func() {
			_, err := x.Lock(ctx, "north", domain.Buyer{Email: "a", Phone: "1"})
			failed <- err
		}()
	}
	stop()
	for range 8 {
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v, want context.Canceled", err)
		}
	}
	free, err := x.Lock(t.Context(), "north", domain.Buyer{Phone: "1"}) // those that gave up hold nothing
	if err != nil {
		t.Fatal(err)
	}
	free()
	unlock()
}

// TestIndex_UsedByMany is for the race detector.
func TestIndex_UsedByMany(t *testing.T) {
	w, c := windowsOf("north", time.Hour), clockAt(time.Now())
	x := New(nil, w, quiet)
	x.now = c.now
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 200 {
				b := domain.Buyer{Email: fmt.Sprint(i % 10), Interest: domain.Interest[string]{Other: fmt.Sprint(worker % 2)}}
				x.Note("north", fmt.Sprint(worker), b, newID(c.now()), c.now())
				x.First("north", "oauth|a", b, c.now())
				if worker == 0 {
					c.advance(10 * time.Minute)
					x.keep(x.oldest())
				}
			}
		})
	}
	all.Wait()
}
