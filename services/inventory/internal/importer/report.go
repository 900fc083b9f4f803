package importer

import (
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
)

// Report counts what an import did. Unless an error ended it early, Rows = Listed + Updated + Delisted + Unchanged + Rejected +
// Superseded. The other counts are not of rows: Missing and MissingKept vehicles have none, and Confirmed ones are among Unchanged.
type Report struct {
	// Dialect is what the file was read as. Encoding is that of its text when it is not UTF-8.
	Dialect  string `json:"dialect,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Rows     int    `json:"rows"`
	// Listed vehicles are new or on sale again, Updated ones have other facts, Delisted ones are no longer for sale. Each is an
	// event that the broker has acknowledged.
	Listed   int `json:"listed"`
	Updated  int `json:"updated"`
	Delisted int `json:"delisted"`
	// Missing vehicles were on sale and are delisted because the file does not name them. Each is an event too.
	Missing int `json:"missing"`
	// MissingKept vehicles would be Missing, but stay: which vehicle a rejected row is about cannot be told, and it may be any.
	MissingKept int `json:"missing_kept,omitempty"`
	// Unchanged rows say what was known; they are no event.
	Unchanged int `json:"unchanged"`
	// Confirmed vehicles were stated unchanged later than was known. One event says so for all of them.
	Confirmed int `json:"confirmed"`
	// Rejected rows are bad or lost to another import; Problems and Omitted say why.
	Rejected int `json:"rejected"`
	// Superseded rows are replaced by a later row about the same vehicle.
	Superseded int `json:"superseded"`
	// Problems are in the order of lines, at most 1,000 and as many warnings; Omitted counts the others by kind.
	Problems []feed.Problem `json:"problems,omitempty"`
	Omitted  []feed.Omitted `json:"omitted,omitempty"`
}

func (r *Report) count(kind eventlog.Kind) {
	switch kind {
	case eventlog.Listed:
		r.Listed++
	case eventlog.Updated:
		r.Updated++
	case eventlog.Delisted:
		r.Delisted++
	default:
		r.Unchanged++
	}
}
