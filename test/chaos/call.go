package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Edge is where agents send leads.
type Edge struct {
	Name, URL string
	HTTP      *http.Client
}

const revision = "2026-07-28"

// Submit makes one call of aap_lead_submit. ctx has the agent's deadline.
func (e *Edge) Submit(ctx context.Context, tenant string, arguments json.RawMessage) Answer {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": "aap_lead_submit", "arguments": arguments, "_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
		},
	}})
	if err != nil {
		return invalid("encode the call: %v", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL+"/aap/v3.0/"+tenant+"/mcp", bytes.NewReader(body))
	if err != nil {
		return invalid("make the call: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	status, text, err := e.exchange(req)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Answer{Outcome: TimedOut, Text: err.Error()}
	case err != nil:
		return Answer{Outcome: Unreachable, Text: err.Error()}
	case status != http.StatusOK:
		return invalid("status %d: %s", status, text)
	}
	return read(text)
}

func (e *Edge) exchange(req *http.Request) (status int, body []byte, err error) {
	resp, err := e.HTTP.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// read holds a response to what every response to tools/call must be (R-CALL).
func read(text []byte) Answer {
	var response struct {
		Result *struct {
			ResultType        string          `json:"resultType"`
			IsError           bool            `json:"isError"`
			StructuredContent json.RawMessage `json:"structuredContent"`
			Content           []struct{ Type, Text string }
			Meta              map[string]struct{ Replayed bool } `json:"_meta"`
		}
	}
	if err := json.Unmarshal(text, &response); err != nil {
		return invalid("%v in %q", err, text)
	}
	r := response.Result
	if r == nil || r.ResultType != "complete" || len(r.Content) != 1 || r.Content[0].Text != string(r.StructuredContent) {
		return invalid("not a complete result with the same text: %s", text)
	}
	var content struct {
		Type      string
		Code      string
		Message   string
		Retryable bool
		Details   struct {
			RetryAfterMS int64 `json:"retry_after_ms"`
		}
		Data struct {
			LeadID string `json:"lead_id"`
		}
	}
	if err := json.Unmarshal(r.StructuredContent, &content); err != nil {
		return invalid("%v in %q", err, r.StructuredContent)
	}
	switch {
	case r.IsError && content.Type == "aap.error" && content.Code != "":
		return Answer{
			Outcome: Refused, Code: content.Code, Retryable: content.Retryable, Text: content.Message,
			RetryAfter: time.Duration(content.Details.RetryAfterMS) * time.Millisecond,
		}
	case !r.IsError && content.Type == "lead.submit.response" && content.Data.LeadID != "":
		return Answer{
			Outcome: Accepted, Body: string(r.StructuredContent), LeadID: content.Data.LeadID,
			Replayed: r.Meta["autoagentprotocol.org/aap"].Replayed,
		}
	}
	return invalid("neither an aap.error nor a lead.submit.response: %s", text)
}

func invalid(format string, args ...any) Answer {
	return Answer{Outcome: Invalid, Text: fmt.Sprintf(format, args...)}
}
