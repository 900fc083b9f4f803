package chaos

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/idemkey"
)

// Key is an idempotency key in the scope of a dealership and an agent.
type Key struct{ Tenant, Agent, Key string }

// Digest is the message id under which the log holds what was recorded under the key.
func (k Key) Digest() string {
	return idemkey.Key{Tenant: k.Tenant, Caller: "public|" + k.Agent, Skill: string(contract.LeadSubmit), Key: k.Key}.Digest().String()
}

func (k Key) String() string { return k.Tenant + " " + k.Agent + " " + k.Key }

// Outcome is how an attempt ended for the agent.
type Outcome string

// The outcomes of attempts.
const (
	Accepted    Outcome = "accepted"    // a lead.submit.response
	Refused     Outcome = "refused"     // an aap.error
	TimedOut    Outcome = "timed out"   // the agent's own deadline
	Unreachable Outcome = "unreachable" // the connection failed
	Invalid     Outcome = "invalid"     // an answer that breaks the protocol
)

// Answer is what an attempt came to.
type Answer struct {
	Outcome Outcome
	// Body is the structuredContent, byte for byte; Replayed is its mark, LeadID what it says. Of Accepted.
	Body     string
	Replayed bool
	LeadID   string
	// Code, Retryable and RetryAfter are the error's. Of Refused.
	Code       string
	Retryable  bool
	RetryAfter time.Duration
	// Text says what went wrong. Of the others.
	Text string
}

// Final says whether the agent has its answer: there is nothing to gain from another attempt.
func (a Answer) Final() bool {
	return a.Outcome == Accepted || a.Outcome == Refused && !a.Retryable || a.Outcome == Invalid
}

// Attempt is one call of an agent. Times count from the start of the run.
type Attempt struct {
	Key      Key
	Variant  string // of the payload, see History.Payload
	Edge     string
	Sent     time.Duration
	Answered time.Duration
	Answer   Answer
}

// History is everything that agents did, for any number of goroutines.
type History struct {
	mu       sync.Mutex
	attempts []Attempt
	payloads map[Key]map[string]Payload
}

// Payload is what a variant sends.
type Payload struct {
	// Canonical is the request without submitted_at, as canonical writes it.
	Canonical string
	// Refusals are the codes besides those of every lead that it may be refused with.
	Refusals []string
}

// Plan notes a payload that attempts under the key send as the variant.
func (h *History) Plan(key Key, variant string, p Payload) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.payloads == nil {
		h.payloads = map[Key]map[string]Payload{}
	}
	if h.payloads[key] == nil {
		h.payloads[key] = map[string]Payload{}
	}
	h.payloads[key][variant] = p
}

// Add notes an attempt that has ended.
func (h *History) Add(a Attempt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.attempts = append(h.attempts, a)
}

// ByKey returns the attempts under each key, in the order in which they were sent.
func (h *History) ByKey() map[Key][]Attempt {
	h.mu.Lock()
	defer h.mu.Unlock()
	by := map[Key][]Attempt{}
	for key := range h.payloads {
		by[key] = nil
	}
	for _, a := range h.attempts {
		by[a.Key] = append(by[a.Key], a)
	}
	for _, attempts := range by {
		slices.SortStableFunc(attempts, func(a, b Attempt) int { return int(a.Sent - b.Sent) })
	}
	return by
}

// Story writes the attempts under a key for people.
func Story(attempts []Attempt) string {
	var b strings.Builder
	for _, a := range attempts {
		fmt.Fprintf(&b, "  %9.3fs to %9.3fs  %s  %s  %s\n", a.Sent.Seconds(), a.Answered.Seconds(), a.Edge, a.Variant, a.Answer)
	}
	return b.String()
}

func (a Answer) String() string {
	switch a.Outcome {
	case Accepted:
		if a.Replayed {
			return "replayed " + a.Body
		}
		return "accepted " + a.Body
	case Refused:
		if a.Retryable {
			return fmt.Sprintf("%s, again after %s: %s", a.Code, a.RetryAfter, a.Text)
		}
		return a.Code + ": " + a.Text
	default:
		return string(a.Outcome) + ": " + a.Text
	}
}

// Payloads returns what the variants of each key send.
func (h *History) Payloads() map[Key]map[string]Payload {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.payloads
}
