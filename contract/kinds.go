package contract

// kinds is the set of kinds of mistake that a problem counts as.
type kinds uint8

const (
	ofContact   kinds = 1 << iota // no consent, or none for the channel
	ofConsent                     // a consent that cannot be used
	ofCondition                   // a condition of the wrong vocabulary
	ofRequired                    // a required member is absent
	ofStructure                   // anything else
)

// codeOf decides the one code of a response. When all problems share a kind, it is that kind's code; otherwise, and for
// structural problems, SCHEMA_VALIDATION_FAILED. A problem can be of several kinds, and the special kind wins where
// several are shared: an absent consent is also an absent required member, so alone it is CONTACT_CONSENT_REQUIRED and
// beside an absent customer MISSING_REQUIRED_FIELD; likewise an absent member of the consent is INVALID_CONSENT alone.
func codeOf(found []finding) Code {
	shared := ^kinds(0)
	for _, f := range found {
		shared &= f.kinds
	}
	switch {
	case shared&ofContact != 0:
		return ContactConsentRequired
	case shared&ofConsent != 0:
		return InvalidConsent
	case shared&ofCondition != 0:
		return InvalidCondition
	case shared&ofRequired != 0:
		return MissingRequiredField
	default:
		return SchemaValidationFailed
	}
}

// classifyLead gives the schema problems of a lead their special kinds: any fault at or below /consent makes the
// consent unusable, and a condition outside its vocabulary is told apart from other values that are not allowed.
func classifyLead(found []finding) {
	for i, f := range found {
		switch {
		case len(f.path) == 1 && f.path[0] == "consent" && f.keyword == "required":
			found[i].kinds = ofContact | ofRequired
		case len(f.path) > 0 && f.path[0] == "consent":
			found[i].kinds = f.kinds&ofRequired | ofConsent
		case len(f.path) == 2 && f.path[1] == "condition" && f.keyword == "enum":
			found[i].kinds = ofCondition
		}
	}
}

// messages are for the end user, one sentence each, by the code of a request that cannot be accepted.
var messages = map[Code]string{
	ContactConsentRequired: "The buyer has not consented to be contacted in this way.",
	InvalidConsent:         "The buyer's consent to be contacted cannot be used as it was given.",
	InvalidCondition:       "The condition of a vehicle is described in words that do not apply to it.",
	MissingRequiredField:   "Some required information is missing.",
	SchemaValidationFailed: "The request could not be understood as it was sent.",
}
