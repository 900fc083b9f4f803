package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

const (
	current = "2026-07-28"
	compat  = "2025-11-25"
	aapMeta = "autoagentprotocol.org/aap"
)

// agent calls the tools of one tenant over plain HTTP.
type agent struct {
	url      string
	revision string
	http     *http.Client
}

func newAgent(url, revision string) *agent {
	return &agent{url: url, revision: revision, http: &http.Client{
		Timeout:   binary.Patience,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}}
}

// rpcResponse is the answer to one JSON-RPC request.
type rpcResponse struct {
	Status int             `json:"-"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// toolResult is the result of tools/call.
type toolResult struct {
	ResultType        string                     `json:"resultType"`
	IsError           bool                       `json:"isError"`
	StructuredContent json.RawMessage            `json:"structuredContent"`
	Content           []textBlock                `json:"content"`
	Meta              map[string]json.RawMessage `json:"_meta"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// request sends one request with nothing but a content type, and on the compatibility revision the version header.
func (a *agent) request(method string, params map[string]any) (rpcResponse, error) {
	if a.revision == current {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    current,
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return rpcResponse{}, err
	}
	return a.post(body)
}

func (a *agent) post(body []byte) (rpcResponse, error) {
	req, err := http.NewRequest(http.MethodPost, a.url, bytes.NewReader(body))
	if err != nil {
		return rpcResponse{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if a.revision == compat {
		req.Header.Set("MCP-Protocol-Version", compat)
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return rpcResponse{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return rpcResponse{}, err
	}
	answer := rpcResponse{Status: resp.StatusCode}
	if err := json.Unmarshal(text, &answer); err != nil {
		return answer, fmt.Errorf("%w in %q", err, text)
	}
	return answer, nil
}

// try calls a tool and returns what went wrong on the way, such as a server that died.
func (a *agent) try(tool string, arguments any) (toolResult, error) {
	answer, err := a.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return toolResult{}, err
	}
	if answer.Error != nil || answer.Status != http.StatusOK {
		return toolResult{}, fmt.Errorf("status %d, error %+v", answer.Status, answer.Error)
	}
	var result toolResult
	return result, json.Unmarshal(answer.Result, &result)
}

// call calls a tool and holds the result to what every result must be (R-CALL).
func (a *agent) call(t *testing.T, tool string, arguments any) toolResult {
	t.Helper()
	result, err := a.try(tool, arguments)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if len(result.Content) != 1 || result.Content[0].Type != "text" {
		t.Fatalf("content = %+v, want one text block", result.Content)
	}
	if diff := cmp.Diff(decode[any](t, result.StructuredContent), decode[any](t, []byte(result.Content[0].Text))); diff != "" {
		t.Errorf("structuredContent and text disagree:\n%s", diff)
	}
	if want := map[string]string{current: "complete"}[a.revision]; result.ResultType != want {
		t.Errorf("resultType = %q, want %q", result.ResultType, want)
	}
	if isFault := decode[fault](t, result.StructuredContent).Type == "aap.error"; result.IsError != isFault {
		t.Errorf("isError = %t on %s", result.IsError, result.StructuredContent)
	}
	return result
}

// must calls a tool that must succeed and decodes its data.
func must[T any](t *testing.T, a *agent, tool string, arguments any) T {
	t.Helper()
	result := a.call(t, tool, arguments)
	if result.IsError {
		t.Fatalf("%s: %s", tool, result.StructuredContent)
	}
	return decode[struct {
		Data T `json:"data"`
	}](t, result.StructuredContent).Data
}

// refuse calls a tool that must answer with an aap.error.
func (a *agent) refuse(t *testing.T, tool string, arguments any) fault {
	t.Helper()
	result := a.call(t, tool, arguments)
	if !result.IsError {
		t.Fatalf("%s was not refused: %s", tool, result.StructuredContent)
	}
	return decode[fault](t, result.StructuredContent)
}

// fault is what the suite reads of an aap.error.
type fault struct {
	Type      string `json:"type"`
	Code      string `json:"code"`
	Retryable bool   `json:"retryable"`
	Details   struct {
		RetryAfterMS int `json:"retry_after_ms"`
		Errors       []struct {
			InstanceLocation string `json:"instanceLocation"`
			Correction       string `json:"correction"`
		} `json:"errors"`
	} `json:"details"`
}

// replayed says whether a result is marked as the outcome of an earlier attempt (R-IDEM).
func replayed(t *testing.T, result toolResult) bool {
	t.Helper()
	raw, ok := result.Meta[aapMeta]
	return ok && decode[struct {
		Replayed bool `json:"replayed"`
	}](t, raw).Replayed
}

func decode[T any](t *testing.T, text []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
