package domain

import (
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"forecourt.internal/platform/idemkey"
)

const leadPrefix = "lead_"

// LeadID names a lead: "lead_" and a ULID, whose time is that of the key's first claim and whose other bits are those of the
// key's digest. The same claim always gives the same id, so doing an attempt over does not make another lead.
type LeadID string

// NewLeadID derives the id of the lead under a key. It returns an error for a time that a ULID cannot hold.
func NewLeadID(firstClaimedAt time.Time, digest idemkey.Digest) (LeadID, error) {
	var id ulid.ULID
	if err := id.SetTime(ulid.Timestamp(firstClaimedAt)); err != nil {
		return "", fmt.Errorf("lead id: %w", err)
	}
	if err := id.SetEntropy(digest[:10]); err != nil {
		return "", fmt.Errorf("lead id: %w", err)
	}
	return LeadID(leadPrefix + id.String()), nil
}

// Time returns when the lead's key was first claimed. It returns an error when the id has another form.
func (id LeadID) Time() (time.Time, error) {
	rest, ok := strings.CutPrefix(string(id), leadPrefix)
	u, err := ulid.ParseStrict(rest)
	if !ok || err != nil || u.String() != rest {
		return time.Time{}, fmt.Errorf("%q is not a lead id: want lead_ and 26 characters, such as lead_01JT3F6Q5X9M2K7V0A4B8C6D1E", id)
	}
	return u.Timestamp(), nil
}

// LeadIDOf is the id of a ULID.
func LeadIDOf(ulid string) LeadID { return LeadID(leadPrefix + ulid) }

// ULID is what follows the prefix.
func (id LeadID) ULID() string { return strings.TrimPrefix(string(id), leadPrefix) }

// or is the id, unless there is none.
func (id LeadID) or(other LeadID) LeadID {
	if id == "" {
		return other
	}
	return id
}

// AppointmentID names the lead's appointment; a lead has one at most.
func (id LeadID) AppointmentID() string { return "appt_" + id.ULID() }
