package contract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxProblems bounds the list of one answer: a body full of unknown members must not cost a far larger response. The
// code is decided over all problems.
const maxProblems = 200

// finding is a problem before its texts are written, which is only done for those that are listed.
type finding struct {
	path    []string
	keyword string
	kinds   kinds
	text    text                 // set by rules of this package
	cause   jsonschema.ErrorKind // set for schema problems
	known   []string             // for an unknown member: the names that its object may have
}

// memberNames holds, by schema location, the names that an object closed to unknown members may have.
type memberNames map[string][]string

// add records the closed objects of a compiled schema and everything that it refers to.
func (m memberNames) add(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if _, seen := m[s.Location]; seen {
		return
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	m[s.Location] = names
	for _, sub := range s.Properties {
		m.add(sub)
	}
	for _, sub := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Ref, s.Items2020, s.If, s.Then, s.Else}) {
		m.add(sub)
	}
	for _, sub := range s.DependentSchemas {
		m.add(sub)
	}
	if sub, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		m.add(sub)
	}
}

// flatten appends the leaves of the library's error tree: what the caller can act on, without the schema's structure.
func (m memberNames) flatten(e *jsonschema.ValidationError, out []finding) []finding {
	at := func(keyword string, k kinds, tail ...string) finding {
		return finding{path: append(slices.Clone(e.InstanceLocation), tail...), keyword: keyword, kinds: k, cause: e.ErrorKind}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			out = m.flatten(cause, out)
		}
		return out
	case *kind.Required:
		for _, name := range k.Missing {
			out = append(out, at("required", ofRequired, name))
		}
		return out
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			f := at("additionalProperties", ofStructure, name)
			f.known = m[e.SchemaURL]
			out = append(out, f)
		}
		return out
	case *kind.AnyOf:
		return append(out, m.choice(e, at("anyOf", ofStructure))...)
	case *kind.OneOf:
		return append(out, m.choice(e, at("oneOf", ofStructure))...)
	default:
		keyword := "schema"
		if path := k.KeywordPath(); len(path) > 0 {
			keyword = path[0]
		}
		return append(out, at(keyword, ofStructure))
	}
}

// choice makes one problem of "at least one of these members"; of any other choice it takes the branch that is nearest
// to fitting.
func (m memberNames) choice(e *jsonschema.ValidationError, whole finding) []finding {
	var nearest []finding
	var names []string
	onlyRequired := true
	for _, branch := range e.Causes {
		found := m.flatten(branch, nil)
		if len(found) == 1 && found[0].keyword == "required" && len(found[0].path) == len(e.InstanceLocation)+1 {
			names = append(names, found[0].path[len(found[0].path)-1])
		} else {
			onlyRequired = false
		}
		if nearest == nil || len(found) < len(nearest) {
			nearest = found
		}
	}
	if onlyRequired && len(names) > 0 {
		whole.kinds = ofRequired
		whole.text = text{
			"One of these members is needed: " + orList(names) + ".",
			"Add at least one of " + orList(names) + ".",
		}
		return []finding{whole}
	}
	if nearest == nil {
		return []finding{whole}
	}
	return nearest
}

// newRequestError orders, deduplicates, classifies and words the problems. found is not empty.
func newRequestError(found []finding) *Error {
	slices.SortStableFunc(found, compareFindings)
	found = slices.CompactFunc(found, func(a, b finding) bool {
		return a.keyword == b.keyword && slices.Equal(a.path, b.path)
	})
	code := codeOf(found)
	err := &Error{Code: code, Message: messages[code]}
	for _, f := range found[:min(len(found), maxProblems)] {
		err.Problems = append(err.Problems, f.problem())
	}
	if len(found) > maxProblems {
		err.Problems = append(err.Problems, Problem{
			Keyword:    "problems",
			Error:      "There are more problems than are listed.",
			Correction: "Correct the listed problems first.",
		})
	}
	return err
}

// compareFindings orders by location, array items by index, then by keyword. Of two vocabularies at one place the
// narrower comes first and is the one kept.
func compareFindings(a, b finding) int {
	if c := slices.CompareFunc(a.path, b.path, compareTokens); c != 0 {
		return c
	}
	if c := cmp.Compare(a.keyword, b.keyword); c != 0 {
		return c
	}
	ea, _ := a.cause.(*kind.Enum)
	eb, _ := b.cause.(*kind.Enum)
	if ea != nil && eb != nil {
		return cmp.Compare(len(ea.Want), len(eb.Want))
	}
	return 0
}

func compareTokens(a, b string) int {
	if isIndex(a) && isIndex(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}

func isIndex(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// dropAt returns the findings at places where taken has none.
func dropAt(taken, found []finding) []finding {
	places := make(map[string]bool, len(taken))
	for _, f := range taken {
		places[pointer(f.path)] = true
	}
	return slices.DeleteFunc(found, func(f finding) bool { return places[pointer(f.path)] })
}

// pointer is the JSON Pointer (RFC 6901) of a path. Tokens may be names that a caller made up. One that is no name, such as an e-mail
// address, a phone number or a token, may be a value in the wrong place and becomes "…"; others are cut to 64 characters.
func pointer(path []string) string {
	var b strings.Builder
	for _, token := range path {
		switch {
		case !namePattern.MatchString(token):
			token = "…"
		case len(token) > 64:
			token = token[:64] + "…"
		}
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(token))
	}
	return b.String()
}

// namePattern is an index of a list or what a member is likely to be called.
var namePattern = regexp.MustCompile(`^(?:[0-9]{1,6}|[A-Za-z_$][A-Za-z0-9_$./~-]*)$`)

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
