package domain

import "time"

// Verdict is what a row says to an attempt that meets it.
type Verdict int

const (
	// Replay: the same payload has an outcome.
	Replay Verdict = iota
	// Conflict: another payload has an outcome.
	Conflict
	// Held: another attempt is at work.
	Held
	// Expired: another attempt was at work and its lease ran out; its effects may exist.
	Expired
)

// Meet tells an attempt with a payload what to do about the row.
//
// A claim is judged without regard to its payload. While it is held, another payload is no conflict yet: the attempt may be
// refused and released, and then the key is free for a corrected payload; refusing that one for good would strand the
// buyer. Once it expired, nobody knows whether the earlier payload took effect, so the attempt takes the claim over, looks, and
// lets the log decide.
func (r Row) Meet(f Fingerprint, now time.Time) Verdict {
	switch {
	case r.Owner == "" && r.Fingerprint == f:
		return Replay
	case r.Owner == "":
		return Conflict
	case now.Before(r.LeaseExpires):
		return Held
	default:
		return Expired
	}
}
