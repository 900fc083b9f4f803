package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"forecourt.internal/test/internal/binary"
)

// storm is a crowd of agents that submit distinct leads until the server is gone.
type storm struct {
	mu sync.Mutex
	// acknowledged holds the lead id by key, "" for a key that was sent and not answered.
	acknowledged map[string]string
	acks         int
}

// sent notes an attempt before it goes out.
func (s *storm) sent(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acknowledged[key] = ""
}

// answered notes an acknowledgement and says how many there are.
func (s *storm) answered(key, leadID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acknowledged[key] = leadID
	s.acks++
	return s.acks
}

// rage sends leads from many agents at once until the server stops answering, and returns when it has acknowledged enough. The
// function it returns waits until every agent has given up; its error is of an answer that is no acknowledgement.
func (s *storm) rage(t *testing.T, a *agent, agents, enough int) (wait func() error) {
	t.Helper()
	reached := make(chan struct{})
	var crowd errgroup.Group
	for n := range agents {
		crowd.Go(func() error {
			for i := 0; ; i++ {
				key := fmt.Sprintf("storm-%d-%d", n, i)
				s.sent(key)
				result, err := a.try("aap_lead_submit", leadArguments(key))
				if err != nil {
					return nil // the server is gone
				}
				id, err := leadID(result)
				if err != nil {
					return fmt.Errorf("%s: %w", key, err)
				}
				if s.answered(key, id) == enough {
					close(reached)
				}
			}
		})
	}
	select {
	case <-reached:
	case <-time.After(binary.Patience):
		t.Fatal("the server does not acknowledge enough leads")
	}
	return crowd.Wait
}

// leadID is the lead that a result acknowledges.
func leadID(result toolResult) (string, error) {
	var response struct{ Data outcome }
	if err := json.Unmarshal(result.StructuredContent, &response); err != nil || response.Data.LeadID == "" {
		return "", fmt.Errorf("no acknowledgement: %s", result.StructuredContent)
	}
	return response.Data.LeadID, nil
}

// retry submits again what was not answered, until it is.
func (s *storm) retry(ctx context.Context, a *agent) error {
	ctx, cancel := context.WithTimeout(ctx, binary.Patience)
	defer cancel()
	var unanswered []string
	for key, id := range s.acknowledged {
		if id == "" {
			unanswered = append(unanswered, key)
		}
	}
	var crowd errgroup.Group
	for _, key := range unanswered {
		crowd.Go(func() error {
			id, err := insist(ctx, a, key)
			if err != nil {
				return fmt.Errorf("%s, again: %w", key, err)
			}
			s.answered(key, id)
			return nil
		})
	}
	return crowd.Wait()
}

// insist submits a lead until it is acknowledged, as an agent must: only when the refusal allows it, and when it says.
func insist(ctx context.Context, a *agent, key string) (string, error) {
	for {
		result, err := a.try("aap_lead_submit", leadArguments(key))
		if err != nil {
			return "", err
		}
		if !result.IsError {
			return leadID(result)
		}
		var refusal fault
		if err := json.Unmarshal(result.StructuredContent, &refusal); err != nil || !refusal.Retryable {
			return "", fmt.Errorf("refused for good: %s", result.StructuredContent)
		}
		if err := holdOff(ctx, time.Duration(refusal.Details.RetryAfterMS)*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// holdOff waits as long as a refusal asks for. That time is the server's to name and part of what is tested; nothing else would
// tell an agent when to come back. The floor keeps the crowd from asking in a hot loop when the refusal names no time.
func holdOff(ctx context.Context, asked time.Duration) error {
	const floor = 20 * time.Millisecond
	timer := time.NewTimer(max(asked, floor))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestLead_KilledInAStorm_EveryAcknowledgedLeadIsThereOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startDemo(t, dir)
	s := &storm{acknowledged: map[string]string{}}
	wait := s.rage(t, newAgent(p.Endpoints["mcp"], current), 16, 100)
	p.Kill()
	if err := wait(); err != nil {
		t.Error(err)
	}
	t.Logf("killed after %d acknowledgements of %d submissions", s.acks, len(s.acknowledged))

	p = startDemo(t, dir)
	events := leadEvents(t, p)
	for key, id := range s.acknowledged {
		if id != "" && events[id] != 1 {
			t.Errorf("%s was acknowledged as %s: %d events, want 1", key, id, events[id])
		}
	}

	if err := s.retry(t.Context(), newAgent(p.Endpoints["mcp"], current)); err != nil {
		t.Fatal(err)
	}
	once := map[string]int{}
	for _, id := range s.acknowledged {
		once[id] = 1
	}
	if diff := cmp.Diff(once, leadEvents(t, p)); diff != "" || len(once) != len(s.acknowledged) {
		t.Errorf("%d keys were sent; events by lead:\n%s", len(s.acknowledged), diff)
	}
}

func TestDemo_TerminatedInAStorm_HoldsExactlyWhatItAcknowledged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startDemo(t, dir)
	s := &storm{acknowledged: map[string]string{}}
	wait := s.rage(t, newAgent(p.Endpoints["mcp"], current), 8, 20)
	if code := p.Terminate(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code = %d, want 0", code)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
	p = startDemo(t, dir)
	acknowledged := map[string]int{}
	for _, id := range s.acknowledged {
		if id != "" {
			acknowledged[id]++
		}
	}
	if diff := cmp.Diff(acknowledged, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}
