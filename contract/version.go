package contract

// Release constants of the Auto Agent Protocol and the MCP revisions of its binding. Nothing else in the project spells
// these values.
const (
	// Release is the AAP release that this code implements.
	Release = "3.0.0"
	// PathLabel is the release's label in URL paths.
	PathLabel = "v3.0"
	// ExtensionURI identifies the AAP extension in agent cards.
	ExtensionURI = "https://autoagentprotocol.org/extensions/aap/" + PathLabel
	// MetaNamespace is the key of AAP metadata in MCP _meta objects.
	MetaNamespace = "autoagentprotocol.org/aap"
	// SchemaBaseURL is the prefix of the canonical schema URLs.
	SchemaBaseURL = "https://autoagentprotocol.org/" + PathLabel + "/schemas/"
	// RevisionCurrent is the current MCP revision.
	RevisionCurrent = "2026-07-28"
	// RevisionLegacy is the MCP revision kept for existing clients.
	RevisionLegacy = "2025-11-25"
)

// Revisions lists the MCP revisions that every endpoint serves and advertises, newest first.
func Revisions() []string { return []string{RevisionCurrent, RevisionLegacy} }
