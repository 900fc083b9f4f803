package catalog

import (
	"bytes"
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
	skills []contract.Skill // the registry, in its order
	tools  [][]byte         // the MCP tool of each

	mu   sync.RWMutex
	sets map[set]*Tools
}

// Tools is what one set of skills offers.
type Tools struct {
	// JSON is the array of MCP tools, in the order of the registry.
	JSON []byte
	// Names are the names of the tools, in the same order.
	Names []string
	// Document is the tool catalog that is published beside the endpoint.
	Document Document

	skills map[string]contract.SkillID // by tool name
}

// set has one bit for each skill of the registry.
type set uint

// New generates the catalog. retention is how long idempotency keys are remembered, as lead.submit advertises it; zero means
// contract.DefaultRetention, and less than contract.MinRetention is refused (R-IDEM).
func New(retention time.Duration) (*Catalog, error) {
	generator, err := contract.NewGenerator()
	if err != nil {
		return nil, fmt.Errorf("generate tool catalog: %w", err)
	}
	tools, err := generator.Tools(retention)
	if err != nil {
		return nil, fmt.Errorf("generate tool catalog: %w", err)
	}
	c := &Catalog{skills: contract.Skills(), sets: make(map[set]*Tools)}
	for _, tool := range tools {
		encoded, err := json.Marshal(tool)
		if err != nil {
			return nil, fmt.Errorf("encode tool %s: %w", tool.Name, err)
		}
		c.tools = append(c.tools, encoded)
	}
	return c, nil
}

// Tools returns the tools of a dealership: those of its enabled skills.
func (c *Catalog) Tools(doc *tenant.Document) *Tools {
	var enabled set
	for i, skill := range c.skills {
		if doc.Enabled(skill.ID) {
			enabled |= 1 << i
		}
	}
	c.mu.RLock()
	tools, ok := c.sets[enabled]
	c.mu.RUnlock()
	if !ok {
		tools = c.join(enabled)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sets[enabled] = tools
	}
	return tools
}

// Skill finds the skill behind a tool name, if the dealership offers it.
func (t *Tools) Skill(name string) (contract.SkillID, bool) {
	id, ok := t.skills[name]
	return id, ok
}

func (c *Catalog) join(enabled set) *Tools {
	joined := &Tools{skills: make(map[string]contract.SkillID)}
	var list [][]byte
	for i, skill := range c.skills {
		if enabled&(1<<i) != 0 {
			list = append(list, c.tools[i])
			joined.Names = append(joined.Names, skill.Tool)
			joined.skills[skill.Tool] = skill.ID
		}
	}
	joined.JSON = append([]byte{'['}, bytes.Join(list, []byte{','})...)
	joined.JSON = append(joined.JSON, ']')
	document := append([]byte(`{"aap_version":"`+contract.Release+`","tools":`), joined.JSON...)
	joined.Document = newDocument(append(document, '}'), "application/json")
	return joined
}
