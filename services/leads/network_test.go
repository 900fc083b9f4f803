package leads_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"google.golang.org/protobuf/types/known/durationpb"

	"forecourt.internal/contract"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// relay is a stretch of network between the leads service and the broker that a test can hold up and cut.
type relay struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	shut  bool
	held  chan struct{} // not nil while what the broker says is held up; closed to let it through
	conns []net.Conn
}

func newRelay(t *testing.T, url string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: l, to: strings.TrimPrefix(url, "nats://")}
	go r.accept()
	t.Cleanup(func() { l.Close(); r.cut() })
	return r
}

func (r *relay) url() string { return "nats://" + r.listener.Addr().String() }

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		broker, err := net.Dial("tcp", r.to)
		if err != nil {
			client.Close()
			continue
		}
		r.mu.Lock()
		r.conns = append(r.conns, client, broker)
		if r.shut {
			client.Close()
		}
		r.mu.Unlock()
		go func() {
			io.Copy(broker, client)
			broker.Close()
		}()
		go r.copyBack(client, broker)
	}
}

// refuse turns new connections away, or no longer.
func (r *relay) refuse(shut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shut = shut
}

func (r *relay) copyBack(client, broker net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := broker.Read(buffer)
		if err != nil {
			client.Close()
			return
		}
		r.mu.Lock()
		held := r.held
		r.mu.Unlock()
		if held != nil {
			<-held
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// hold keeps back everything that the broker says from now on.
func (r *relay) hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = make(chan struct{})
}

// cut ends all connections, with everything that was held back; new ones work.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
	if r.held != nil {
		close(r.held)
		r.held = nil
	}
}

// lostAcknowledgement starts a world in which the broker stores the lead but its acknowledgement is held back. stored is closed
// when the event is in the log.
func lostAcknowledgement(t *testing.T, c crash) (w *world, r *relay, stored chan struct{}) {
	w = newBroker(t)
	w.lease = 3 * time.Second // real time here: half of it, less the margin, passes before the second publish
	r = newRelay(t, w.broker.URL())
	w.route = r.url()
	w.start(c)
	stored = make(chan struct{})
	once := sync.OnceFunc(func() { close(stored) })
	_, err := w.js.Conn().Subscribe("lead.v1.>", func(*nats.Msg) { once() })
	w.must(err)
	w.must(w.js.Conn().Flush())
	// The look-up of the vehicle comes after the claim and before the event.
	w.inventory.answers(func(context.Context, *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		r.hold()
		return &inventoryv1.GetVehicleResponse{}, nil
	})
	return w, r, stored
}

func TestAcknowledgementLost_ConnectionBack_OneAnswerOneEvent(t *testing.T) {
	t.Parallel()
	w, r, stored := lostAcknowledgement(t, nil)
	go func() {
		<-stored
		r.cut()
	}()
	request := w.request(map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5120"}})
	first := w.mustSubmit(request)
	if first.GetReplayed() {
		t.Error("an attempt that published twice took its own event for another's")
	}
	w.wantEvents(1)
	w.wantReplay(request, first)
}

func TestAcknowledgementLost_ForGood_TryLater_ThenResumed(t *testing.T) {
	t.Parallel()
	w, r, _ := lostAcknowledgement(t, nil)
	request := w.request(map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5120"}})
	fault := w.fault(request)
	if fault.Code != contract.InternalError || fault.RetryAfter < margin || fault.RetryAfter >= 2*margin {
		t.Errorf("fault = %v, retry after %v; want a retry when what is left of the lease is over", fault, fault.RetryAfter)
	}
	w.wantEvents(1)
	failed := w.logs.line("lead attempt failed")
	back := make(chan struct{})
	w.link.SetReconnectHandler(func(*nats.Conn) { close(back) })
	r.cut()
	<-back // what is sent before would wait for an answer in vain
	w.clock.advance(w.lease)
	w.inventory.answers(nil)
	resp := w.mustSubmit(request)
	if !resp.GetReplayed() {
		t.Error("the event was there, yet the answer is not marked as replayed")
	}
	if id := leadID(t, resp.GetResponse()); !strings.Contains(failed, "level=ERROR") || !strings.Contains(failed, "lead_id="+id) {
		t.Errorf("the log says %q of an attempt that may have recorded lead %s", failed, id)
	}
	w.wantEvents(1)
	w.wantReplay(request, resp)
}

func TestSameBuyerBehindALostAcknowledgement_TryLater_AndTheKeyComesFree(t *testing.T) {
	t.Parallel()
	var claims atomic.Int32
	shortSecond := func(c idempotencyv1.IdempotencyServiceClient) idempotencyv1.IdempotencyServiceClient {
		return altering{IdempotencyServiceClient: c, answer: func(resp *idempotencyv1.BeginResponse) {
			if claims.Add(1) == 2 { // so that it ends before the first
				resp.GetFresh().Lease = durationpb.New(margin + 100*time.Millisecond)
			}
		}}
	}
	w, r, stored := lostAcknowledgement(t, shortSecond)
	named := map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5120"}}
	ended := make(chan error, 1)
	go func() {
		_, err := w.submit(w.request(named))
		ended <- err
	}()
	<-stored
	w.inventory.answers(nil)
	second := w.again("k-2", nil)
	if fault := w.fault(second); fault.Code != contract.InternalError || fault.RetryAfter == 0 {
		t.Errorf("fault = %v, retry after %v", fault, fault.RetryAfter)
	}
	r.cut()
	w.must(<-ended)
	if w.mustSubmit(second).GetReplayed() {
		t.Error("nothing had been sent, yet the answer is marked as replayed")
	}
	for _, trace := range []string{"was not released", "this one resumes it"} {
		if line := w.logs.line(trace); line != "" {
			t.Errorf("the claim was not given up: %s", line)
		}
	}
	w.wantEvents(2)
}

func TestBrokerAway_TryLater_AndNothingIsSentLate(t *testing.T) {
	w := newBroker(t)
	r := newRelay(t, w.broker.URL())
	w.route = r.url()
	w.start(nil)
	lost := make(chan struct{})
	once := sync.OnceFunc(func() { close(lost) })
	w.link.SetDisconnectErrHandler(func(*nats.Conn, error) { once() })
	w.inventory.answers(func(context.Context, *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		r.refuse(true)
		r.cut()
		<-lost
		return &inventoryv1.GetVehicleResponse{}, nil
	})
	fault := w.fault(w.request(map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5120"}}))
	if fault.Code != contract.InternalError || fault.RetryAfter == 0 {
		t.Errorf("fault = %v, retry after %v", fault, fault.RetryAfter)
	}
	r.refuse(false)
	w.must(w.link.Flush()) // all that the client kept for the broker has arrived
	w.wantEvents(0)
}
