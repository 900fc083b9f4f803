package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/rpc/rpctest"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// dealer answers GetDealer with what the test wants.
type dealer struct {
	inventoryv1.UnimplementedInventoryServiceServer
	answer func(context.Context) (*inventoryv1.GetDealerResponse, error)
}

func (d dealer) GetDealer(ctx context.Context, _ *inventoryv1.GetDealerRequest) (*inventoryv1.GetDealerResponse, error) {
	return d.answer(ctx)
}

func call(t *testing.T, ctx context.Context, log *slog.Logger, answer func(context.Context) (*inventoryv1.GetDealerResponse, error)) error {
	t.Helper()
	conn := rpctest.Serve(t, log, func(r grpc.ServiceRegistrar) {
		inventoryv1.RegisterInventoryServiceServer(r, dealer{answer: answer})
	})
	_, err := inventoryv1.NewInventoryServiceClient(conn).GetDealer(ctx, &inventoryv1.GetDealerRequest{Tenant: "t"})
	return err
}

func TestCall_CarriesContractErrorWhole(t *testing.T) {
	want := &contract.Error{
		Code: contract.VehicleNotFound, Message: "No such vehicle.", RetryAfter: 1500 * time.Millisecond,
		Problems: []contract.Problem{{InstanceLocation: "/vin", Keyword: "exists", Error: "unknown", Correction: "Send another vin."}},
	}
	err := call(t, t.Context(), slog.New(slog.DiscardHandler), func(context.Context) (*inventoryv1.GetDealerResponse, error) { return nil, want })
	var got *contract.Error
	if !errors.As(err, &got) {
		t.Fatalf("err = %v, want a contract.Error", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCall_CarriesCorrelationID(t *testing.T) {
	var got string
	err := call(t, correlation.With(t.Context(), "c-1"), slog.New(slog.DiscardHandler), func(ctx context.Context) (*inventoryv1.GetDealerResponse, error) {
		got = correlation.From(ctx)
		return &inventoryv1.GetDealerResponse{}, nil
	})
	if err != nil || got != "c-1" {
		t.Errorf("correlation id = %q, err = %v; want c-1", got, err)
	}
}

func TestCall_InternalFailure_KeepsItsTextInTheLog(t *testing.T) {
	for name, answer := range map[string]func(context.Context) (*inventoryv1.GetDealerResponse, error){
		"error": func(context.Context) (*inventoryv1.GetDealerResponse, error) { return nil, errors.New("disk on fire") },
		"panic": func(context.Context) (*inventoryv1.GetDealerResponse, error) { panic("disk on fire") },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			err := call(t, t.Context(), slog.New(slog.NewTextHandler(&log, nil)), answer)
			if status.Code(err) != codes.Internal {
				t.Errorf("code = %v, want Internal", status.Code(err))
			}
			if strings.Contains(err.Error(), "disk") {
				t.Errorf("the caller was told %q", err)
			}
			if !strings.Contains(log.String(), "/forecourt.inventory.v1.InventoryService/GetDealer") {
				t.Errorf("log has no trace of the failure: %s", log.String())
			}
		})
	}
}

func TestCall_OnlyTheServicesOwnFailuresAreErrorsInTheLog(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		want   codes.Code
		logged bool
	}{
		"unknown error":      {errors.New("disk on fire"), codes.Internal, true},
		"internal":           {status.Error(codes.Internal, "broken"), codes.Internal, true},
		"unknown":            {status.Error(codes.Unknown, "odd"), codes.Unknown, true},
		"data loss":          {status.Error(codes.DataLoss, "gone"), codes.DataLoss, true},
		"unavailable":        {fmt.Errorf("ask: %w", status.Error(codes.Unavailable, "away")), codes.Unavailable, true},
		"invalid argument":   {status.Error(codes.InvalidArgument, "no key"), codes.InvalidArgument, false},
		"not found":          {status.Error(codes.NotFound, "no tenant"), codes.NotFound, false},
		"lost claim":         {status.Error(codes.FailedPrecondition, "not the owner"), codes.FailedPrecondition, false},
		"canceled":           {fmt.Errorf("wait: %w", context.Canceled), codes.Canceled, false},
		"too late":           {fmt.Errorf("wait: %w", context.DeadlineExceeded), codes.DeadlineExceeded, false},
		"contract error":     {contract.NewError(contract.VehicleNotFound, "No such vehicle."), codes.NotFound, false},
		"contract's refusal": {contract.NewError(contract.InternalError, "In progress; try again."), codes.Unavailable, false},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			err := call(t, t.Context(), slog.New(slog.NewTextHandler(&log, nil)), func(context.Context) (*inventoryv1.GetDealerResponse, error) {
				return nil, c.err
			})
			var fault *contract.Error
			if got := status.Code(err); got != c.want && !errors.As(err, &fault) {
				t.Errorf("code = %v, want %v", got, c.want)
			}
			if logged := strings.Contains(log.String(), "level=ERROR"); logged != c.logged {
				t.Errorf("logged as an error: %t, want %t: %s", logged, c.logged, log.String())
			}
		})
	}
}
