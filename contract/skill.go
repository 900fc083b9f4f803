package contract

// Kind says what a skill does to the dealership.
type Kind int

const (
	// Read has no effect.
	Read Kind = iota
	// ConsentedWrite contacts the dealer with the buyer's explicit consent and needs an idempotency key.
	ConsentedWrite
)

// SkillID names a skill, such as "inventory.search".
type SkillID string

// The five AAP skills.
const (
	DealerInformation SkillID = "dealer.information"
	InventoryFacets   SkillID = "inventory.facets"
	InventorySearch   SkillID = "inventory.search"
	InventoryVehicle  SkillID = "inventory.vehicle"
	LeadSubmit        SkillID = "lead.submit"
)

// Skill is one row of the registry. Tool catalog, validation, discovery documents, scopes and telemetry derive from it.
type Skill struct {
	ID   SkillID
	Tool string // MCP tool name
	Kind Kind
	// Title and Description are for people and models choosing a tool.
	Title       string
	Description string
	// RequestSchema and ResponseSchema are file names under schemas/.
	RequestSchema  string
	ResponseSchema string
}

// RequestType is the value of "type" in the skill's requests.
func (s Skill) RequestType() string { return string(s.ID) + ".request" }

// ResponseType is the value of "type" in the skill's responses.
func (s Skill) ResponseType() string { return string(s.ID) + ".response" }

// Skills returns the registry in its fixed order, which is also the order of tools/list (R-LIST).
func Skills() []Skill {
	return []Skill{
		{
			ID: DealerInformation, Tool: "aap_dealer_information", Kind: Read,
			Title: "Dealer information",
			Description: "Get the dealership's profile: its name and each rooftop (location) with address, contacts, opening " +
				"hours in local time, and the services it offers.",
			RequestSchema:  "dealer-information-request.schema.json",
			ResponseSchema: "dealer-information-response.schema.json",
		},
		{
			ID: InventoryFacets, Tool: "aap_inventory_facets", Kind: Read,
			Title: "Inventory facets",
			Description: "Count the dealership's listings by make, model, year, condition, body, fuel and other values, with " +
				"price, mileage and year ranges. Use it to learn which filter values exist before searching.",
			RequestSchema:  "inventory-facets-request.schema.json",
			ResponseSchema: "inventory-facets-response.schema.json",
		},
		{
			ID: InventorySearch, Tool: "aap_inventory_search", Kind: Read,
			Title: "Inventory search",
			Description: "Search the dealership's listings by filters and free text, sorted and in pages. Pass next_cursor of one " +
				"page as pagination.cursor to get the next, with the same filters and sort.",
			RequestSchema:  "inventory-search-request.schema.json",
			ResponseSchema: "inventory-search-response.schema.json",
		},
		{
			ID: InventoryVehicle, Tool: "aap_inventory_vehicle", Kind: Read,
			Title: "Vehicle details",
			Description: "Get one listing in full by vin, stock or vehicle_id, with its availability, prices, mileage, features " +
				"and photos.",
			RequestSchema:  "inventory-vehicle-request.schema.json",
			ResponseSchema: "inventory-vehicle-response.schema.json",
		},
		{
			ID: LeadSubmit, Tool: "aap_lead_submit", Kind: ConsentedWrite,
			Title: "Submit lead",
			Description: "Send a buyer's contact details to the dealership, with the buyer's explicit consent, and optionally a " +
				"vehicle of interest, a trade-in and an appointment request. Repeat a call after an uncertain result with the same " +
				"idempotency_key and payload.",
			RequestSchema:  "lead-submit-request.schema.json",
			ResponseSchema: "lead-submit-response.schema.json",
		},
	}
}

// SkillByTool finds the skill that an MCP tool name stands for.
func SkillByTool(tool string) (Skill, bool) {
	for _, s := range Skills() {
		if s.Tool == tool {
			return s, true
		}
	}
	return Skill{}, false
}
