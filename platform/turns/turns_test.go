package turns

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestTake_OneAtATimeUnderAKey_NothingIsLeftBehind(t *testing.T) {
	var turns Turns[string]
	var all sync.WaitGroup
	var inside [2]atomic.Int32
	var done atomic.Int32
	for n := range 200 {
		all.Go(func() {
			key := n % 2
			leave, err := turns.Take(t.Context(), []string{"a", "b"}[key])
			if err != nil {
				t.Error(err)
				return
			}
			if inside[key].Add(1) != 1 {
				t.Error("two at a time under one key")
			}
			done.Add(1)
			inside[key].Add(-1)
			leave()
		})
	}
	all.Wait()
	if done.Load() != 200 || len(turns.queues) != 0 {
		t.Errorf("%d turns, %d keys are remembered; want 200 and none", done.Load(), len(turns.queues))
	}
}

func TestTake_GivesUpWithItsContext_OtherKeysAreFree(t *testing.T) {
	var turns Turns[string]
	leave, err := turns.Take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() {
		_, err := turns.Take(ctx, "a")
		waiting <- err
	}()
	if other, err := turns.Take(t.Context(), "b"); err != nil {
		t.Error(err)
	} else {
		other()
	}
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
	leave()
	if len(turns.queues) != 0 {
		t.Error("a key is remembered that nobody uses")
	}
}
