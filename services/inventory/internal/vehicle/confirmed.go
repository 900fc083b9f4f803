package vehicle

import (
	"time"

	"forecourt.internal/contract"
)

// Confirmed returns the listing's JSON as of a later statement of the same facts: updated_at and evidence.observed_at are each the later
// of their own time and at. It is l.JSON itself when neither changes, as for a zero at.
func (l *Listing) Confirmed(at time.Time) []byte {
	updated := l.later(l.UpdatedAtText, at)
	observed := l.later(l.ObservedAtText, at)
	if !updated && !observed {
		return l.JSON
	}
	out := make([]byte, 0, len(l.JSON)+2*len("2006-01-02T15:04:05.999999Z"))
	rest := uint32(0)
	for _, t := range []struct {
		Span
		later bool
	}{{l.UpdatedAtText, updated}, {l.ObservedAtText, observed}} {
		if t.later {
			out = append(out, l.JSON[rest:t.Start]...)
			out = appendRFC3339(out, at)
			rest = t.End
		}
	}
	return append(out, l.JSON[rest:]...)
}

// later says whether a time is later than the one in the listing's JSON, in microseconds.
func (l *Listing) later(text Span, at time.Time) bool {
	own, ok := contract.ParseTime(string(l.JSON[text.Start:text.End]))
	return ok && at.UnixMicro() > own.UnixMicro()
}
