package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

// halfCall is a call that the edge has begun to read: its body is still to come.
type halfCall struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
	body []byte
}

// beginCall sends the head of a call and returns once the edge asks for the body.
func beginCall(t *testing.T, endpoint, tool string, arguments any) *halfCall {
	t.Helper()
	u, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": arguments,
	}})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nMCP-Protocol-Version: %s\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", u.Path, u.Host, compat, len(body))
	c := &halfCall{t: t, conn: conn, from: bufio.NewReader(conn), body: body}
	if resp := c.response(); resp.StatusCode != http.StatusContinue {
		t.Fatalf("status %d, want 100", resp.StatusCode)
	}
	return c
}

// finish sends the body and returns the result.
func (c *halfCall) finish() toolResult {
	c.t.Helper()
	if _, err := c.conn.Write(c.body); err != nil {
		c.t.Fatal(err)
	}
	resp := c.response()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		c.t.Fatalf("status %d, %v: %s", resp.StatusCode, err, text)
	}
	return decode[toolResult](c.t, decode[rpcResponse](c.t, text).Result)
}

func (c *halfCall) response() *http.Response {
	c.t.Helper()
	resp, err := http.ReadResponse(c.from, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp
}

// interrupt asks the process to end and returns once it drains.
func interrupt(t *testing.T, p *binary.Process, signal syscall.Signal) {
	t.Helper()
	p.Signal(signal)
	eventually(t, "the process says that it drains", func() bool { return adminStatus(t, p, "/readyz") == http.StatusServiceUnavailable })
}

func adminStatus(t *testing.T, p *binary.Process, path string) int {
	t.Helper()
	resp, err := http.Get(p.Endpoints["admin"] + path)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestDrain_AnswersTheCallThatItHasTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startDemo(t, dir)
	for _, path := range []string{"/healthz", "/readyz"} {
		if status := adminStatus(t, p, path); status != http.StatusOK {
			t.Errorf("%s = %d, want 200", path, status)
		}
	}
	call := beginCall(t, p.Endpoints["mcp"], "aap_lead_submit", leadArguments("in-flight"))
	interrupt(t, p, syscall.SIGTERM)
	if status := adminStatus(t, p, "/healthz"); status != http.StatusOK {
		t.Errorf("healthz of a draining process = %d, want 200", status)
	}
	result := call.finish()
	if result.IsError {
		t.Fatalf("the call in flight: %s", result.StructuredContent)
	}
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code = %d, want 0", code)
	}

	p = startDemo(t, dir)
	id := decode[struct{ Data outcome }](t, result.StructuredContent).Data.LeadID
	if diff := cmp.Diff(map[string]int{id: 1}, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}

func TestDrain_SecondInterrupt_EndsAtOnce(t *testing.T) {
	t.Parallel()
	p := startDemo(t, t.TempDir())
	beginCall(t, p.Endpoints["mcp"], "aap_lead_submit", leadArguments("never-finished"))
	interrupt(t, p, syscall.SIGINT)
	eventually(t, "the process is gone", func() bool {
		select {
		case <-p.Closed:
			return true
		default:
			p.Signal(syscall.SIGINT)
			return false
		}
	})
	if code := p.Wait(); code == 0 {
		t.Error("a process that dropped a call ended with 0")
	}
}
