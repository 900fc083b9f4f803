package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// maxSettings bounds how many encodings are kept, at some 75 KB each. An encoding that is needed again is made again, in about a
// millisecond and with the same bytes.
const maxSettings = 256

// Catalog knows the tools of every dealership (R-LIST, R-TOOL). Dealerships with the same setting have the same tools and share one
// encoding, however many they are; a dealership that changes its setting has other tools from then on. It is safe for concurrent use.
type Catalog struct {
	generator *contract.Generator
	skills    []contract.Skill  // the registry, in its order
	filters   map[string]uint64 // the bit of each filter in a setting
	encoded   *lru.Cache[setting, *Tools]
}

// setting is what of a tenant document the tools depend on, one bit each.
type setting struct {
	skills   uint64 // enabled, in the order of the registry
	disabled uint64 // filters, in the order of their schema
}

// Tools is what one setting offers.
type Tools struct {
	// JSON is the array of MCP tools, in the order of the registry.
	JSON []byte
	// Names are the names of the tools, in the same order.
	Names []string
	// Document is the tool catalog that is published beside the endpoint.
	Document Document

	skills map[string]contract.SkillID // by tool name
}

// New prepares the catalog. retention is how long idempotency keys are remembered, as lead.submit advertises it; zero means
// contract.DefaultRetention, and less than contract.MinRetention is refused (R-IDEM).
func New(retention time.Duration) (*Catalog, error) {
	generator, err := contract.NewGenerator(retention)
	if err != nil {
		return nil, fmt.Errorf("generate tool catalog: %w", err)
	}
	encoded, err := lru.New[setting, *Tools](maxSettings)
	if err != nil {
		return nil, fmt.Errorf("keep tool catalogs: %w", err)
	}
	c := &Catalog{generator: generator, skills: contract.Skills(), filters: make(map[string]uint64), encoded: encoded}
	for i, name := range contract.Filters() {
		c.filters[name] = 1 << i
	}
	return c, nil
}

// Tools returns the tools of a dealership: those of its enabled skills, which tell the filters that work.
func (c *Catalog) Tools(doc *tenant.Document) *Tools {
	key := c.settingOf(doc)
	tools, ok := c.encoded.Get(key)
	if !ok {
		tools = c.encode(doc)
		c.encoded.Add(key, tools)
	}
	return tools
}

// Skill finds the skill behind a tool name, if the dealership offers it.
func (t *Tools) Skill(name string) (contract.SkillID, bool) {
	id, ok := t.skills[name]
	return id, ok
}

func (c *Catalog) settingOf(doc *tenant.Document) setting {
	var s setting
	for i, skill := range c.skills {
		if doc.Enabled(skill.ID) {
			s.skills |= 1 << i
		}
	}
	for _, name := range doc.DisabledFilters {
		s.disabled |= c.filters[name]
	}
	return s
}

// The tool catalog around the array of tools.
const (
	documentStart = `{"aap_version":"` + contract.Release + `","tools":`
	documentEnd   = `}`
)

func (c *Catalog) encode(doc *tenant.Document) *Tools {
	t := &Tools{skills: make(map[string]contract.SkillID)}
	var list [][]byte
	for i, tool := range c.generator.Tools(doc.DisabledFilters) { // one for each skill of the registry
		skill := c.skills[i]
		if !doc.Enabled(skill.ID) {
			continue
		}
		encoded, err := json.Marshal(tool)
		if err != nil {
			panic(fmt.Sprintf("encode tool %s: %v", tool.Name, err)) // the generator made its schemas, and the rest is text
		}
		list = append(list, encoded)
		t.Names = append(t.Names, skill.Tool)
		t.skills[skill.Tool] = skill.ID
	}
	document := []byte(documentStart + "[")
	document = append(document, bytes.Join(list, []byte(","))...)
	document = append(document, "]"+documentEnd...)
	t.JSON = document[len(documentStart) : len(document)-len(documentEnd)]
	t.Document = newDocument(document, "application/json")
	return t
}
