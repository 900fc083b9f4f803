package leads_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	"forecourt.internal/contract"
	"forecourt.internal/platform/eventually"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/rpc"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/idempotency"
	"forecourt.internal/services/leads"
)

const (
	dealership = "demo-toyota"
	rival      = "rival-motors"
	caller     = "public|harbor-shopper"
	lease      = 10 * time.Second
)

// dealers are the tenants: one with numbers to call and hours at both rooftops, one without.
var dealers = []*tenant.Document{
	{ID: dealership, Name: "Demo Toyota", Rooftops: []tenant.Rooftop{
		{Name: "North", Phones: []tenant.NamedValue{{Value: "ask for Jo"}, {Value: "+15105550142"}}, Timezone: zone, Schedules: everyDay},
		{Name: "South", Phones: []tenant.NamedValue{{Value: "+15105550199"}}, Timezone: zone, Schedules: everyDay},
	}},
	{ID: rival, Name: "Rival Motors", Rooftops: []tenant.Rooftop{{Name: "Main", Phones: []tenant.NamedValue{{Value: "call us"}}}}},
}

const zone = "America/Los_Angeles"

// everyDay is open from 09:00 to 17:00.
var everyDay = []tenant.Schedule{{Name: "sales", Value: func() map[string]*tenant.Hours {
	week := make(map[string]*tenant.Hours)
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		week[day] = &tenant.Hours{Open: "09:00", Close: "17:00"}
	}
	return week
}()}}

// world is the leads and idempotency services over one broker, wired as in the one-process binary, beside an inventory that
// answers as the test wants.
type world struct {
	t         *testing.T
	broker    *natstest.Broker
	js        jetstream.JetStream // of the services
	route     string              // URL by which the leads service reaches the broker; "" is inside the process
	link      *nats.Conn          // on that route
	lease     time.Duration
	clock     *clock
	inventory *inventory
	logs      *logs

	idempotency idempotencyv1.IdempotencyServiceClient
	leads       leadsv1.LeadsServiceClient
	service     *leads.Service
	stop        []func()
}

// crash replaces the idempotency client that the leads service gets, to stop an attempt at a step.
type crash func(idempotencyv1.IdempotencyServiceClient) idempotencyv1.IdempotencyServiceClient

func newWorld(t *testing.T) *world {
	w := newBroker(t)
	w.start(nil)
	return w
}

// newBroker is a world whose services have not been started.
func newBroker(t *testing.T) *world {
	w := &world{t: t, broker: natstest.Start(t), lease: lease, clock: &clock{}, inventory: &inventory{}, logs: &logs{}}
	t.Cleanup(w.stopServices)
	return w
}

// restart stops the services and the broker and starts them on the same data.
func (w *world) restart() {
	w.stopServices()
	w.broker.Restart()
	w.start(nil)
}

func (w *world) start(c crash) {
	w.t.Helper()
	w.js = w.broker.JetStream()
	store, err := tenants.Open(w.t.Context(), w.js)
	w.must(err)
	for _, document := range dealers {
		w.must(store.Put(w.t.Context(), document))
	}
	directory, err := store.Watch(w.t.Context(), w.logs.logger())
	w.must(err)

	claims, err := idempotency.New(w.t.Context(), idempotency.Config{
		JetStream: w.js, Lease: w.lease, Logger: w.logs.logger(), Now: w.clock.Now,
	})
	w.must(err)
	w.idempotency = idempotencyv1.NewIdempotencyServiceClient(w.serve(claims.Register))
	client := w.idempotency
	if c != nil {
		client = c(client)
	}
	service, err := leads.New(w.t.Context(), leads.Config{
		JetStream: w.leadsJetStream(), Tenants: directory, Idempotency: client, Logger: w.logs.logger(), Now: w.clock.Now,
		Inventory: inventoryv1.NewInventoryServiceClient(w.serve(func(r grpc.ServiceRegistrar) {
			inventoryv1.RegisterInventoryServiceServer(r, w.inventory)
		})),
	})
	w.must(err)
	w.service = service
	w.leads = leadsv1.NewLeadsServiceClient(w.serve(service.Register))
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	w.stop = append(w.stop, func() {
		cancel()
		if err := <-ended; err != nil && !w.js.Conn().IsClosed() { // as some tests do
			w.t.Error(err)
		}
	})
	w.untilReady(service)
}

func (w *world) leadsJetStream() jetstream.JetStream {
	w.t.Helper()
	if w.route == "" {
		return w.js
	}
	nc, err := nats.Connect(w.route, nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
	w.must(err)
	w.t.Cleanup(nc.Close)
	w.link = nc
	js, err := jetstream.New(nc)
	w.must(err)
	return js
}

// serve runs a gRPC server on a pipe and connects to it.
func (w *world) serve(register func(grpc.ServiceRegistrar)) grpc.ClientConnInterface {
	w.t.Helper()
	pipe, server := rpc.NewPipe(), rpc.NewServer(w.logs.logger())
	register(server)
	go server.Serve(pipe.Listener())
	conn, err := pipe.Dial()
	w.must(err)
	w.stop = append(w.stop, func() { conn.Close(); server.Stop() })
	return conn
}

// untilReady waits until the service knows the leads that there are.
func (w *world) untilReady(service *leads.Service) {
	w.t.Helper()
	eventually.Is(w.t, "ready", func() bool { return service.Ready(w.t.Context()) == nil })
}

// emptyStore takes everything from the idempotency service, and lets a lease pass so that a new attempt would make another lead id.
func (w *world) emptyStore() {
	w.t.Helper()
	stream, err := w.js.Stream(w.t.Context(), "KV_IDEMPOTENCY")
	w.must(err)
	w.must(stream.Purge(w.t.Context()))
	w.clock.advance(w.lease)
}

func (w *world) stopServices() {
	for i := len(w.stop) - 1; i >= 0; i-- {
		w.stop[i]()
	}
	w.stop = nil
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// submit sends a request of the usual caller to the usual dealership.
func (w *world) submit(request []byte) (*leadsv1.SubmitResponse, error) {
	return w.submitAs(w.t.Context(), dealership, caller, request)
}

func (w *world) submitAs(ctx context.Context, tenant, caller string, request []byte) (*leadsv1.SubmitResponse, error) {
	return w.leads.Submit(ctx, &leadsv1.SubmitRequest{Tenant: tenant, Caller: caller, Request: request})
}

func (w *world) mustSubmit(request []byte) *leadsv1.SubmitResponse {
	w.t.Helper()
	resp, err := w.submit(request)
	w.must(err)
	return resp
}

// fault submits and returns the failure that the caller must be told.
func (w *world) fault(request []byte) *contract.Error {
	w.t.Helper()
	resp, err := w.submit(request)
	var fault *contract.Error
	if !errors.As(err, &fault) {
		w.t.Fatalf("response %s, err = %v; want a contract.Error", resp.GetResponse(), err)
	}
	return fault
}

// events counts the events of a tenant's leads in the log.
func (w *world) events(tenant string) int {
	w.t.Helper()
	stream, err := w.js.Stream(w.t.Context(), "LEADS")
	w.must(err)
	info, err := stream.Info(w.t.Context(), jetstream.WithSubjectFilter("lead.v1."+tenant+".*"))
	w.must(err)
	n := 0
	for _, count := range info.State.Subjects {
		n += int(count)
	}
	return n
}

func (w *world) wantEvents(n int) {
	w.t.Helper()
	if got := w.events(dealership); got != n {
		w.t.Errorf("events = %d, want %d", got, n)
	}
}
