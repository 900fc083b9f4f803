package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Generator derives the MCP tool catalog from the registry and the canonical schemas (R-LIST, R-TOOL). It is safe for
// concurrent use.
type Generator struct {
	retention time.Duration
	inputs    map[SkillID]json.RawMessage
	outputs   map[SkillID]json.RawMessage
}

// Tool is an MCP Tool as tools/list returns it, the same on every MCP revision.
type Tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  Annotations     `json:"annotations"`
	// Meta has one member, MetaNamespace, which is a ToolMeta.
	Meta map[string]any `json:"_meta"`
}

// Annotations are the standard MCP hints.
type Annotations struct {
	ReadOnlyHint    bool `json:"readOnlyHint"`
	DestructiveHint bool `json:"destructiveHint"`
	IdempotentHint  bool `json:"idempotentHint"`
	OpenWorldHint   bool `json:"openWorldHint"`
}

// ToolMeta is the AAP metadata of a tool.
type ToolMeta struct {
	Version      string      `json:"version"` // Release
	Skill        SkillID     `json:"skill"`
	RequestType  string      `json:"request_type"`
	ResponseType string      `json:"response_type"`
	Schemas      ToolSchemas `json:"schemas"`
	// Capabilities is set on inventory.search.
	Capabilities *InventoryCapabilities `json:"capabilities,omitempty"`
}

// ToolSchemas are URLs of canonical schemas.
type ToolSchemas struct {
	Request  string `json:"request"`
	Response string `json:"response"`
	Error    string `json:"error"`
}

// NewGenerator bundles the schemas of every skill. retention is how long idempotency keys are remembered, stated in whole hours in
// the description of lead.submit; zero means DefaultRetention, and less than MinRetention is refused (R-IDEM). It also fails when a
// request schema does not require "type" or refers to something that cannot be bundled.
func NewGenerator(retention time.Duration) (*Generator, error) {
	retention, err := Retention(retention)
	if err != nil {
		return nil, fmt.Errorf("tool catalog: %w", err)
	}
	files := map[string]ordered{}
	for _, name := range SchemaFiles() {
		files[name] = mustParse(name)
	}
	return newGenerator(files, retention)
}

func newGenerator(files map[string]ordered, retention time.Duration) (*Generator, error) {
	g := &Generator{retention: retention, inputs: map[SkillID]json.RawMessage{}, outputs: map[SkillID]json.RawMessage{}}
	b := bundler{files}
	for _, skill := range Skills() {
		input, err := b.bundle(skill.RequestSchema)
		if err != nil {
			return nil, err
		}
		if input, err = moveRootConstraints(input); err != nil {
			return nil, fmt.Errorf("input schema %s: %w", skill.RequestSchema, err)
		}
		output, err := b.union(skill.ResponseSchema, errorSchema)
		if err != nil {
			return nil, err
		}
		if g.inputs[skill.ID], err = encodeOrdered(input); err != nil {
			return nil, err
		}
		if g.outputs[skill.ID], err = encodeOrdered(output); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Tools returns the catalog of a dealership that has switched some inventory filters off, in the order of the registry. The same
// filters give the same bytes when marshalled, in whatever order they are named.
//
// The capabilities of inventory.search list what works, and the descriptions of the tools that filter name what does not, because
// that is what a model reads. The input schema is the same for every dealership: a call with a switched-off filter is a valid
// request that is answered with UNSUPPORTED_FILTER, which names the filters that work, and a client that checks arguments against
// the schema must let it through.
func (g *Generator) Tools(disabledFilters []string) []Tool {
	var tools []Tool
	for _, skill := range Skills() {
		tools = append(tools, g.tool(skill, disabledFilters))
	}
	return tools
}

func (g *Generator) tool(skill Skill, disabledFilters []string) Tool {
	meta := ToolMeta{
		Version: Release, Skill: skill.ID, RequestType: skill.RequestType(), ResponseType: skill.ResponseType(),
		Schemas: ToolSchemas{
			Request:  SchemaBaseURL + skill.RequestSchema,
			Response: SchemaBaseURL + skill.ResponseSchema,
			Error:    SchemaBaseURL + errorSchema,
		},
	}
	if skill.ID == InventorySearch {
		c := inventoryCapabilities(disabledFilters)
		meta.Capabilities = &c
	}
	read := skill.Kind == Read
	return Tool{
		Name: skill.Tool, Title: skill.Title, Description: g.description(skill, disabledFilters),
		InputSchema:  slices.Clone(g.inputs[skill.ID]),
		OutputSchema: slices.Clone(g.outputs[skill.ID]),
		Annotations:  Annotations{ReadOnlyHint: read, IdempotentHint: read, OpenWorldHint: true},
		Meta:         map[string]any{MetaNamespace: meta},
	}
}

// description of a skill, with what is special to the operator and the dealership.
func (g *Generator) description(skill Skill, disabledFilters []string) string {
	switch skill.ID {
	case LeadSubmit:
		return fmt.Sprintf("%s A key is remembered for %d hours.", skill.Description, int(g.retention.Hours()))
	case InventorySearch, InventoryFacets:
		working := WorkingFilters(disabledFilters)
		off := slices.DeleteFunc(Filters(), func(name string) bool { return slices.Contains(working, name) })
		if len(off) > 0 {
			return skill.Description + " Filters that do not work at this dealership: " + strings.Join(off, ", ") + "."
		}
	}
	return skill.Description
}
