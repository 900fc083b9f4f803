package feed

import (
	"encoding/json"
	"net/url"
	"strings"

	"forecourt.internal/contract"
)

var (
	notURL      = bad("the address is not a URL", "Write it in full, beginning with https://, and spaces in it as %20.")
	notPhotoURL = bad("a photo address is not a URL", "Write full addresses beginning with https://, separated by commas, and spaces in them as %20.")
	notList     = bad("the value begins like a JSON array and is none", `Write it such as ["one", "two"], or without brackets.`)
)

func parseURL(text string) (any, *badValue) {
	if !isURL(text) {
		return nil, notURL
	}
	return text, nil
}

func isURL(text string) bool {
	if contract.IsPlainURL(text) {
		return true
	}
	if strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// parsePhotos reads one address, several, or a JSON array of addresses or of objects with a url.
func parsePhotos(text string) (any, *badValue) {
	urls := splitURLs(text)
	if strings.HasPrefix(text, "[") {
		var ok bool
		if urls, ok = jsonTexts(text, "url"); !ok {
			return nil, notList
		}
	}
	photos := make([]any, 0, len(urls))
	for _, photo := range urls {
		if !isURL(photo) {
			return nil, notPhotoURL
		}
		photos = append(photos, photo)
	}
	return listOrNothing(photos)
}

func listOrNothing(list []any) (any, *badValue) {
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

// jsonTexts reads a JSON array of strings, or of objects of which one member counts.
func jsonTexts(text, member string) (texts []string, ok bool) {
	var list []any
	if json.Unmarshal([]byte(text), &list) != nil {
		return nil, false
	}
	for _, item := range list {
		if object, isObject := item.(map[string]any); isObject {
			item = object[member]
		}
		item, isText := item.(string)
		if !isText {
			return nil, false
		}
		if item = strings.TrimSpace(item); !isAbsent(item) {
			texts = append(texts, item)
		}
	}
	return texts, true
}

const urlSeparators = ",;| \t\r\n"

// splitURLs splits at commas, semicolons, bars and white space, but only where an address begins behind: addresses may hold commas.
func splitURLs(text string) []string {
	const mark = "://"
	urls := make([]string, 0, 1+strings.Count(text, mark))
	start := 0
	for at := 0; ; at += len(mark) {
		n := strings.Index(text[at:], mark)
		if n < 0 {
			return appendURL(urls, text[start:])
		}
		at += n
		before, ok := cutSuffixFold(text[:at], "https")
		if !ok {
			before, ok = cutSuffixFold(text[:at], "http")
		}
		if first := len(before); ok && first > start && strings.IndexByte(urlSeparators, text[first-1]) >= 0 {
			urls = appendURL(urls, text[start:first])
			start = first
		}
	}
}

func appendURL(urls []string, part string) []string {
	if part = strings.Trim(part, urlSeparators); part != "" {
		return append(urls, part)
	}
	return urls
}

// parseFeatures reads a JSON array, an HTML list, or names that are separated by bars, else by semicolons, else by commas.
func parseFeatures(text string) (any, *badValue) {
	var parts []string
	switch {
	case strings.HasPrefix(text, "["):
		var ok bool
		if parts, ok = jsonTexts(text, "value"); !ok {
			return nil, notList
		}
	case strings.ContainsAny(text, "<&"):
		for line := range strings.Lines(htmlToText(text)) {
			parts = append(parts, splitFeatures(line)...)
		}
	default:
		parts = splitFeatures(text)
	}
	features := make([]any, 0, len(parts))
	for _, part := range parts {
		if feature := cleanText(part); !isAbsent(feature) && !contains(features, feature) {
			features = append(features, feature)
		}
	}
	return listOrNothing(features)
}

func splitFeatures(text string) []string {
	for _, separator := range []string{"|", ";"} {
		if strings.Contains(text, separator) {
			return strings.Split(text, separator)
		}
	}
	return strings.Split(text, ",")
}

// contains compares with each: lists of features are short.
func contains(list []any, text string) bool {
	for _, item := range list {
		if item == text {
			return true
		}
	}
	return false
}
