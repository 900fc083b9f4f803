package tenant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"

	"forecourt.internal/contract"
)

// schema is the document's JSON Schema in the contract.
const schema = "tenant.schema.json"

// idPattern makes an id safe as a path segment and as a token of a NATS subject.
var idPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$`)

// ValidID says whether id may name a tenant: 1 to 64 lower-case letters, digits and inner hyphens.
func ValidID(id string) bool { return idPattern.MatchString(id) }

// Document describes one dealership. Its JSON form is what the TENANTS bucket keeps; people write it as YAML.
type Document struct {
	ID             string    `json:"id"`
	Name           string    `json:"name"`
	WelcomeMessage string    `json:"welcome_message,omitempty"`
	Rooftops       []Rooftop `json:"rooftops"`
	// Skills are the enabled ones; nil means all, empty means none.
	Skills []contract.SkillID `json:"skills,omitzero"`
	// DisabledFilters are the inventory filters that a search or facets call may not use.
	DisabledFilters []string `json:"disabled_filters,omitempty"`
	// Origins may send browser requests, as scheme://host[:port] (R-ORIG).
	Origins      []string     `json:"origins,omitempty"`
	Feed         Feed         `json:"feed,omitzero"`
	Appointments Appointments `json:"appointments,omitzero"`
	Leads        Leads        `json:"leads,omitzero"`
}

// Rooftop is one location, in the shape of dealer.information.
type Rooftop struct {
	Name         string            `json:"name"`
	LegalName    string            `json:"legal_name,omitempty"`
	Website      string            `json:"website,omitempty"`
	Geo          *Geo              `json:"geo,omitempty"`
	Emails       []NamedValue      `json:"emails,omitempty"`
	Phones       []NamedValue      `json:"phones,omitempty"`
	Address      map[string]string `json:"address,omitempty"`
	Schedules    []Schedule        `json:"schedules,omitempty"`
	Timezone     string            `json:"timezone,omitempty"` // IANA
	Notes        string            `json:"notes,omitempty"`
	Capabilities []string          `json:"capabilities,omitempty"`
	Fees         []Fee             `json:"fees,omitempty"`
}

// Geo is a point in WGS 84 degrees.
type Geo struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// NamedValue is a labelled e-mail address or phone number.
type NamedValue struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// Schedule holds weekly hours under a label such as "sales"; a day that is null or absent is closed.
type Schedule struct {
	Name  string            `json:"name,omitempty"`
	Value map[string]*Hours `json:"value"`
}

// Hours are local times of day, "HH:MM".
type Hours struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Fee is a charge in whole US dollars.
type Fee struct {
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
}

// Enabled says whether the dealership offers a skill.
func (d *Document) Enabled(id contract.SkillID) bool {
	return d.Skills == nil || slices.Contains(d.Skills, id)
}

// Rooftop finds a location by its name; nil when there is none.
func (d *Document) Rooftop(name string) *Rooftop {
	for i := range d.Rooftops {
		if d.Rooftops[i].Name == name {
			return &d.Rooftops[i]
		}
	}
	return nil
}

// Parse reads one document from YAML or JSON. A document that breaks its schema is refused whole: the error is a
// *contract.Error that lists every problem.
func Parse(text []byte, v *contract.Validator) (*Document, error) {
	if err := onlyOne(text); err != nil {
		return nil, fmt.Errorf("read tenant document: %w", err)
	}
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, fmt.Errorf("read tenant document: %w", err)
	}
	value, err := contract.DecodeJSON(asJSON)
	if err != nil {
		return nil, fmt.Errorf("read tenant document: %w", err)
	}
	if value == nil {
		return nil, errors.New("read tenant document: it is empty")
	}
	var d Document
	fault, unread := v.Document(schema, value), json.Unmarshal(asJSON, &d)
	if fault == nil && unread != nil {
		return nil, fmt.Errorf("read tenant document: %w", unread)
	}
	problems := d.problems() // of what could be read, beside those of the schema
	if fault != nil {
		problems = append(fault.Problems, problems...)
	}
	if len(problems) > 0 {
		return nil, contract.NewError(contract.SchemaValidationFailed, "The tenant document is not usable.", problems...)
	}
	return &d, nil
}

// onlyOne refuses a YAML stream of several documents, of which the others would be dropped without a word.
func onlyOne(text []byte) error {
	documents := yamlv2.NewDecoder(bytes.NewReader(text))
	for n := 0; ; n++ {
		err := documents.Decode(new(any))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 {
			return errors.New("the file holds several YAML documents; give each its own file")
		}
	}
}

// YAML writes the document as people edit it.
func (d *Document) YAML() ([]byte, error) { return yaml.Marshal(d) }
