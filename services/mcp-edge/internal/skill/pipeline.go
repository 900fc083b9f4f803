package skill

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/oklog/ulid/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
)

// How long the service behind a skill may take.
const (
	readWithin = 5 * time.Second
	// LeadWithin bounds lead.submit. It is longer than the leads service takes at most (8 s to claim the key, 10 s of lease to record
	// the lead), so that the outcome is not lost on the way back. A server that drains must wait this long for the leads in flight.
	LeadWithin = 20 * time.Second
	// unreachableRetry is when a service that is away is worth another call: a restart takes about that long.
	unreachableRetry = 2 * time.Second
)

// Config holds what the skills are carried out with. Every field is required.
type Config struct {
	Validator *contract.Validator
	Inventory inventoryv1.InventoryServiceClient
	Leads     leadsv1.LeadsServiceClient
	Logger    *slog.Logger
	Now       func() time.Time
}

// Pipeline carries out calls. It is safe for concurrent use.
type Pipeline struct {
	validator *contract.Validator
	inventory inventoryv1.InventoryServiceClient
	leads     leadsv1.LeadsServiceClient
	log       *slog.Logger
	now       func() time.Time
	known     *known
}

// New builds a pipeline.
func New(cfg Config) (*Pipeline, error) {
	known, err := newKnown()
	if err != nil {
		return nil, err
	}
	return &Pipeline{
		validator: cfg.Validator, inventory: cfg.Inventory, leads: cfg.Leads, log: cfg.Logger, now: cfg.Now, known: known,
	}, nil
}

// Do carries out one call. The payload of the result is appended to buf, which may be nil. Every failure is a result too:
// what the caller can correct keeps its code, anything else is INTERNAL_ERROR and its cause is only logged (R-CALL, R-ERR).
func (p *Pipeline) Do(ctx context.Context, call Call, buf []byte) Result {
	begun := p.now()
	ctx = correlation.With(ctx, call.CorrelationID)
	result, err := p.run(ctx, call, buf)
	if err != nil {
		result = p.failure(ctx, call, err, buf)
	}
	p.log.LogAttrs(ctx, slog.LevelInfo, "call",
		slog.String("correlation_id", call.CorrelationID),
		slog.String("binding", call.Binding),
		slog.String(call.Binding+"_revision", call.Revision),
		slog.String("aap_version", contract.Release),
		slog.String("tenant", call.Tenant.ID),
		slog.String("skill", string(call.Skill)),
		slog.String("outcome", result.outcome()),
		slog.Float64("latency_ms", float64(p.now().Sub(begun))/float64(time.Millisecond)),
		slog.Bool("replayed", result.Replayed),
	)
	return result
}

func (p *Pipeline) run(ctx context.Context, call Call, buf []byte) (Result, error) {
	arguments, err := p.arguments(call)
	if err != nil {
		return Result{}, err
	}
	switch call.Skill {
	case contract.DealerInformation:
		return p.dealer(ctx, call, buf)
	case contract.InventoryFacets:
		return p.facets(ctx, call, arguments, buf)
	case contract.InventorySearch:
		return p.search(ctx, call, arguments, buf)
	case contract.InventoryVehicle:
		return p.vehicle(ctx, call, arguments, buf)
	default:
		return p.submit(ctx, call, arguments, buf)
	}
}

// arguments decodes a request that is valid for its skill. Any other is refused with all of its problems.
func (p *Pipeline) arguments(call Call) (map[string]any, error) {
	if !call.Tenant.Enabled(call.Skill) {
		return nil, contract.NewError(contract.UnsupportedSkill, "This dealership does not offer that service.")
	}
	var value any
	if call.Arguments != nil {
		var err error
		if value, err = contract.DecodeJSON(call.Arguments); err != nil {
			return nil, contract.NewError(contract.SchemaValidationFailed, "The request could not be read.")
		}
	}
	if fault := p.validator.Request(call.Skill, value, p.now()); fault != nil {
		return nil, fault
	}
	object, _ := value.(map[string]any) // the schema has said that it is one
	return object, nil
}

// failure turns an error into an aap.error with an id of its own. What the caller can do nothing about is logged under that id.
func (p *Pipeline) failure(ctx context.Context, call Call, err error, buf []byte) Result {
	errorID := "err_" + ulid.Make().String()
	told := contract.NewError(contract.InternalError, "The dealership's system could not answer. Please try again.")
	if unreachable(err) {
		told.RetryAfter = unreachableRetry
	}
	payload := told.Payload(errorID, p.now())
	var fault *contract.Error
	if errors.As(err, &fault) {
		forCaller := fault.Payload(errorID, p.now())
		if invalid := p.validError(forCaller); invalid != nil {
			err = invalid
		} else {
			told, payload = fault, forCaller
		}
	}
	if told.Code == contract.InternalError {
		p.logFailure(ctx, call, errorID, told, err)
	}
	return Result{Payload: append(buf, payload...), Code: told.Code}
}

// logFailure is at ERROR when something is wrong here, and at INFO when the caller went away or is to come back after a while,
// such as while another attempt holds its key.
func (p *Pipeline) logFailure(ctx context.Context, call Call, errorID string, told *contract.Error, err error) {
	level := slog.LevelError
	if told.RetryAfter > 0 && !unreachable(err) || canceled(err) {
		level = slog.LevelInfo
	}
	p.log.LogAttrs(ctx, level, "call failed",
		slog.String("correlation_id", call.CorrelationID),
		slog.String("error_id", errorID),
		slog.String("tenant", call.Tenant.ID),
		slog.String("skill", string(call.Skill)),
		slog.Any("error", err),
	)
}

// unreachable says that the service behind the skill is away or does not answer, rather than fails.
func unreachable(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted:
		return true
	}
	return false
}

func canceled(err error) bool {
	return errors.Is(err, context.Canceled) || status.Code(err) == codes.Canceled
}
