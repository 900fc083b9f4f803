package vehicle

import (
	"crypto/sha256"
	"fmt"
)

// IsCanonical says whether a text is a vehicle in canonical JSON. It may say false for one with numbers of many digits, control
// characters or deep nesting.
func IsCanonical(text []byte) bool {
	var at layout
	s := scanner{text: text}
	return s.vehicle(&at, nil)
}

// FactsSum is a digest of the facts that a vehicle in JSON states, whenever they were stated: updated_at and evidence do not count.
// Vehicles with equal facts have equal sums, and others, for all that is known of SHA-256, have not. It returns ErrInvalid, wrapped,
// for what is no JSON object.
func FactsSum(text []byte) ([16]byte, error) {
	facts, err := appendFacts(nil, text)
	if err != nil {
		return [16]byte{}, err
	}
	sum := sha256.Sum256(facts)
	return [16]byte(sum[:16]), nil
}

// Same says whether two vehicles in JSON state the same facts, as FactsSum tells.
func Same(a, b []byte) bool {
	sumA, errA := FactsSum(a)
	sumB, errB := FactsSum(b)
	return errA == nil && errB == nil && sumA == sumB
}

// appendFacts appends the canonical JSON of a vehicle without updated_at and evidence.
func appendFacts(dst, text []byte) ([]byte, error) {
	var at layout
	s := scanner{text: text}
	if s.vehicle(&at, nil) {
		cut := at.times(text)
		return append(append(dst, text[:cut.Start]...), text[cut.End:]...), nil
	}
	v, err := decode(text)
	if err != nil {
		return nil, err
	}
	delete(v, members[updatedAt])
	delete(v, members[evidence])
	encoded, err := v.JSON()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return append(dst, encoded...), nil
}

// times is where updated_at and evidence stand in canonical JSON, next to each other, with the comma that goes with them.
func (at *layout) times(text []byte) Span {
	first, last := updatedAt, evidence
	if at.known[first].End == 0 {
		first = evidence
	}
	if at.known[last].End == 0 {
		last = updatedAt
	}
	if at.known[first].End == 0 {
		return Span{}
	}
	cut := Span{at.known[first].Start - uint32(len(`"":`)+len(members[first])), at.known[last].End}
	switch {
	case cut.Start > 1: // a comma stands before
		cut.Start--
	case text[cut.End] == ',':
		cut.End++
	}
	return cut
}
