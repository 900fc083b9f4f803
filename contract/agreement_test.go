package contract

import (
	"encoding/json"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// side is one direction of a skill: its canonical schema, what the catalog publishes, and payloads to start from.
type side struct {
	name      string
	canonical func(v any) bool
	quick     func(v any) bool
	published *jsonschema.Schema
	seeds     []any
}

func sides(t testing.TB) []side {
	var out []side
	v := validator(t)
	failure := v.files[errorSchema]
	for i, tool := range catalog(t) {
		skill := Skills()[i]
		request, response := v.files[skill.RequestSchema], v.files[skill.ResponseSchema]
		out = append(out, side{
			name:      skill.RequestSchema,
			canonical: func(v any) bool { return request.full.Validate(v) == nil },
			quick:     request.quick.accepts,
			published: standalone(t, tool.InputSchema),
			seeds:     seeds(t, skill.RequestSchema),
		}, side{
			name:      skill.ResponseSchema,
			canonical: func(v any) bool { return response.full.Validate(v) == nil || failure.full.Validate(v) == nil },
			quick:     func(v any) bool { return response.quick.accepts(v) || failure.quick.accepts(v) },
			published: standalone(t, tool.OutputSchema),
			seeds:     append(seeds(t, skill.ResponseSchema), seeds(t, errorSchema)...),
		})
	}
	return out
}

// agree holds the published schema and the quick check against the canonical schema, and reports what the latter says.
func (s side) agree(t interface{ Errorf(string, ...any) }, v any) bool {
	want := s.canonical(v)
	if got := s.published.Validate(v) == nil; got != want {
		b, _ := json.Marshal(v)
		t.Errorf("%s: published %v, canonical %v: %s", s.name, got, want, b)
	}
	if got := s.quick(v); got != want {
		b, _ := json.Marshal(v)
		t.Errorf("%s: quick %v, canonical %v: %s", s.name, got, want, b)
	}
	return want
}

func TestAgreement_ValidPayloads(t *testing.T) {
	for _, s := range sides(t) {
		for i, seed := range s.seeds {
			if !s.agree(t, seed) {
				t.Errorf("%s: seed %d is not valid", s.name, i)
			}
		}
	}
}

// TestAgreement_EveryPlaceReplaced puts replacements in each place of each seed: every thirtieth, starting from another
// one each time, so that all are used while the test stays fast.
func TestAgreement_EveryPlaceReplaced(t *testing.T) {
	t.Parallel()
	valid, broken := 0, 0
	for _, s := range sides(t) {
		for _, seed := range s.seeds {
			v := clone(seed)
			for start, place := range slots(v, "") {
				original := place.get()
				for i := start % 30; i < len(replacements); i += 30 {
					place.set(replacements[i])
					if s.agree(t, v) {
						valid++
					} else {
						broken++
					}
				}
				place.set(original)
			}
		}
	}
	if valid < 100 || broken < 1000 {
		t.Errorf("%d valid and %d broken payloads prove little", valid, broken)
	}
}

// TestAgreement_RandomMutations walks the same few thousand payloads on every run.
func TestAgreement_RandomMutations(t *testing.T) {
	t.Parallel()
	for _, s := range sides(t) {
		r := rand.New(rand.NewPCG(3, 0))
		for range 200 {
			v := clone(s.seeds[r.IntN(len(s.seeds))])
			for range 1 + r.IntN(3) {
				v = mutate(r.IntN, v)
			}
			s.agree(t, v)
		}
	}
}

// TestAgreement_Property searches for a counterexample of its own and shrinks it.
func TestAgreement_Property(t *testing.T) {
	all := sides(t)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(all).Draw(t, "side")
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		v := clone(s.seeds[pick(len(s.seeds))])
		for range 1 + pick(4) {
			v = mutate(pick, v)
		}
		s.agree(t, v)
	})
}

// TestAcceptor_AgreesWithLibrary covers the documents that are not a skill's.
func TestAcceptor_AgreesWithLibrary(t *testing.T) {
	t.Parallel()
	v := validator(t)
	for _, name := range SchemaFiles() {
		r := rand.New(rand.NewPCG(5, 0))
		start := seeds(t, name)
		for range 80 {
			doc := clone(start[r.IntN(len(start))])
			for range r.IntN(3) {
				doc = mutate(r.IntN, doc)
			}
			if want, got := v.files[name].full.Validate(doc) == nil, v.files[name].quick.accepts(doc); want != got {
				b, _ := json.Marshal(doc)
				t.Errorf("%s: quick %v, library %v: %s", name, got, want, b)
			}
		}
	}
}

func TestAcceptor_RefusesKeywordsItDoesNotKnow(t *testing.T) {
	for _, schema := range []string{
		`{"not":{}}`, `{"oneOf":[{}]}`, `{"if":{},"else":{}}`, `{"minProperties":1}`, `{"maxProperties":1}`, `{"propertyNames":{}}`,
		`{"patternProperties":{"a":{}}}`, `{"dependentRequired":{"a":["b"]}}`, `{"dependentSchemas":{"a":{}}}`, `{"unevaluatedProperties":false}`,
		`{"unevaluatedItems":false}`, `{"contains":{}}`, `{"prefixItems":[{}]}`, `{"exclusiveMaximum":1}`, `{"multipleOf":2}`, `{"const":1}`,
		`{"enum":["a",1]}`, `{"const":"a","enum":["a"]}`, `{"minimum":0.5}`, `{"uniqueItems":true}`, `{"$dynamicRef":"#x","$dynamicAnchor":"x"}`, `false`,
		`{"properties":{"a":{"items":{"anyOf":[{"not":{}}]}}}}`,
	} {
		if _, err := newAcceptor(standalone(t, json.RawMessage(schema)), map[*jsonschema.Schema]*acceptor{}); err == nil {
			t.Errorf("%s was compiled", schema)
		}
	}
}

func TestValidator_IsSafeForConcurrentUse(t *testing.T) {
	v := validator(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, skill := range Skills() {
				for _, seed := range seeds(t, skill.RequestSchema) {
					v.Request(skill.ID, seed, leadNow)
					v.Request(skill.ID, nil, leadNow)
				}
			}
		})
	}
	wg.Wait()
}
