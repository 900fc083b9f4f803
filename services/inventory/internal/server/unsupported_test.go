package server

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// everyFilter uses all of them, each with a value that would not narrow where there is such.
func everyFilter() *inventoryv1.Filters {
	f := new(inventoryv1.Filters)
	message := f.ProtoReflect()
	for i := range message.Descriptor().Fields().Len() {
		field := message.Descriptor().Fields().Get(i)
		switch {
		case field.IsList():
			message.Mutable(field).List().Append(protoreflect.ValueOfString(""))
		case field.Message() != nil:
			message.Mutable(field)
		default:
			message.Set(field, field.Default())
		}
	}
	return f
}

func TestFilters_OnTheWire_AreThoseOfTheContract(t *testing.T) {
	var got []string
	fields := new(inventoryv1.Filters).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		got = append(got, string(fields.Get(i).Name()))
	}
	want := contract.Filters()
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnsupported_OneProblemForEachUsedFilterThatIsSwitchedOff(t *testing.T) {
	const refused = "The filter does not work at this dealership."
	allBut := func(names ...string) []string {
		return slices.DeleteFunc(contract.Filters(), func(name string) bool { return slices.Contains(names, name) })
	}
	problem := func(name, correction string) contract.Problem {
		return contract.Problem{
			InstanceLocation: "/filters/" + name, Keyword: "unsupported_filter", Error: refused, Correction: correction,
		}
	}
	var every []contract.Problem
	for _, name := range contract.Filters() {
		every = append(every, problem(name, "Search without filters: none works at this dealership."))
	}
	const makeAndVIN = "Remove the filter; those that work at this dealership are make, vin."
	for name, c := range map[string]struct {
		disabled []string
		filters  *inventoryv1.Filters
		want     []contract.Problem
	}{
		"no filters":              {contract.Filters(), nil, nil},
		"an empty object":         {contract.Filters(), &inventoryv1.Filters{}, nil},
		"an empty list":           {contract.Filters(), &inventoryv1.Filters{Make: []string{}}, nil},
		"nothing is switched off": {nil, everyFilter(), nil},
		"another is switched off": {allBut("make"), &inventoryv1.Filters{Make: []string{"Toyota"}}, nil},
		"all are switched off":    {contract.Filters(), everyFilter(), every},
		"two of three": {
			allBut("make", "vin"),
			&inventoryv1.Filters{Vin: new(string), YearMin: proto.Int64(0), Geo: &inventoryv1.Geo{}},
			[]contract.Problem{problem("year_min", makeAndVIN), problem("geo", makeAndVIN)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := unsupported(c.filters, &tenant.Document{DisabledFilters: c.disabled})
			if c.want == nil {
				if err != nil {
					t.Errorf("err = %v", err)
				}
				return
			}
			var got *contract.Error
			if !errors.As(err, &got) || got.Code != contract.UnsupportedFilter {
				t.Fatalf("err = %v, want UNSUPPORTED_FILTER", err)
			}
			if diff := cmp.Diff(c.want, got.Problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}
