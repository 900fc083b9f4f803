package catalog_test

import (
	"bytes"
	"testing"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/mcp-edge/internal/catalog"
)

func newCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.New(0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTools_OneEncodingForEachSetting(t *testing.T) {
	c := newCatalog(t)
	plain := c.Tools(&tenant.Document{ID: "a"})
	for name, same := range map[string]struct{ a, b *tenant.Document }{
		"no setting":               {&tenant.Document{ID: "a"}, &tenant.Document{ID: "b"}},
		"all skills by name":       {&tenant.Document{}, &tenant.Document{Skills: allSkills()}},
		"filters in another order": {&tenant.Document{DisabledFilters: []string{"geo", "vin"}}, &tenant.Document{DisabledFilters: []string{"vin", "geo"}}},
	} {
		if c.Tools(same.a) != c.Tools(same.b) {
			t.Errorf("%s: two encodings", name)
		}
	}
	for name, other := range map[string]*tenant.Document{
		"a filter less": {DisabledFilters: []string{"geo"}},
		"a skill less":  {Skills: allSkills()[1:]},
	} {
		if bytes.Equal(c.Tools(other).JSON, plain.JSON) {
			t.Errorf("%s: the tools are those of a dealership without it", name)
		}
	}
}

// Another catalog is another process, or this one after it has dropped an encoding.
func TestTools_AreTheSameBytesWhereverTheyAreMade(t *testing.T) {
	doc := &tenant.Document{DisabledFilters: []string{"query", "geo"}, Skills: allSkills()[1:]}
	if first, again := newCatalog(t).Tools(doc), newCatalog(t).Tools(doc); !bytes.Equal(first.JSON, again.JSON) {
		t.Error("two catalogs differ")
	}
}

func allSkills() []contract.SkillID {
	var ids []contract.SkillID
	for _, s := range contract.Skills() {
		ids = append(ids, s.ID)
	}
	return ids
}
