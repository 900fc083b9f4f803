package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"

	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	"forecourt.internal/platform/rpc"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// patience bounds waits that end at once unless something is broken.
const patience = 10 * time.Second

// replica is a dealer's server on a TCP address.
type replica struct {
	address string
	stop    context.CancelFunc
	done    chan error // what Serve returned
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func serveNetwork(t *testing.T, l net.Listener, answer func(context.Context) (*inventoryv1.GetDealerResponse, error)) *replica {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r := &replica{address: l.Addr().String(), stop: stop, done: make(chan error, 1)}
	go func() {
		r.done <- rpc.Serve(ctx, l, slog.New(slog.DiscardHandler), func(r grpc.ServiceRegistrar) {
			inventoryv1.RegisterInventoryServiceServer(r, dealer{answer: answer})
		})
	}()
	t.Cleanup(stop)
	return r
}

func dial(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	conn, err := rpc.Dial(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func getDealer(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := inventoryv1.NewInventoryServiceClient(conn).GetDealer(ctx, &inventoryv1.GetDealerRequest{Tenant: "t"})
	return err
}

func empty(context.Context) (*inventoryv1.GetDealerResponse, error) {
	return &inventoryv1.GetDealerResponse{}, nil
}

// killable is a listener whose connections can be cut off as the system does with those of a killed process.
type killable struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (k *killable) Accept() (net.Conn, error) {
	conn, err := k.Listener.Accept()
	if err == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.conns = append(k.conns, conn)
	}
	return conn, err
}

func (k *killable) kill() {
	k.Listener.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, conn := range k.conns {
		conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}
}

func TestDial_ServerIsKilledForGood_CallInFlightFailsUnavailable(t *testing.T) {
	l := &killable{Listener: listen(t, "127.0.0.1:0")}
	began := make(chan struct{}, 1)
	s := serveNetwork(t, l, func(ctx context.Context) (*inventoryv1.GetDealerResponse, error) {
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	failed := make(chan error, 1)
	conn := dial(t, s.address)
	go func() { failed <- getDealer(t.Context(), conn) }()
	<-began
	l.kill()
	select {
	case err := <-failed:
		if status.Code(err) != codes.Unavailable {
			t.Errorf("err = %v, want UNAVAILABLE", err)
		}
	case <-time.After(patience):
		t.Fatal("the call hangs")
	}
}

func TestDial_ServerIsKilledAndRestarted_CallsFindItAgain(t *testing.T) {
	l := &killable{Listener: listen(t, "127.0.0.1:0")}
	began := make(chan struct{}, 1)
	s := serveNetwork(t, l, func(ctx context.Context) (*inventoryv1.GetDealerResponse, error) {
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	conn := dial(t, s.address)
	inFlight := make(chan error, 1)
	go func() { inFlight <- getDealer(t.Context(), conn) }()
	<-began
	l.kill()
	serveNetwork(t, listen(t, s.address), empty)
	if err := <-inFlight; err != nil {
		t.Errorf("the call in flight: %v, want it repeated", err)
	}
	if err := getDealer(t.Context(), conn); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

func TestDial_Answers_AreNotRepeated(t *testing.T) {
	for name, answer := range map[string]error{
		"that says try later": contract.NewError(contract.InternalError, "Try later."),
		"that refuses":        status.Error(codes.NotFound, "no such tenant"),
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int32
			s := serveNetwork(t, listen(t, "127.0.0.1:0"), func(context.Context) (*inventoryv1.GetDealerResponse, error) {
				calls.Add(1)
				return nil, answer
			})
			if err := getDealer(t.Context(), dial(t, s.address)); err == nil || calls.Load() != 1 {
				t.Errorf("%d calls, err = %v; want one and the answer", calls.Load(), err)
			}
		})
	}
}

// The peer takes what is sent and says nothing more, as a paused process does, or a network that drops packets. It is the one slow
// test: gRPC pings after 10 seconds at the earliest.
func TestDial_PeerThatFallsSilent_IsGivenUpAndTheCallRepeated(t *testing.T) {
	t.Parallel()
	muted := make(chan struct{})
	hangs := serveNetwork(t, listen(t, "127.0.0.1:0"), func(ctx context.Context) (*inventoryv1.GetDealerResponse, error) {
		close(muted) // from here on nothing comes back
		<-ctx.Done()
		return nil, ctx.Err()
	})
	between := listen(t, "127.0.0.1:0")
	go func() {
		in, err := between.Accept()
		between.Close()
		if err == nil {
			relayUntil(muted, in, hangs.address)
		}
	}()
	conn := dial(t, between.Addr().String())
	failed := make(chan error, 1)
	go func() { failed <- getDealer(t.Context(), conn) }()
	<-muted
	for { // until the relay no longer listens, so that its address is free
		other, err := net.Dial("tcp", between.Addr().String())
		if err != nil {
			break
		}
		other.Close()
	}
	serveNetwork(t, listen(t, between.Addr().String()), empty)
	select {
	case err := <-failed:
		if err != nil {
			t.Errorf("err = %v, want the call repeated on a new connection", err)
		}
	case <-time.After(2 * patience):
		t.Error("the call hangs")
	}
}

// relayUntil relays what a client sends to address, and what comes back until muted.
func relayUntil(muted <-chan struct{}, client net.Conn, address string) {
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	go io.Copy(server, client)
	go func() {
		<-muted
		server.SetReadDeadline(time.Unix(1, 0))
	}()
	io.Copy(client, server)
}

func TestServe_ToldToEnd_LetsCallsInFlightEnd(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	s := serveNetwork(t, listen(t, "127.0.0.1:0"), func(context.Context) (*inventoryv1.GetDealerResponse, error) {
		close(began)
		<-release
		return &inventoryv1.GetDealerResponse{}, nil
	})
	answered := make(chan error, 1)
	conn := dial(t, s.address)
	go func() { answered <- getDealer(t.Context(), conn) }()
	<-began
	s.stop()
	for { // until nothing listens any more
		other, err := net.Dial("tcp", s.address)
		if err != nil {
			break
		}
		other.Close()
	}
	select {
	case err := <-s.done:
		t.Fatalf("Serve returned %v with a call in flight", err)
	default:
	}
	close(release)
	if err := errors.Join(<-answered, <-s.done); err != nil {
		t.Error(err)
	}
}

func TestServe_AnswersHealthChecks(t *testing.T) {
	s := serveNetwork(t, listen(t, "127.0.0.1:0"), empty)
	got, err := healthv1.NewHealthClient(dial(t, s.address)).Check(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil || got.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("status = %v, err = %v", got.GetStatus(), err)
	}
}

func TestServe_TakesAMessageThatIsLargerThanUsual(t *testing.T) {
	large := bytes.Repeat([]byte("x"), 8<<20)
	s := serveNetwork(t, listen(t, "127.0.0.1:0"), func(context.Context) (*inventoryv1.GetDealerResponse, error) {
		return &inventoryv1.GetDealerResponse{Dealer: large}, nil
	})
	if err := getDealer(t.Context(), dial(t, s.address)); err != nil {
		t.Error(err)
	}
}
