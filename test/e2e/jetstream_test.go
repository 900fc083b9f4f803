package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/test/internal/binary"
)

// openJetStream connects to the broker of a process.
func openJetStream(t *testing.T, p *binary.Process) (js jetstream.JetStream, end func()) {
	t.Helper()
	nc, err := nats.Connect(p.Endpoints["nats"])
	if err != nil {
		t.Fatal(err)
	}
	if js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	return js, nc.Close
}

// messages reads a stream from its beginning.
func messages(t *testing.T, p *binary.Process, name string) []*jetstream.RawStreamMsg {
	t.Helper()
	js, end := openJetStream(t, p)
	defer end()
	stream, err := js.Stream(t.Context(), name) // with its state
	if err != nil {
		t.Fatal(err)
	}
	state := stream.CachedInfo().State
	var all []*jetstream.RawStreamMsg
	for seq := max(1, state.FirstSeq); seq <= state.LastSeq; seq++ {
		msg, err := stream.GetMsg(t.Context(), seq)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound): // deleted
		case err != nil:
			t.Fatal(err)
		default:
			all = append(all, msg)
		}
	}
	return all
}

// leadEvents counts the leads' events in the log by the lead they are about.
func leadEvents(t *testing.T, p *binary.Process) map[string]int { return leadEventsOf(t, p, "") }

// leadEventsOf is leadEvents of one tenant, or of all for "".
func leadEventsOf(t *testing.T, p *binary.Process, tenant string) map[string]int {
	t.Helper()
	events := map[string]int{}
	for _, msg := range messages(t, p, "LEADS") {
		token := strings.Split(msg.Subject, ".")
		if token[0] == "lead" && (tenant == "" || token[2] == tenant) {
			events[msg.Header.Get("ce-subject")]++
		}
	}
	return events
}
