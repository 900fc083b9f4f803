package e2e

import (
	"fmt"
	"sync"
	"testing"
	"time"

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

// rage sends leads from many agents at once until the server stops answering. The channel it returns is closed when the
// server has acknowledged enough; wait returns once every agent has given up.
func (s *storm) rage(t *testing.T, a *agent, agents, enough int) (raging <-chan struct{}, wait func()) {
	reached := make(chan struct{})
	var crowd sync.WaitGroup
	for n := range agents {
		crowd.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("storm-%d-%d", n, i)
				s.sent(key)
				result, err := a.try("aap_lead_submit", leadArguments(key))
				if err != nil {
					return
				}
				if result.IsError {
					t.Errorf("%s: %s", key, result.StructuredContent)
					return
				}
				if s.answered(key, decode[struct{ Data outcome }](t, result.StructuredContent).Data.LeadID) == enough {
					close(reached)
				}
			}
		})
	}
	return reached, crowd.Wait
}

// retry submits again what was not answered, until it is, as an agent must: after the time that a refusal names.
func (s *storm) retry(t *testing.T, a *agent) {
	var unanswered []string
	for key, id := range s.acknowledged {
		if id == "" {
			unanswered = append(unanswered, key)
		}
	}
	var crowd sync.WaitGroup
	for _, key := range unanswered {
		crowd.Go(func() {
			for deadline := time.Now().Add(binary.Patience); time.Now().Before(deadline); {
				result, err := a.try("aap_lead_submit", leadArguments(key))
				if err != nil {
					t.Errorf("%s, again: %v", key, err)
					return
				}
				if !result.IsError {
					s.answered(key, decode[struct{ Data outcome }](t, result.StructuredContent).Data.LeadID)
					return
				}
				f := decode[fault](t, result.StructuredContent)
				if !f.Retryable {
					t.Errorf("%s, again: %s", key, result.StructuredContent)
					return
				}
				<-time.After(time.Duration(f.Details.RetryAfterMS) * time.Millisecond)
			}
			t.Errorf("%s, again: no answer within %s", key, binary.Patience)
		})
	}
	crowd.Wait()
}

func TestLead_KilledInAStorm_EveryAcknowledgedLeadIsThereOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startDemo(t, dir)
	s := &storm{acknowledged: map[string]string{}}
	raging, wait := s.rage(t, newAgent(p.Endpoints["mcp"], current), 16, 100)
	select {
	case <-raging:
	case <-time.After(binary.Patience):
		t.Fatal("the server does not acknowledge enough leads")
	}
	p.Kill()
	wait()
	t.Logf("killed after %d acknowledgements of %d submissions", s.acks, len(s.acknowledged))

	p = startDemo(t, dir)
	events := leadEvents(t, p)
	for key, id := range s.acknowledged {
		if id != "" && events[id] != 1 {
			t.Errorf("%s was acknowledged as %s: %d events, want 1", key, id, events[id])
		}
	}

	s.retry(t, newAgent(p.Endpoints["mcp"], current))
	events = leadEvents(t, p)
	if len(events) != len(s.acknowledged) {
		t.Errorf("%d leads in the log, %d keys were sent", len(events), len(s.acknowledged))
	}
	for key, id := range s.acknowledged {
		if events[id] != 1 {
			t.Errorf("%s is %s: %d events, want 1", key, id, events[id])
		}
	}
}
