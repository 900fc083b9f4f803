package contract

import (
	"strings"
	"time"
)

// ParseTime reads a JSON Schema date-time: RFC 3339 with an offset. Beyond time.Parse it takes what RFC 3339 §5.6 also
// allows, lower-case t and z and the leap second :60 (read as the instant after :59).
func ParseTime(s string) (time.Time, bool) {
	s = strings.ToUpper(s)
	leap := len(s) > 19 && s[16:19] == ":60"
	if leap {
		s = s[:16] + ":59" + s[19:]
	}
	if strings.ContainsRune(s, ',') { // time.Parse takes a comma before fractions, RFC 3339 does not
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, false
	}
	if leap {
		if utc := t.UTC(); utc.Hour() != 23 || utc.Minute() != 59 {
			return time.Time{}, false
		}
		t = t.Add(time.Second)
	}
	return t, true
}
