package e2e

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

// tail is a running `forecourt leads tail --json`.
type tail struct {
	t     *testing.T
	lines chan string
}

// tailed is what the suite reads of its lines.
type tailed struct {
	Type   string `json:"type"`
	Tenant string `json:"tenant"`
	LeadID string `json:"lead_id"`
	Data   struct {
		Caller              string          `json:"caller"`
		Request             json.RawMessage `json:"request"`
		Response            json.RawMessage `json:"response"`
		PossibleDuplicateOf string          `json:"possible_duplicate_of"`
	} `json:"data"`
}

// startTail runs until the test ends.
func startTail(t *testing.T, p *binary.Process, tenant string) *tail {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary.Path, "leads", "tail", "--tenant", tenant, "--json", "--nats-url", p.Endpoints["nats"])
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tail := &tail{t, make(chan string, 16)}
	go func() {
		defer close(tail.lines)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			tail.lines <- lines.Text()
		}
		_ = cmd.Wait() // the end of the test ends it
	}()
	return tail
}

func (l *tail) next() tailed {
	l.t.Helper()
	select {
	case line := <-l.lines:
		return decode[tailed](l.t, []byte(line))
	case <-time.After(binary.Patience):
		l.t.Fatal("nothing comes")
		return tailed{}
	}
}

func tailAndGet(t *testing.T, s *system) {
	const tenant, submitted = "tailed", "forecourt.lead.submitted.v1"
	a := addDealership(t, s.Process, tenant)
	before := a.call(t, "aap_lead_submit", leadArguments("before"))
	lines := startTail(t, s.Process, tenant)
	want := tailed{Type: submitted, Tenant: tenant, LeadID: leadOf(t, before)}
	want.Data.Caller = "public|e2e"
	shows := func(result toolResult, lead map[string]any) {
		t.Helper()
		got := lines.next()
		if diff := cmp.Diff(string(result.StructuredContent), string(got.Data.Response)); diff != "" {
			t.Errorf("response:\n%s", diff)
		}
		asked, err := json.Marshal(lead)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decode[any](t, asked), decode[any](t, got.Data.Request)); diff != "" {
			t.Errorf("request:\n%s", diff)
		}
		got.Data.Request, got.Data.Response = nil, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line:\n%s", diff)
		}
	}
	shows(before, leadArguments("before"))

	elsewhere := addDealership(t, s.Process, tenant+"-not")
	elsewhere.call(t, "aap_lead_submit", leadArguments("elsewhere"))
	other := with(leadArguments("live"), map[string]any{"source_agent": map[string]any{"name": "another"}})
	live := a.call(t, "aap_lead_submit", other)
	want.LeadID, want.Data.Caller, want.Data.PossibleDuplicateOf = leadOf(t, live), "public|another", leadOf(t, before)
	shows(live, other)
	if got := decode[struct{ Data outcome }](t, live.StructuredContent).Data; got.Status != "received" || got.LeadID == leadOf(t, before) {
		t.Errorf("a public caller is told of a lead that there was before: %+v", got)
	}

	got := decode[tailed](t, []byte(operate(t, s.Process, "", "leads", "get", "--json", "--tenant", tenant, leadOf(t, live))))
	got.Data.Request, got.Data.Response = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("leads get:\n%s", diff)
	}
}
