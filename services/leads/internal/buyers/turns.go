package buyers

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"forecourt.internal/services/leads/internal/domain"
)

// Lock lets the leads of a tenant that share a contact go one at a time in this process, so that each sees the one before. It returns an
// error when ctx is done before it is this one's turn.
func (x *Index) Lock(ctx context.Context, tenant string, b domain.Buyer) (unlock func(), err error) {
	contacts := x.hash.contacts(tenant, b)
	// Everyone takes them in the same order, so that no two wait for each other.
	slices.SortFunc(contacts[:], func(a, b sum) int { return bytes.Compare(a[:], b[:]) })
	var got []func()
	unlock = func() {
		for _, leave := range got {
			leave()
		}
	}
	for _, contact := range contacts {
		if contact == (sum{}) {
			continue
		}
		leave, err := x.turns.Take(ctx, contact)
		if err != nil {
			unlock()
			return nil, fmt.Errorf("wait for another lead of the same buyer: %w", err)
		}
		got = append(got, leave)
	}
	return unlock, nil
}
