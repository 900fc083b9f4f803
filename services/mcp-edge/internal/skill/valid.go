package skill

import (
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"

	lru "github.com/hashicorp/golang-lru/v2"

	"forecourt.internal/contract"
)

// knownSize is how many distinct payloads are remembered as valid: several large dealerships' stock, at about 100 bytes each.
const knownSize = 1 << 16

// known remembers payloads that passed their check. A listing is encoded once and served many times, so each distinct one is
// checked once per process, not once per page.
type known struct {
	seed maphash.Seed
	sums *lru.Cache[uint64, struct{}]
}

func newKnown() (*known, error) {
	sums, err := lru.New[uint64, struct{}](knownSize)
	if err != nil {
		return nil, fmt.Errorf("remember valid payloads: %w", err)
	}
	return &known{seed: maphash.MakeSeed(), sums: sums}, nil
}

// check runs the test unless the same payload has passed it before. One known works for several kinds of payload because no
// payload is of two kinds.
func (k *known) check(payload []byte, test func([]byte) error) error {
	sum := maphash.Bytes(k.seed, payload)
	if _, ok := k.sums.Get(sum); ok {
		return nil
	}
	if err := test(payload); err != nil {
		return err
	}
	k.sums.Add(sum, struct{}{})
	return nil
}

// valid holds a whole payload against the response schema of the skill. An aap.error is none: a service returns its failures as
// errors, and what looks like a success must be one.
func (p *Pipeline) valid(skill contract.SkillID, payload []byte) error {
	value, err := contract.DecodeJSON(payload)
	if err != nil {
		return fmt.Errorf("%s response: %w", skill, err)
	}
	if object, ok := value.(map[string]any); ok && object["type"] == "aap.error" {
		return fmt.Errorf("%s response is an aap.error", skill)
	}
	return p.validator.Response(skill, value)
}

// validError holds a payload against the schema of aap.error.
func (p *Pipeline) validError(payload []byte) error {
	value, err := contract.DecodeJSON(payload)
	if err != nil {
		return fmt.Errorf("aap.error: %w", err)
	}
	if fault := p.validator.Document("error.schema.json", value); fault != nil {
		return fmt.Errorf("aap.error is not valid: %s", firstProblem(fault))
	}
	return nil
}

func (p *Pipeline) validListing(listing []byte) error {
	return p.known.check(listing, func(listing []byte) error {
		value, err := contract.DecodeJSON(listing)
		if err != nil {
			return fmt.Errorf("listing: %w", err)
		}
		if err := p.validator.Listing(value); err != nil {
			return fmt.Errorf("listing is not valid: %s", firstProblem(err))
		}
		return nil
	})
}

// firstProblem describes what is wrong with a payload of ours. The contract.Error itself must not be wrapped: it is for whoever
// made the payload, and the caller of a skill would be told that the request is wrong.
func firstProblem(err error) string {
	var fault *contract.Error
	if errors.As(err, &fault) && len(fault.Problems) > 0 {
		first := fault.Problems[0]
		return strconv.Quote(first.InstanceLocation) + ": " + first.Error
	}
	return err.Error()
}
