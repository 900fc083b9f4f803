package world

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

// Service is a running inventory service. Its methods are called directly, so that no figure holds the cost of gRPC.
type Service struct {
	inventoryv1.InventoryServiceServer
	// CaughtUpIn is how long it took to read the stream and be ready.
	CaughtUpIn time.Duration

	stop  context.CancelFunc
	ended chan error
}

// Serve starts a service and waits until it has read the stream.
func Serve(ctx context.Context, js jetstream.JetStream) (*Service, error) {
	ctx, stop := context.WithCancel(ctx)
	s := &Service{stop: stop, ended: make(chan error, 1)}
	service, err := open(ctx, js)
	if err != nil {
		stop()
		return nil, err
	}
	service.Register((*registrar)(s))
	start := time.Now()
	go func() { s.ended <- service.Run(ctx) }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-s.ended:
			stop()
			return nil, fmt.Errorf("the service ended before it was ready: %w", cmp.Or(err, context.Canceled))
		case <-tick.C:
			if service.Ready(ctx) == nil {
				s.CaughtUpIn = time.Since(start)
				return s, nil
			}
		}
	}
}

func open(ctx context.Context, js jetstream.JetStream) (*inventory.Service, error) {
	quiet := slog.New(slog.DiscardHandler)
	store, err := tenants.Open(ctx, js)
	if err != nil {
		return nil, err
	}
	directory, err := store.Watch(ctx, quiet)
	if err != nil {
		return nil, err
	}
	return inventory.New(ctx, inventory.Config{JetStream: js, Tenants: directory, Logger: quiet})
}

// Stop ends the service.
func (s *Service) Stop() error {
	s.stop()
	return <-s.ended
}

// registrar takes what a service would register with a gRPC server.
type registrar Service

func (r *registrar) RegisterService(_ *grpc.ServiceDesc, impl any) {
	if server, ok := impl.(inventoryv1.InventoryServiceServer); ok {
		r.InventoryServiceServer = server
	}
}
