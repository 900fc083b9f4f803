package domain

import "time"

// Claim is the right to record the lead of a command, or the outcome of an earlier attempt that did.
type Claim struct {
	// Replay is the response that an earlier attempt recorded; nil when this attempt holds the claim.
	Replay []byte
	// Owner proves the claim when it is completed or released.
	Owner string
	// FirstClaimedAt is when the key was first claimed.
	FirstClaimedAt time.Time
	// Resumed is true when an earlier attempt may have recorded the lead without saying so.
	Resumed bool
	// Lease is how long the claim is held from when it was granted, which is a little before this attempt hears of it.
	Lease time.Duration
}

// Recorded is what the log holds under a key: what a retry is answered with.
type Recorded struct {
	// LeadID is the lead's, as the caller was told.
	LeadID LeadID
	// Attempt is the id that was made of the claim under which it was recorded; LeadID, unless the lead repeats another.
	Attempt     LeadID
	Fingerprint Fingerprint
	Response    []byte
	// Found is true when it was in the log already.
	Found bool
}
