package contract

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Validator checks payloads against the canonical schemas. Formats are asserted. It is safe for concurrent use.
//
// Values are what DecodeJSON returns. A problem's InstanceLocation points at the
// offending value; for a missing member it points at where the member belongs ("/customer/first_name"), for an unknown
// member at that member, and for a choice of members ("email or phone") at their object. Names of unknown members are
// cut to 64 characters, and what is no name is left out of it. Texts name what is allowed and never what was sent.
type Validator struct {
	files     map[string]schema
	requests  map[SkillID]schema
	responses map[SkillID]schema
	listing   schema
	members   memberNames
}

// schema is a compiled schema: the quick check, and the library's for saying what is wrong.
type schema struct {
	quick *acceptor
	full  *jsonschema.Schema
}

// NewValidator compiles the embedded schemas. It takes some ten milliseconds; build one and share it.
func NewValidator() (*Validator, error) {
	c := newCompiler()
	for _, name := range SchemaFiles() {
		b, _ := SchemaFile(name)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("read schema %s: %w", name, err)
		}
		if err := c.AddResource(SchemaBaseURL+name, doc); err != nil {
			return nil, fmt.Errorf("add schema %s: %w", name, err)
		}
	}
	v := &Validator{
		files:     map[string]schema{},
		requests:  map[SkillID]schema{},
		responses: map[SkillID]schema{},
		members:   memberNames{},
	}
	memo := map[*jsonschema.Schema]*acceptor{}
	compile := func(ref string) (schema, error) {
		full, err := c.Compile(SchemaBaseURL + ref)
		if err != nil {
			return schema{}, fmt.Errorf("compile schema %s: %w", ref, err)
		}
		v.members.add(full)
		quick, err := newAcceptor(full, memo)
		return schema{quick, full}, err
	}
	var err error
	for _, name := range SchemaFiles() {
		if v.files[name], err = compile(name); err != nil {
			return nil, err
		}
	}
	if v.listing, err = compile("vehicle.schema.json#/$defs/listing"); err != nil {
		return nil, err
	}
	for _, skill := range Skills() {
		v.requests[skill.ID], v.responses[skill.ID] = v.files[skill.RequestSchema], v.files[skill.ResponseSchema]
		if v.requests[skill.ID].full == nil || v.responses[skill.ID].full == nil {
			return nil, fmt.Errorf("skill %s names a schema file that does not exist", skill.ID)
		}
	}
	return v, nil
}

// newCompiler returns a compiler that asserts formats and loads nothing: every schema must be added to it.
func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: func(v any) error {
		if s, ok := v.(string); ok {
			if _, ok := ParseTime(s); !ok {
				return errors.New("not an RFC 3339 date-time with an offset")
			}
		}
		return nil
	}})
	return c
}

// Request reports every problem of a skill's request at once, and nil when it is valid. An unknown skill is
// UNSUPPORTED_SKILL.
//
// For lead.submit, when the schema finds problems, those of LeadRules are added as far as the broken request lets them
// be judged. A request that is valid against the schema is not held against LeadRules here: that is for the lead
// service, after it has looked for an earlier outcome to replay (R-IDEM). now is only used for these rules.
//
// The code follows the kinds of the problems, see codeOf. The list is ordered by location and ends after 200 problems,
// with an entry that says so; an invalid request of more than 2,000 values is refused as a whole.
func (v *Validator) Request(skill SkillID, args any, now time.Time) *Error {
	schema, ok := v.requests[skill]
	if !ok {
		return NewError(UnsupportedSkill, "This dealership does not offer that service.")
	}
	found := v.check(schema, args)
	if found == nil {
		return nil
	}
	for i, f := range found {
		if f.keyword == "required" && len(f.path) == 1 && f.path[0] == "type" {
			found[i].text = text{"The required member is missing.", fmt.Sprintf(`Add "type": "%s.request".`, skill)}
		}
	}
	if skill == LeadSubmit && found[0].keyword != tooMany.keyword {
		classifyLead(found)
		if request, ok := args.(map[string]any); ok {
			found = append(found, dropAt(found, leadFindings(request, now))...)
		}
	}
	return newRequestError(found)
}

// Response checks an outgoing payload: the skill's response, or an aap.error when its type says so. Its error is not
// for the caller of the skill, whose request is not to blame, and carries no value of the payload.
func (v *Validator) Response(skill SkillID, payload any) error {
	schema, ok := v.responses[skill]
	if !ok {
		return fmt.Errorf("no response schema for skill %q", skill)
	}
	object, _ := payload.(map[string]any)
	if object["type"] == "aap.error" {
		schema = v.files[errorSchema]
	}
	found := v.check(schema, payload)
	if skill != LeadSubmit {
		found = append(found, responseFees(object)...)
	}
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("%s response is not valid: %s", skill, summary(newRequestError(found).Problems))
}

// Listing checks a Vehicle as an inventory listing: status and updated_at are required, condition is one of sale, and
// the names of its fees are unique. A failure is a *Error with every problem.
func (v *Validator) Listing(vehicle any) error {
	object, _ := vehicle.(map[string]any)
	found := append(v.check(v.listing, vehicle), feeFindings(object, nil)...)
	if len(found) == 0 {
		return nil
	}
	return newRequestError(found)
}

// Document checks a document against any schema file by name, such as "tenant.schema.json", and reports every problem
// at once. An unknown file is INTERNAL_ERROR. The names of fees are unique in the rooftops of a tenant or dealer and in
// an event's vehicle.
func (v *Validator) Document(file string, doc any) *Error {
	schema, ok := v.files[file]
	if !ok {
		return NewError(InternalError, "The document is of an unknown kind.")
	}
	found := append(v.check(schema, doc), documentFees(file, doc)...)
	if len(found) == 0 {
		return nil
	}
	return newRequestError(found)
}

// check validates a value and returns its problems in no particular order. Numbers are judged first: the rest computes
// with exact fractions and must not see an unbounded exponent.
//
// Saying what is wrong costs some microseconds for each value, so an invalid value of more than maxValues parts is only
// told that.
func (v *Validator) check(s schema, value any) []finding {
	inRange := numbersInRange(value)
	if inRange && s.quick.accepts(value) {
		return nil
	}
	if countValues(value, maxValues) > maxValues {
		return []finding{tooMany}
	}
	if !inRange {
		var huge []finding
		rest := withoutHuge(value, nil, &huge)
		return append(huge, dropAt(huge, v.check(s, rest))...)
	}
	err := s.full.Validate(value)
	if err == nil {
		return nil
	}
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		return []finding{{keyword: "schema", text: text{"The value cannot be checked.", "Send a JSON value."}}}
	}
	return v.members.flatten(failed, nil)
}

// maxValues is far above what a valid request or a full page of listings holds.
const maxValues = 2_000

var tooMany = finding{keyword: "values", kinds: ofStructure, text: text{
	"Something is wrong, and there are too many values to say what.", fmt.Sprintf("Send at most %d values in all.", maxValues)}}

// countValues counts the values of a tree, and stops soon after limit.
func countValues(v any, limit int) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if n > limit {
				break
			}
			n += countValues(member, limit-n)
		}
	case []any:
		for _, item := range v {
			if n > limit {
				break
			}
			n += countValues(item, limit-n)
		}
	}
	return n
}

// summary puts the first few problems in one line for logs.
func summary(problems []Problem) string {
	var b strings.Builder
	for i, p := range problems {
		if i == 3 {
			fmt.Fprintf(&b, " (and %d more)", len(problems)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%q: %s", p.InstanceLocation, p.Error)
	}
	return b.String()
}
