package mcp

import (
	"strconv"
	"strings"
)

// format is how a response is written.
type format int

const (
	asJSON format = iota
	asEvent
)

// negotiate picks the format that the Accept headers prefer, JSON when they do not say; false when they exclude both (R-ACC).
func negotiate(accept []string) (format, bool) {
	if len(accept) == 0 {
		return asJSON, true
	}
	json, event := quality{}, quality{}
	ranges := 0
	for _, header := range accept {
		for entry := range strings.SplitSeq(header, ",") {
			if entry = strings.TrimSpace(entry); entry == "" {
				continue
			}
			ranges++
			media, q := mediaRange(entry)
			json.offer(media, q, "application/*", "application/json")
			event.offer(media, q, "text/*", "text/event-stream")
		}
	}
	switch {
	case ranges == 0: // an empty header says nothing
		return asJSON, true
	case json.q <= 0 && event.q <= 0:
		return asJSON, false
	case event.q > json.q:
		return asEvent, true
	default:
		return asJSON, true
	}
}

// quality is the weight of one media type: that of the most specific range which covers it (RFC 9110 §12.5.1).
type quality struct {
	specificity int
	q           float64
}

func (best *quality) offer(media string, q float64, family, exact string) {
	specificity := 0
	switch {
	case strings.EqualFold(media, exact):
		specificity = 3
	case strings.EqualFold(media, family):
		specificity = 2
	case media == "*/*":
		specificity = 1
	default:
		return
	}
	if specificity > best.specificity || specificity == best.specificity && q > best.q {
		*best = quality{specificity, q}
	}
}

// mediaRange splits an entry such as "text/*;q=0.5". A weight that is not one counts as 1.
func mediaRange(entry string) (media string, q float64) {
	media, parameters, _ := strings.Cut(entry, ";")
	q = 1
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		if weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && weight >= 0 && weight <= 1 {
			q = weight
		}
	}
	return strings.TrimSpace(media), q
}
