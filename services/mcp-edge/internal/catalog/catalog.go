package catalog

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// Catalog knows the tools of every dealership (R-LIST, R-TOOL). Dealerships that enable the same skills have the same tools, so
// there is at most one encoding per set of skills, however many dealerships there are. It is safe for concurrent use.
type Catalog struct {
	generator *contract.Generator
	retention time.Duration

	mu   sync.RWMutex
	sets map[set]*Tools
}

// Tools is what one set of skills offers.
type Tools struct {
	// JSON is the array of MCP tools, in the order of the registry.
	JSON []byte
	// Document is the tool catalog that is published beside the endpoint.
	Document Document

	skills map[string]contract.SkillID // by tool name
	names  []string
}

// set has one bit for each enabled skill of the registry.
type set uint

// New prepares the catalog. retention is how long idempotency keys are remembered, as lead.submit advertises it; zero means
// contract.DefaultRetention, and less than contract.MinRetention is refused (R-IDEM).
func New(retention time.Duration) (*Catalog, error) {
	generator, err := contract.NewGenerator()
	if err != nil {
		return nil, fmt.Errorf("generate tool catalog: %w", err)
	}
	c := &Catalog{generator: generator, retention: retention, sets: make(map[set]*Tools)}
	if _, err := c.Tools(&tenant.Document{}); err != nil {
		return nil, err
	}
	return c, nil
}

// Tools returns the tools of a dealership: those of its enabled skills.
func (c *Catalog) Tools(doc *tenant.Document) (*Tools, error) {
	enabled := enabledSkills(doc)
	c.mu.RLock()
	tools, ok := c.sets[enabled]
	c.mu.RUnlock()
	if ok {
		return tools, nil
	}
	tools, err := c.build(enabled)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sets[enabled] = tools
	return tools, nil
}

// Skill finds the skill behind a tool name, if the dealership offers it.
func (t *Tools) Skill(name string) (contract.SkillID, bool) {
	id, ok := t.skills[name]
	return id, ok
}

// Names lists the tools.
func (t *Tools) Names() []string { return t.names }

func enabledSkills(doc *tenant.Document) set {
	var enabled set
	for i, skill := range registry {
		if doc.Enabled(skill.ID) {
			enabled |= 1 << i
		}
	}
	return enabled
}

// registry is a copy made once: contract.Skills builds a new slice on every call.
var registry = contract.Skills()

func (c *Catalog) build(enabled set) (*Tools, error) {
	tools := &Tools{skills: make(map[string]contract.SkillID)}
	ids := []contract.SkillID{} // not nil, which would mean all
	for i, skill := range registry {
		if enabled&(1<<i) != 0 {
			ids = append(ids, skill.ID)
			tools.skills[skill.Tool] = skill.ID
			tools.names = append(tools.names, skill.Tool)
		}
	}
	list, err := c.generator.Tools(contract.CatalogOptions{Skills: ids, Retention: c.retention})
	if err != nil {
		return nil, fmt.Errorf("generate tool catalog: %w", err)
	}
	if tools.JSON, err = json.Marshal(list); err != nil {
		return nil, fmt.Errorf("encode tool catalog: %w", err)
	}
	document, err := json.Marshal(struct {
		AAPVersion string          `json:"aap_version"`
		Tools      json.RawMessage `json:"tools"`
	}{contract.Release, tools.JSON})
	if err != nil {
		return nil, fmt.Errorf("encode tool catalog: %w", err)
	}
	tools.Document = newDocument(document, "application/json")
	return tools, nil
}
