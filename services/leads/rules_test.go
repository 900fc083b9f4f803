package leads_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

var (
	errUnknown    = contract.NewError(contract.VehicleNotFound, "Unknown.")
	errOutOfStock = contract.NewError(contract.VehicleUnavailable, "Sold.")
	errMismatch   = contract.NewError(contract.SchemaValidationFailed, "Two vehicles.")
	errDown       = status.Error(codes.Unavailable, "down")
	errBroken     = contract.NewError(contract.InternalError, "Broken.")

	vehicle   = map[string]any{"vin": "4T1DAACK5SU512044", "stock": "T5120", "vehicle_id": "veh_1"}
	testDrive = map[string]any{"appointment_type": "test_drive"}
)

// The event repeats the agent's name, as the caller's, so it can be larger than the broker takes when the request is not.
func TestLead_TooLargeForTheLog_Refused_AndTheKeyStaysFree(t *testing.T) {
	w := newWorld(t)
	name := strings.Repeat("a", 1<<20)
	large := w.request(map[string]any{"source_agent": map[string]any{"name": name}})
	_, err := w.submitAs(t.Context(), dealership, "public|"+name, large)
	var fault *contract.Error
	if !errors.As(err, &fault) || fault.Code != contract.SchemaValidationFailed || fault.RetryAfter != 0 {
		t.Fatalf("err = %v, want a refusal", err)
	}
	_, err = w.submitAs(t.Context(), dealership, "public|"+name, w.request(nil))
	w.must(err)
	w.wantEvents(1)
}

func TestRules_RefuseWithCodeAndCorrection_AndTheKeyStaysFree(t *testing.T) {
	vehicleProblem := func(what string, which string) contract.Problem {
		return contract.Problem{
			InstanceLocation: "/vehicle_of_interest", Keyword: "in_stock", Error: "A test drive is requested of a vehicle that is " + what + ".",
			Correction: "Send the vehicle_id of " + which + " vehicle that inventory.search returns, or leave out the test drive.",
		}
	}
	notInStock := vehicleProblem("not in the dealership's stock", "a")
	for name, test := range map[string]struct {
		change    func(w *world) map[string]any
		inventory error
		code      contract.Code
		problems  []contract.Problem // nil: at least one, each with a correction
	}{
		"channel not consented": {
			change: func(w *world) map[string]any {
				return map[string]any{"customer": map[string]any{
					"first_name": "Ines", "last_name": "Okafor", "email": "i@mail.example", "phone": "+15105550100", "preferred_contact": "phone",
				}}
			},
			code: contract.ContactConsentRequired,
		},
		"consent in the future": {
			change: func(w *world) map[string]any {
				return map[string]any{"consent": w.consent(map[string]any{
					"granted_at": w.clock.Now().Add(6 * time.Minute).UTC().Format(time.RFC3339),
				})}
			},
			code: contract.InvalidConsent,
		},
		"consent expired": {
			change: func(w *world) map[string]any {
				return map[string]any{"consent": w.consent(map[string]any{"expires_at": "2026-01-03T00:00:00Z"})}
			},
			code: contract.InvalidConsent,
		},
		"consent of another scope": {
			change: func(w *world) map[string]any {
				return map[string]any{"consent": w.consent(map[string]any{"scope": []string{"marketing"}})}
			},
			code: contract.InvalidConsent,
		},
		"condition of the wrong vocabulary": {
			change: func(*world) map[string]any { return map[string]any{"trade_in": map[string]any{"condition": "cpo"}} },
			code:   contract.InvalidCondition,
		},
		"test drive of no vehicle": {
			change: func(*world) map[string]any { return map[string]any{"appointment": testDrive} },
			code:   contract.MissingRequiredField,
		},
		"test drive of an unknown vehicle": {
			change: func(*world) map[string]any {
				return map[string]any{"appointment": testDrive, "vehicle_of_interest": vehicle}
			},
			inventory: errUnknown, code: contract.VehicleNotFound, problems: []contract.Problem{notInStock},
		},
		"test drive of two vehicles in one": {
			change: func(*world) map[string]any {
				return map[string]any{"appointment": testDrive, "vehicle_of_interest": vehicle}
			},
			inventory: errMismatch, code: contract.VehicleNotFound, problems: []contract.Problem{notInStock},
		},
		"test drive of a sold vehicle": {
			change: func(*world) map[string]any {
				return map[string]any{"appointment": testDrive, "vehicle_of_interest": vehicle}
			},
			inventory: errOutOfStock, code: contract.VehicleUnavailable,
			problems: []contract.Problem{vehicleProblem("no longer in stock", "another")},
		},
		"several kinds at once": {
			change: func(w *world) map[string]any {
				return map[string]any{
					"appointment": testDrive, "vehicle_of_interest": vehicle, "trade_in": map[string]any{"condition": "cpo"},
					"consent": w.consent(map[string]any{"scope": []string{"marketing"}}),
				}
			},
			inventory: errUnknown, code: contract.SchemaValidationFailed,
			problems: []contract.Problem{
				{InstanceLocation: "/consent/scope/0", Keyword: "const", Error: "The consent is for something else.",
					Correction: `Send a consent of the scope ["lead_submission"].`},
				{InstanceLocation: "/trade_in/condition", Keyword: "enum", Error: "The value is not one of those allowed.",
					Correction: `Send "excellent", "good", "fair" or "poor".`},
				notInStock,
			},
		},
		"refused in any case, and the inventory is down": {
			change: func(*world) map[string]any {
				return map[string]any{"appointment": testDrive, "vehicle_of_interest": vehicle, "trade_in": map[string]any{"condition": "cpo"}}
			},
			inventory: errDown, code: contract.InvalidCondition,
		},
		"test drive while the inventory is down": {
			change: func(*world) map[string]any {
				return map[string]any{"appointment": testDrive, "vehicle_of_interest": vehicle}
			},
			inventory: errDown, code: contract.InternalError, problems: []contract.Problem{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if test.inventory != nil {
				w.inventory.fails(test.inventory)
			}
			fault := w.fault(w.request(test.change(w)))
			if fault.Code != test.code || fault.Code.Retryable() != (fault.RetryAfter > 0) {
				t.Errorf("fault = %v, retry after %v; want %s", fault, fault.RetryAfter, test.code)
			}
			if test.problems == nil && len(fault.Problems) == 0 {
				t.Error("no problem is listed")
			}
			for _, p := range fault.Problems {
				if p.Correction == "" || p.InstanceLocation == "" {
					t.Errorf("problem %+v says not what to send instead", p)
				}
			}
			if len(test.problems) > 0 {
				if diff := cmp.Diff(test.problems, fault.Problems); diff != "" {
					t.Error(diff)
				}
			}
			w.wantEvents(0)
			w.inventory.answers(nil)
			if w.mustSubmit(w.request(nil)).GetReplayed() { // corrected, under the same key
				t.Error("the corrected lead is marked as replayed")
			}
			w.wantEvents(1)
		})
	}
}

