package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt.internal/test/internal/binary"
)

// trouble takes a server away and gives it back.
type trouble struct {
	name        string
	begin, mend func()
}

// outage is a server that forecourt works on, with the part of readiness that tells of it.
type outage struct {
	part     string
	troubles func(*system) []trouble
}

var outages = map[string]outage{
	"NATS": {"nats", func(s *system) []trouble {
		return []trouble{
			{"paused", func() { s.broker.signal(syscall.SIGSTOP) }, func() { s.broker.signal(syscall.SIGCONT) }},
			{"killed", s.broker.kill, s.broker.start},
		}
	}},
	"Postgres": {"idempotency", func(s *system) []trouble {
		return []trouble{
			{"paused", func() { s.must(s.postgres.Pause()) }, func() { s.must(s.postgres.Resume()) }},
			{"killed", func() { s.must(s.postgres.Kill()) }, func() { s.must(s.postgres.Restart()) }},
		}
	}},
}

func TestServerAway_LeadsAreToldToComeAgain_AndAllIsWellWhenItIsBack(t *testing.T) {
	t.Parallel()
	for name, o := range outages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := external(t)
			for _, f := range o.troubles(s) {
				a := addDealership(t, s.Process, f.name)
				before := a.call(t, "aap_lead_submit", leadArguments("before"))
				c := crowd{agent: a}
				c.start(t.Context(), 4)
				f.begin()
				isUnready(t, s.Process, o.part)
				meanwhile := atOnce(t, a, []map[string]any{leadArguments("before"), leadArguments("meanwhile")})
				if diff := cmp.Diff(string(before.StructuredContent), string(meanwhile[0].StructuredContent)); diff != "" {
					t.Errorf("%s: a retry of what was recorded before:\n%s", f.name, diff)
				}
				got := decode[fault](t, meanwhile[1].StructuredContent)
				if got.Code != "INTERNAL_ERROR" || !got.Retryable || got.Details.RetryAfterMS <= 0 {
					t.Errorf("%s: %+v, want INTERNAL_ERROR that says when to come again", f.name, got)
				}
				f.mend()
				eventually(t, f.name+": ready again", func() bool { return adminStatus(t, s.Process, "/readyz") == http.StatusOK })
				once, err := c.end()
				if err != nil {
					t.Fatalf("%s: %v", f.name, err)
				}
				once[leadOf(t, before)]++
				id, err := insist(t.Context(), a, "meanwhile")
				if err != nil {
					t.Fatalf("%s: the refused lead again: %v", f.name, err)
				}
				once[id]++
				if diff := cmp.Diff(once, leadEventsOf(t, s.Process, f.name)); diff != "" {
					t.Errorf("%s: events by lead, and how many keys were acknowledged with it:\n%s", f.name, diff)
				}
			}
		})
	}
}

// isUnready waits until readiness tells of a part that is away. The process lives on.
func isUnready(t *testing.T, p *binary.Process, part string) {
	t.Helper()
	eventually(t, part+" is not ready", func() bool {
		status, parts := readiness(t, p)
		return status == http.StatusServiceUnavailable && parts[part] != "" && parts[part] != "ok"
	})
	if status := adminStatus(t, p, "/healthz"); status != http.StatusOK {
		t.Errorf("healthz = %d, want 200", status)
	}
}

func readiness(t *testing.T, p *binary.Process) (status int, parts map[string]string) {
	t.Helper()
	resp, err := http.Get(p.Endpoints["admin"] + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&parts); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, parts
}

// crowd is agents that submit distinct leads, each until it is acknowledged.
type crowd struct {
	agent  *agent
	over   atomic.Bool
	agents errgroup.Group
	mu     sync.Mutex
	told   map[string]int // how many keys were acknowledged with each lead
}

func (c *crowd) start(ctx context.Context, agents int) {
	c.told = map[string]int{}
	for n := range agents {
		c.agents.Go(func() error {
			for i := 0; !c.over.Load(); i++ {
				id, err := insist(ctx, c.agent, fmt.Sprintf("crowd-%d-%d", n, i))
				if err != nil {
					return err
				}
				c.mu.Lock()
				c.told[id]++
				c.mu.Unlock()
			}
			return nil
		})
	}
}

// end lets every agent come to the end of its lead.
func (c *crowd) end() (map[string]int, error) {
	c.over.Store(true)
	return c.told, c.agents.Wait()
}

// A caller whose lead hangs in the middle goes away; the lead does not.
func TestCallerLeavesInTheMiddle_RecordedOnce_TheRetryReplays(t *testing.T) {
	t.Parallel()
	s := external(t)
	a, lead := addDealership(t, s.Process, "middle"), leadArguments("middle")
	s.broker.signal(syscall.SIGSTOP)
	call := beginCall(t, a.url, "aap_lead_submit", lead)
	if _, err := call.conn.Write(call.body); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the key is claimed", func() bool { return s.claims(t) == 1 })
	if err := call.conn.Close(); err != nil {
		t.Fatal(err)
	}
	s.broker.signal(syscall.SIGCONT)
	eventually(t, "the lead is recorded", func() bool { return len(leadEvents(t, s.Process)) == 1 })
	again := a.call(t, "aap_lead_submit", lead)
	if !replayed(t, again) {
		t.Errorf("the retry is answered as a new lead: %s", again.StructuredContent)
	}
	if diff := cmp.Diff(map[string]int{leadOf(t, again): 1}, leadEvents(t, s.Process)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}

// claims counts the rows of keys.
func (s *system) claims(t *testing.T) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.postgres.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM idempotency.claims").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
