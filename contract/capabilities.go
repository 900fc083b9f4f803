package contract

import (
	"fmt"
	"slices"
	"sync"
)

// InventoryCapabilities says what a dealership's inventory search can do, the same in the tool catalog and the agent
// card. Its JSON follows inventory-capabilities.schema.json.
type InventoryCapabilities struct {
	// Filters that work, in the order of inventory-filters.schema.json.
	Filters    []string         `json:"filters"`
	SortFields []string         `json:"sort_fields"`
	Pagination PageCapabilities `json:"pagination"`
	// Geo is nil where the geo filter is switched off.
	Geo *GeoCapabilities `json:"geo,omitempty"`
}

// PageCapabilities gives page sizes in listings.
type PageCapabilities struct {
	DefaultLimit int `json:"default_limit"`
	MaxLimit     int `json:"max_limit"`
}

// GeoCapabilities says how distances are measured.
type GeoCapabilities struct {
	MeasuredTo string `json:"measured_to"` // always "rooftop"
	RadiusUnit string `json:"radius_unit"` // always "mi"
}

// Page sizes of inventory.search, as its request schema states them.
const (
	DefaultPageLimit = 20
	MaxPageLimit     = 100
)

// inventoryCapabilities returns the capabilities of a search in which everything works that the schemas have, but for the
// filters that are switched off.
func inventoryCapabilities(disabled []string) InventoryCapabilities {
	c := InventoryCapabilities{
		Filters:    WorkingFilters(disabled),
		SortFields: sortFields(),
		Pagination: PageCapabilities{DefaultLimit: DefaultPageLimit, MaxLimit: MaxPageLimit},
	}
	if slices.Contains(c.Filters, "geo") {
		c.Geo = &GeoCapabilities{MeasuredTo: "rooftop", RadiusUnit: "mi"}
	}
	return c
}

// Filters lists the names of the inventory filters in the order of their schema.
func Filters() []string { return slices.Clone(filterNames()) }

// WorkingFilters lists the inventory filters that are left when some are switched off, in the order of their schema. It is never
// nil.
func WorkingFilters(disabled []string) []string {
	working := []string{}
	for _, name := range filterNames() {
		if !slices.Contains(disabled, name) {
			working = append(working, name)
		}
	}
	return working
}

var filterNames = sync.OnceValue(func() []string {
	var names []string
	for _, m := range mustParse("inventory-filters.schema.json").object("properties") {
		names = append(names, m.name)
	}
	return names
})

// sortFields lists the fields that a search can sort by.
func sortFields() []string {
	sort := mustParse("inventory-search-request.schema.json").object("properties").object("sort")
	enum, _ := sort.object("properties").object("field").get("enum")
	values, _ := enum.([]any)
	var names []string
	for _, v := range values {
		names = append(names, scalarText(v))
	}
	return names
}

// mustParse reads an embedded schema file, which is part of the binary and known to parse.
func mustParse(file string) ordered {
	b, _ := SchemaFile(file)
	v, err := parseOrdered(b)
	if err != nil {
		panic(fmt.Sprintf("embedded schema %s: %v", file, err))
	}
	return v.(ordered)
}
