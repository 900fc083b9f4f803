package contract

import (
	"fmt"
	"slices"
	"strings"
)

// bundler makes self-contained schemas: everything that a schema refers to is lifted into its own $defs.
type bundler struct {
	files map[string]ordered
}

// lifted collects the definitions of one bundle, by name, in order of first reference.
type lifted struct {
	files map[string]ordered
	names []string
	defs  map[string]any
	from  map[string]string // the reference that each name stands for
}

// bundle returns a file's schema with every reference pointing into its $defs, and the $defs as the last member.
func (b bundler) bundle(file string) (ordered, error) {
	l := b.lift()
	root, err := l.rewrite(file, b.files[file].without("$defs"))
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", file, err)
	}
	return l.attach(root.(ordered)), nil
}

func (b bundler) lift() *lifted {
	return &lifted{files: b.files, defs: map[string]any{}, from: map[string]string{}}
}

func (l *lifted) attach(root ordered) ordered {
	if len(l.names) == 0 {
		return root
	}
	defs := ordered{}
	for _, name := range l.names {
		defs = append(defs, member{name, l.defs[name]})
	}
	return root.with("$defs", defs)
}

// rewrite copies a schema of a file. $id and $schema would move the base of references or the dialect in the middle of
// a document, $comment is for our eyes: all three are dropped. Only members that hold schemas are entered: a property
// may be named "$ref", and examples are data.
func (l *lifted) rewrite(file string, schema any) (any, error) {
	object, ok := schema.(ordered)
	if !ok {
		return schema, nil // true or false
	}
	out := make(ordered, 0, len(object))
	for _, m := range object {
		value, err := m.value, error(nil)
		switch {
		case m.name == "$id" || m.name == "$schema" || m.name == "$comment":
			continue
		case m.name == "$ref":
			value, err = l.reference(file, scalarText(m.value))
		case m.name == "$anchor" || m.name == "$dynamicAnchor" || m.name == "$dynamicRef" || m.name == "$defs":
			err = fmt.Errorf("%s of %s cannot be lifted", m.name, file)
		case slices.Contains(schemaMembers, m.name):
			value, err = l.rewrite(file, m.value)
		case slices.Contains(schemaLists, m.name):
			value, err = l.rewriteList(file, m.value)
		case slices.Contains(schemaMaps, m.name):
			value, err = l.rewriteMap(file, m.value)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, member{m.name, value})
	}
	return out, nil
}

var (
	schemaMembers = []string{"items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
		"not", "if", "then", "else", "contentSchema"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaMaps  = []string{"properties", "patternProperties", "dependentSchemas"}
)

func (l *lifted) rewriteList(file string, list any) (any, error) {
	items, _ := list.([]any)
	out := make([]any, 0, len(items))
	for _, item := range items {
		schema, err := l.rewrite(file, item)
		if err != nil {
			return nil, err
		}
		out = append(out, schema)
	}
	return out, nil
}

func (l *lifted) rewriteMap(file string, object any) (any, error) {
	members, _ := object.(ordered)
	out := make(ordered, 0, len(members))
	for _, m := range members {
		schema, err := l.rewrite(file, m.value)
		if err != nil {
			return nil, err
		}
		out = append(out, member{m.name, schema})
	}
	return out, nil
}

// reference lifts what ref means in file and returns the reference into $defs. It knows three forms: "#" and "file" for
// a whole file, and either followed by "/$defs/name". A definition is named after its file, or its file and name, with
// _ for -.
func (l *lifted) reference(file, ref string) (any, error) {
	target, fragment, _ := strings.Cut(ref, "#")
	if target == "" {
		target = file
	}
	schema, ok := l.files[target]
	if !ok {
		return nil, fmt.Errorf("reference %q of %s names no schema file", ref, file)
	}
	name := strings.TrimSuffix(target, ".schema.json")
	if fragment == "" {
		schema = schema.without("$defs")
	} else {
		def, ok := strings.CutPrefix(fragment, "/$defs/")
		if !ok || strings.ContainsAny(def, "/~%") {
			return nil, fmt.Errorf("reference %q of %s is of no known form", ref, file)
		}
		if schema = schema.object("$defs").object(def); schema == nil {
			return nil, fmt.Errorf("reference %q of %s leads nowhere", ref, file)
		}
		name += "_" + def
	}
	name = strings.ReplaceAll(name, "-", "_")
	pointer, source := str("#/$defs/"+name), target+"#"+fragment
	if earlier, done := l.from[name]; done {
		if earlier != source {
			return nil, fmt.Errorf("%s and %s would both be named %s", earlier, source, name)
		}
		return pointer, nil
	}
	// The name is taken before the definition is entered, so that a definition may refer to itself.
	l.names, l.from[name] = append(l.names, name), source
	def, err := l.rewrite(target, schema)
	if err != nil {
		return nil, err
	}
	l.defs[name] = def
	return pointer, nil
}

// rootConstraints are the keywords that some hosts do not take at the root of an input schema (R-TOOL).
var rootConstraints = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else"}

// moveRootConstraints puts the root's constraints under dependentSchemas.type. They apply whenever "type" is present,
// and a request without "type" is refused anyway; so the same requests are valid before and after. Without "type" being
// required that would be wrong, and is an error.
func moveRootConstraints(root ordered) (ordered, error) {
	required, _ := root.get("required")
	names, _ := required.([]any)
	if !slices.ContainsFunc(names, func(name any) bool { return scalarText(name) == "type" }) {
		return nil, fmt.Errorf(`"type" is not required at the root`)
	}
	var moved ordered
	for _, m := range root {
		if slices.Contains(rootConstraints, m.name) {
			moved = append(moved, m)
		}
	}
	if moved == nil {
		return root, nil
	}
	dependent := root.object("dependentSchemas")
	if earlier, ok := dependent.get("type"); ok {
		moved = ordered{{"allOf", []any{earlier, moved}}}
	}
	defs, hasDefs := root.get("$defs")
	root = root.without(append([]string{"$defs"}, rootConstraints...)...).with("dependentSchemas", dependent.with("type", moved))
	if hasDefs {
		root = root.with("$defs", defs) // keep the definitions last
	}
	return root, nil
}

// union returns the schema of an object that is one of two files' payloads.
func (b bundler) union(files ...string) (ordered, error) {
	l := b.lift()
	var branches []any
	for _, file := range files {
		ref, err := l.reference(file, "#")
		if err != nil {
			return nil, fmt.Errorf("bundle %s: %w", file, err)
		}
		branches = append(branches, ordered{{"$ref", ref}})
	}
	return l.attach(ordered{{"type", str("object")}, {"anyOf", branches}}), nil
}
