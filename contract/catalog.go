package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Retention of idempotency keys: what is advertised when nothing else is said, and the least that may be (R-IDEM).
const (
	DefaultRetention = 72 * time.Hour
	MinRetention     = 24 * time.Hour
)

// Generator derives the MCP tool catalog from the registry and the canonical schemas (R-LIST, R-TOOL). It is safe for
// concurrent use.
type Generator struct {
	inputs  map[SkillID]json.RawMessage
	outputs map[SkillID]json.RawMessage
}

// CatalogOptions says what a deployment serves. The zero value is all skills and filters with the default retention.
type CatalogOptions struct {
	// Skills that are enabled; nil means all. The catalog is always in the order of the registry.
	Skills []SkillID
	// Retention is how long idempotency keys are remembered, stated in whole hours in the description of lead.submit;
	// zero means DefaultRetention.
	Retention time.Duration
	// SchemaBase is the prefix of the schema URLs in _meta; "" means SchemaBaseURL.
	SchemaBase string
	// Filters that work in inventory.search; nil means all.
	Filters []string
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

// NewGenerator bundles the schemas of every skill. It fails when a request schema does not require "type" or refers to
// something that cannot be bundled.
func NewGenerator() (*Generator, error) {
	files := map[string]ordered{}
	for _, name := range SchemaFiles() {
		files[name] = mustParse(name)
	}
	return newGenerator(files)
}

func newGenerator(files map[string]ordered) (*Generator, error) {
	g := &Generator{inputs: map[SkillID]json.RawMessage{}, outputs: map[SkillID]json.RawMessage{}}
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

// Tools returns the catalog of a deployment. The same options give the same bytes when marshalled. It fails on an
// unknown skill or filter and on a retention below MinRetention.
func (g *Generator) Tools(opt CatalogOptions) ([]Tool, error) {
	for _, id := range opt.Skills {
		if _, ok := SkillByID(id); !ok {
			return nil, fmt.Errorf("tool catalog: unknown skill %q", id)
		}
	}
	for _, name := range opt.Filters {
		if !slices.Contains(filterNames(), name) {
			return nil, fmt.Errorf("tool catalog: unknown filter %q", name)
		}
	}
	if opt.Retention == 0 {
		opt.Retention = DefaultRetention
	}
	if opt.Retention < MinRetention {
		return nil, fmt.Errorf("tool catalog: a retention of %s is less than %s", opt.Retention, MinRetention)
	}
	if opt.SchemaBase == "" {
		opt.SchemaBase = SchemaBaseURL
	}
	tools := []Tool{}
	for _, skill := range Skills() {
		if opt.Skills == nil || slices.Contains(opt.Skills, skill.ID) {
			tools = append(tools, g.tool(skill, opt))
		}
	}
	return tools, nil
}

func (g *Generator) tool(skill Skill, opt CatalogOptions) Tool {
	meta := ToolMeta{
		Version: Release, Skill: skill.ID, RequestType: skill.RequestType(), ResponseType: skill.ResponseType(),
		Schemas: ToolSchemas{
			Request:  opt.SchemaBase + skill.RequestSchema,
			Response: opt.SchemaBase + skill.ResponseSchema,
			Error:    opt.SchemaBase + errorSchema,
		},
	}
	if skill.ID == InventorySearch {
		c := NewInventoryCapabilities(opt.Filters)
		meta.Capabilities = &c
	}
	description := skill.Description
	if skill.Kind == ConsentedWrite {
		description += fmt.Sprintf(" A key is remembered for %d hours.", int(opt.Retention.Hours()))
	}
	read := skill.Kind == Read
	return Tool{
		Name: skill.Tool, Title: skill.Title, Description: description,
		InputSchema:  slices.Clone(g.inputs[skill.ID]),
		OutputSchema: slices.Clone(g.outputs[skill.ID]),
		Annotations:  Annotations{ReadOnlyHint: read, IdempotentHint: read, OpenWorldHint: true},
		Meta:         map[string]any{MetaNamespace: meta},
	}
}
