package chaos

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRead_TellsAnswersFromWhatBreaksTheProtocol(t *testing.T) {
	const (
		lead  = `{"type":"lead.submit.response","data":{"lead_id":"lead_1"}}`
		fault = `{"type":"aap.error","code":"INTERNAL_ERROR","message":"Later.","retryable":true,"details":{"retry_after_ms":1500}}`
	)
	result := func(structured, text, rest string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","structuredContent":` + structured +
			`,"content":[{"type":"text","text":` + text + `}]` + rest + `}}`
	}
	quoted := func(s string) string { return quote(t, s) }
	for name, c := range map[string]struct {
		response string
		want     Answer
	}{
		"a lead": {result(lead, quoted(lead), ""), Answer{Outcome: Accepted, Body: lead, LeadID: "lead_1"}},
		"a replay": {
			result(lead, quoted(lead), `,"_meta":{"autoagentprotocol.org/aap":{"replayed":true}}`),
			Answer{Outcome: Accepted, Body: lead, LeadID: "lead_1", Replayed: true},
		},
		"a refusal": {
			result(fault, quoted(fault), `,"isError":true`),
			Answer{Outcome: Refused, Code: "INTERNAL_ERROR", Retryable: true, RetryAfter: 1500 * time.Millisecond, Text: "Later."},
		},
		"an error that is said to be none":   {result(fault, quoted(fault), ""), Answer{Outcome: Invalid}},
		"a lead that is said to be an error": {result(lead, quoted(lead), `,"isError":true`), Answer{Outcome: Invalid}},
		"another text":                       {result(lead, quoted(fault), ""), Answer{Outcome: Invalid}},
		"a response without a lead":          {result(`{"type":"lead.submit.response"}`, quoted(`{"type":"lead.submit.response"}`), ""), Answer{Outcome: Invalid}},
		"a JSON-RPC error":                   {`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}`, Answer{Outcome: Invalid}},
		"a response that is cut off":         {result(lead, quoted(lead), "")[:60], Answer{Outcome: Invalid}},
		"nothing":                            {"", Answer{Outcome: Invalid}},
	} {
		t.Run(name, func(t *testing.T) {
			got := read([]byte(c.response))
			if c.want.Outcome == Invalid {
				got.Text = "" // whatever it says
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func quote(t *testing.T, s string) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
