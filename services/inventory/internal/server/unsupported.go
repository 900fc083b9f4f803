package server

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// unsupported refuses filters that the dealership has switched off, each with those that work. The fields of Filters have the names
// of the filters. An empty list is not on the wire, and as it would not narrow either, it counts as absent.
func unsupported(f *inventoryv1.Filters, doc *tenant.Document) error {
	if len(doc.DisabledFilters) == 0 {
		return nil
	}
	var used []string
	message := f.ProtoReflect()
	fields := message.Descriptor().Fields()
	for _, name := range contract.Filters() {
		field := fields.ByName(protoreflect.Name(name))
		if slices.Contains(doc.DisabledFilters, name) && field != nil && message.Has(field) {
			used = append(used, name)
		}
	}
	if len(used) == 0 {
		return nil
	}
	correction := "Search without filters: none works at this dealership."
	if working := contract.WorkingFilters(doc.DisabledFilters); len(working) > 0 {
		correction = "Remove the filter; those that work at this dealership are " + strings.Join(working, ", ") + "."
	}
	var problems []contract.Problem
	for _, name := range used {
		problems = append(problems, contract.Problem{
			InstanceLocation: "/filters/" + name, Keyword: "unsupported_filter",
			Error: "The filter does not work at this dealership.", Correction: correction,
		})
	}
	return contract.NewError(contract.UnsupportedFilter, "This dealership does not support that filter.", problems...)
}
