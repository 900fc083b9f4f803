package buyers

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"forecourt.internal/services/leads/internal/domain"
)

// turns lets those that share a contact go one at a time.
type turns struct {
	mu   sync.Mutex
	held map[sum]*turn
}

// turn is of one contact: taken holds a value while it is somebody's.
type turn struct {
	taken chan struct{}
	users int // who has it or waits for it
}

// Lock lets the leads of a tenant that share a contact go one at a time in this process, so that each sees the one before. It returns an
// error when ctx is done before it is this one's turn.
func (x *Index) Lock(ctx context.Context, tenant string, b domain.Buyer) (unlock func(), err error) {
	contacts := x.hash.contacts(tenant, b)
	// Everyone takes them in the same order, so that no two wait for each other.
	slices.SortFunc(contacts[:], func(a, b sum) int { return bytes.Compare(a[:], b[:]) })
	var got []sum
	unlock = func() {
		for _, contact := range got {
			x.turns.release(contact)
		}
	}
	for _, contact := range contacts {
		if contact == (sum{}) {
			continue
		}
		if err := x.turns.take(ctx, contact); err != nil {
			unlock()
			return nil, fmt.Errorf("wait for another lead of the same buyer: %w", err)
		}
		got = append(got, contact)
	}
	return unlock, nil
}

func (t *turns) take(ctx context.Context, contact sum) error {
	t.mu.Lock()
	mine := t.held[contact]
	if mine == nil {
		mine = &turn{taken: make(chan struct{}, 1)}
		t.held[contact] = mine
	}
	mine.users++
	t.mu.Unlock()
	select {
	case mine.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		t.leave(contact)
		return ctx.Err()
	}
}

func (t *turns) release(contact sum) { <-t.leave(contact).taken }

// leave takes note that one user less is there; a turn that nobody uses is forgotten.
func (t *turns) leave(contact sum) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.held[contact]
	if one.users--; one.users == 0 {
		delete(t.held, contact)
	}
	return one
}
