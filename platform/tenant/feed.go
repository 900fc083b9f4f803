package tenant

import (
	"encoding/json"
	"strings"
)

// Feed says how the dealership's exports are meant. The zero value recognises the dialect of each file, takes selling prices for list
// prices and plain mileages for miles.
type Feed struct {
	// PriceIncludesFees is true when the selling price in feeds already holds every mandatory dealer charge. Only then does
	// it become the advertised price; otherwise it is a list price.
	PriceIncludesFees bool `json:"price_includes_fees,omitempty"`
	// Dialect forces one of the names in the schema; "" recognises it by the headers of each file.
	Dialect string `json:"dialect,omitempty"`
	// MileageUnit is "mi" or "km", the unit of a mileage that states none; "" is miles.
	MileageUnit string `json:"mileage_unit,omitempty"`
	// Mapping names the columns of fields, by a field's name in the schema. It wins over the dialect.
	Mapping map[string]HeaderNames `json:"mapping,omitempty"`
}

// HeaderNames are the headers that one field may have, best first. In a document they are one string or a list of strings.
type HeaderNames []string

// UnmarshalJSON reads a string or a list of strings. Anything else is the schema's to report and reads as no header: an error here
// would end the reading of the document, and hide problems of its other parts.
func (h *HeaderNames) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*h = HeaderNames{one}
		return nil
	}
	var list []string
	_ = json.Unmarshal(text, &list)
	*h = list
	return nil
}

// MarshalJSON writes one header as a string, as people write it.
func (h HeaderNames) MarshalJSON() ([]byte, error) {
	if len(h) == 1 {
		return json.Marshal(h[0])
	}
	return json.Marshal([]string(h))
}

// HeaderKey is what two headers of a feed must share to be the same: the text without case, white space, "_", "-" and ".".
func HeaderKey(header string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.', '\t', '\n', '\r', '\u00a0': // spreadsheets break the lines of long headers
			return -1
		}
		return r
	}, header))
}