func TestVehicleOfInterest_WithoutTestDrive_LeadIsTakenAndSaysSo(t *testing.T) {
	unchecked := "The lead was received. Whether the vehicle of interest is in stock could not be checked; the dealership will tell."
	for name, test := range map[string]struct {
		inventory error
		message   string
	}{
		"in stock":          {nil, ""},
		"unknown":           {errUnknown, "The lead was received, but the vehicle of interest is not in the dealership's stock."},
		"two in one":        {errMismatch, "The lead was received, but the vehicle of interest is not in the dealership's stock."},
		"sold":              {errOutOfStock, "The lead was received, but the vehicle of interest is no longer in stock."},
		"inventory down":    {errDown, unchecked},
		"inventory failing": {errBroken, unchecked},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if test.inventory != nil {
				w.inventory.fails(test.inventory)
			}
			resp := w.mustSubmit(w.request(map[string]any{
				"vehicle_of_interest": vehicle, "appointment": map[string]any{"appointment_type": "sales"},
			}))
			var got struct{ Message string }
			w.must(json.Unmarshal(resp.GetResponse(), &got))
			if got.Message != test.message {
				t.Errorf("message = %q, want %q", got.Message, test.message)
			}
			w.wantEvents(1)
		})
	}
}

func TestVehicleOfInterest_IsLookedUpByAllItsNames(t *testing.T) {
	w := newWorld(t)
	asked := make(chan *inventoryv1.GetVehicleRequest, 4)
	w.inventory.answers(func(_ context.Context, req *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		asked <- req
		return &inventoryv1.GetVehicleResponse{}, nil
	})
	w.mustSubmit(w.request(map[string]any{"vehicle_of_interest": map[string]any{"make": "Toyota", "stock": ""}})) // not named
	w.mustSubmit(w.request(map[string]any{"vehicle_of_interest": vehicle, "idempotency_key": "k-2"}))
	close(asked)
	var got [][4]string
	for req := range asked {
		got = append(got, [4]string{req.GetTenant(), req.GetVin(), req.GetStock(), req.GetVehicleId()})
	}
	if diff := cmp.Diff([][4]string{{dealership, "4T1DAACK5SU512044", "T5120", "veh_1"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestInventorySilent_LeadIsTakenAfterTheDeadline(t *testing.T) {
	t.Parallel() // it takes the deadline's two seconds
	w := newWorld(t)
	w.inventory.answers(func(ctx context.Context, _ *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	w.mustSubmit(w.request(map[string]any{"vehicle_of_interest": vehicle}))
	w.wantEvents(1)
}

func TestSubmit_RefusesWhatIsNoRequest(t *testing.T) {
	w := newWorld(t)
	for name, test := range map[string]struct {
		tenant, caller, request string
		code                    codes.Code
	}{
		"unknown tenant":        {"nobody", caller, string(w.request(nil)), codes.NotFound},
		"tenant of many tokens": {"a.>", caller, string(w.request(nil)), codes.InvalidArgument},
		"no tenant":             {"", caller, string(w.request(nil)), codes.InvalidArgument},
		"no caller scope":       {dealership, "", string(w.request(nil)), codes.InvalidArgument},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.submitAs(t.Context(), test.tenant, test.caller, []byte(test.request))
			if status.Code(err) != test.code {
				t.Errorf("err = %v, want %v", err, test.code)
			}
		})
	}
	for name, test := range map[string]struct {
		request string
		code    contract.Code
	}{
		"not JSON":       {`{"idempotency_key":`, contract.SchemaValidationFailed},
		"not an object":  {`["idempotency_key"]`, contract.SchemaValidationFailed},
		"a name twice":   {`{"idempotency_key":"k","idempotency_key":"k"}`, contract.SchemaValidationFailed},
		"no key":         {`{}`, contract.MissingRequiredField},
		"lone surrogate": {`{"idempotency_key":"k","n":"\ud800"}`, contract.SchemaValidationFailed},
	} {
		t.Run(name, func(t *testing.T) {
			var fault *contract.Error
			_, err := w.submit([]byte(test.request))
			if !errors.As(err, &fault) || fault.Code != test.code || len(fault.Problems) != 1 || fault.Problems[0].Correction == "" {
				t.Errorf("err = %v, want %s with a correction", err, test.code)
			}
		})
	}
	w.wantEvents(0)
}
