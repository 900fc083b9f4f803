package contract

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// text is what a caller reads of a problem. The schema library's own texts are never used: some quote the value.
type text struct{ err, correction string }

// problem words a finding.
func (f finding) problem() Problem {
	t := f.text
	switch {
	case t != text{}:
	case f.keyword == "additionalProperties":
		t = unknownMember(f.path[len(f.path)-1], f.known)
	case f.keyword == "required":
		t = text{"The required member is missing.", fmt.Sprintf("Add %q.", f.path[len(f.path)-1])}
	default:
		t = schemaText(f.cause)
	}
	return Problem{InstanceLocation: pointer(f.path), Keyword: f.keyword, Error: t.err, Correction: t.correction}
}

func unknownMember(name string, known []string) text {
	const unknown = "The member is not known here."
	if slices.Contains([]string{"skip", "offset", "page"}, name) && slices.Contains(known, "cursor") {
		return text{unknown, `Remove the member; for the next page send the next_cursor of the page before as "cursor".`} // AAP 1.x had skip
	}
	if near, ok := nearestName(name, known); ok {
		return text{unknown, fmt.Sprintf("Did you mean %q? Rename or remove the member.", near)}
	}
	if len(known) == 0 {
		return text{unknown, "Remove the member."}
	}
	return text{unknown, "Remove the member; those known here are " + strings.Join(known, ", ") + "."}
}

// schemaText words a failed keyword from the schema's side alone.
func schemaText(cause any) text {
	switch k := cause.(type) {
	case *kind.Type:
		want := make([]string, len(k.Want))
		for i, t := range k.Want {
			want[i] = typeWords[t]
		}
		return text{"The value is " + typeWords[k.Got] + ".", "Send " + or(want) + "."}
	case *kind.Enum:
		return text{"The value is not one of those allowed.", "Send " + orList(k.Want) + "."}
	case *kind.Const:
		return text{"The value is not the one required here.", "Send " + orList([]any{k.Want}) + "."}
	case *kind.Format:
		return formatText(k.Want)
	case *kind.Pattern:
		return patternText(k.Want)
	case *kind.MinLength:
		return text{"The text is too short.", "Send at least " + count(k.Want, "character") + "."}
	case *kind.MaxLength:
		return text{"The text is too long.", "Send at most " + count(k.Want, "character") + "."}
	case *kind.MinItems:
		return text{"The list is too short.", "Send at least " + count(k.Want, "item") + "."}
	case *kind.MaxItems:
		return text{"The list is too long.", "Send at most " + count(k.Want, "item") + "."}
	case *kind.UniqueItems:
		return text{fmt.Sprintf("Items %d and %d are the same.", k.Duplicates[0], k.Duplicates[1]), "Send each item once."}
	case *kind.Minimum:
		return text{"The number is too small.", "Send a number of at least " + number(k.Want) + "."}
	case *kind.Maximum:
		return text{"The number is too large.", "Send a number of at most " + number(k.Want) + "."}
	case *kind.ExclusiveMinimum:
		return text{"The number is too small.", "Send a number greater than " + number(k.Want) + "."}
	case *kind.ExclusiveMaximum:
		return text{"The number is too large.", "Send a number less than " + number(k.Want) + "."}
	default:
		return text{"The value does not fit its schema.", "Send a value that fits the published schema."}
	}
}

var typeWords = map[string]string{
	"null": "null", "boolean": "true or false", "number": "a number", "integer": "an integer", "string": "a string",
	"array": "an array", "object": "an object",
}

func formatText(format string) text {
	switch format {
	case "date-time":
		return text{"The text is not a date and time with an offset.", `Send an RFC 3339 date-time with an offset, such as "2026-05-03T11:00:00-07:00".`}
	case "date":
		return text{"The text is not a date.", `Send a date as YYYY-MM-DD, such as "2026-05-03".`}
	case "uri":
		return text{"The text is not an absolute URI.", `Send an absolute URI, such as "https://www.example.com/".`}
	case "email":
		return text{"The text is not an email address.", `Send an email address, such as "name@example.com".`}
	default:
		return text{"The text does not have the required format.", "Send text of the format " + format + "."}
	}
}

// patternText words the patterns that the schemas use; TestTexts_EveryPatternHasWords keeps it complete.
func patternText(pattern string) text {
	words, ok := map[string]string{
		`^[A-HJ-NPR-Z0-9]{17}$`:                  "17 capital letters and digits, without I, O and Q",
		`^\+[1-9]\d{1,14}$`:                      "a phone number in E.164 form, such as +15105550100",
		`^([01]\d|2[0-3]):[0-5]\d$`:              "a time of day as HH:MM, such as 09:30",
		`^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$`: "1 to 64 lower-case letters, digits and inner hyphens",
		`^[^\s.*>]{1,128}$`:                      "1 to 128 characters without space, dot, * and >",
		`^lead_[0-9A-HJKMNP-TV-Z]{26}$`:          "lead_ and a ULID",
		`^[0-9a-f]{64}$`:                         "64 lower-case hexadecimal digits",
		`^[a-z][a-z0-9+.-]*://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$`: "an origin as scheme://host or scheme://host:port",
	}[pattern]
	if !ok {
		words = "text that matches " + pattern
	}
	return text{"The text does not have the required form.", "Send " + words + "."}
}

// or joins words as "a, b or c".
func or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func orList[T any](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		if s, ok := any(v).(string); ok {
			words[i] = strconv.Quote(s)
		} else {
			words[i] = fmt.Sprint(v)
		}
	}
	return or(words)
}

func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

func number(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}
