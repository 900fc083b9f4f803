package mcpedge_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// patience bounds waits that end at once unless something is broken.
const patience = 10 * time.Second

// server is an edge on a real listener.
type server struct {
	t      testing.TB
	addr   string
	client *http.Client
	stop   context.CancelFunc
	done   chan error // what Serve returned
}

func (w *world) listen() *server {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{t: w.t, addr: l.Addr().String(), client: &http.Client{Transport: &http.Transport{}}, stop: cancel, done: make(chan error, 1)}
	go func() { s.done <- w.edge.Serve(ctx, l) }()
	w.t.Cleanup(func() {
		cancel()
		s.client.CloseIdleConnections()
	})
	return s
}

func (s *server) request(body string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.addr+"/aap/v3.0/alpha/mcp", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

// do may run beside the test, so its failures do not end it.
func (s *server) do(r *http.Request) reply {
	s.t.Helper()
	response, err := s.client.Do(r)
	if err != nil {
		s.t.Error(err)
		return reply{}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Error(err)
		return reply{}
	}
	return readReply(s.t, response.StatusCode, response.Header, raw)
}

// returned waits for Serve to end.
func (s *server) returned() error {
	s.t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		s.t.Fatal("Serve did not return")
		return nil
	}
}

func wait(t testing.TB, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf("%s: not within %s", what, patience)
	}
}

func submitLead() string {
	return current("tools/call", `"name":"aap_lead_submit"`, `"arguments":`+validLead)
}

func TestServe_DrainsCallsInFlight(t *testing.T) {
	w := newWorld(t)
	began, release := make(chan struct{}), make(chan struct{})
	w.leads.answer(outcomes{hold: func(context.Context) {
		close(began)
		<-release
	}})
	s := w.listen()
	answered := make(chan reply, 1)
	go func() { answered <- s.do(s.request(submitLead())) }()
	wait(t, began, "the call to reach the service")

	s.stop()
	for { // until the listener is closed
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			break
		}
		conn.Close()
	}
	select {
	case err := <-s.done:
		t.Fatalf("Serve returned %v with a call in flight", err)
	default:
	}
	close(release)
	if err := s.returned(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got := <-answered; got.structured()["type"] != "lead.submit.response" {
		t.Errorf("answer: %s", got.raw)
	}
}

// R-IDEM's edge part: what has been handed over is not cancelled by the caller.
func TestR_IDEM_LeadIsNotCancelledWithItsRequest(t *testing.T) {
	w := newWorld(t)
	began, release := make(chan struct{}), make(chan struct{})
	w.leads.answer(outcomes{hold: func(context.Context) {
		close(began)
		<-release
	}})
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/aap/v3.0/alpha/mcp", strings.NewReader(submitLead()))
	r.Header.Set("Content-Type", "application/json")
	answered := make(chan reply, 1)
	go func() { answered <- w.do(r) }()
	wait(t, began, "the call to reach the service")
	cancel()
	close(release)
	if got := <-answered; got.structured()["type"] != "lead.submit.response" {
		t.Errorf("answer: %s", got.raw)
	}
}

// Shutdown waits for a lead even when nobody waits for its answer.
func TestR_IDEM_LeadGoesOnWhenItsCallerLeaves(t *testing.T) {
	w := newWorld(t)
	began, release := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	w.leads.answer(outcomes{hold: func(ctx context.Context) {
		close(began)
		<-release
		ended <- ctx.Err()
	}})
	s := w.listen()
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if response, err := s.client.Do(s.request(submitLead()).WithContext(ctx)); err == nil {
			response.Body.Close()
		}
	}()
	wait(t, began, "the call to reach the service")
	leave()
	wait(t, gone, "the caller to leave")
	s.stop()
	close(release)
	if err := <-ended; err != nil {
		t.Errorf("the service's context: %v, want it alive", err)
	}
	if err := s.returned(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	lines := w.log.lines("call")
	if len(lines) != 1 || lines[0]["outcome"] != "OK" {
		t.Errorf("log lines: %v", lines)
	}
}

func TestServe_ReadsAreCancelledWhenTheirCallerLeaves(t *testing.T) {
	w := newWorld(t)
	began, cancelled := make(chan struct{}), make(chan struct{})
	w.inventory.answer(stock{hold: func(ctx context.Context) {
		close(began)
		<-ctx.Done()
		close(cancelled)
	}})
	s := w.listen()
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		body := current("tools/call", `"name":"aap_dealer_information"`, `"arguments":{"type":"dealer.information.request"}`)
		if response, err := s.client.Do(s.request(body).WithContext(ctx)); err == nil {
			response.Body.Close()
		}
	}()
	wait(t, began, "the call to reach the service")
	leave()
	wait(t, cancelled, "the call to be cancelled")
}

func TestServe_OversizedHeaderIsRefused(t *testing.T) {
	w := newWorld(t)
	s := w.listen()
	r := s.request(current("tools/list"))
	r.Header.Set("X-Padding", strings.Repeat("x", 128<<10))
	if got := s.do(r); got.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status = %d, want 431", got.status)
	}
}

func TestServe_BodyOver1MiBIsRefusedBeforeItIsSent(t *testing.T) {
	w := newWorld(t)
	s := w.listen()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// One byte more than is allowed of a body declared to be far larger.
	io.WriteString(conn, "POST /aap/v3.0/alpha/mcp HTTP/1.1\r\nHost: "+s.addr+"\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n")
	io.WriteString(conn, strings.Repeat(" ", 1<<20+1))
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status = %d, want 413", response.StatusCode)
	}
}
