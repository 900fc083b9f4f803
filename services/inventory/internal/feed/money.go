package feed

import (
	"encoding/json"
	"strconv"
	"strings"
)

var (
	notDollars = bad("the price is not an amount in US dollars",
		"Write the amount in US dollars such as 24990 or $24,990, or leave it empty when there is no price.")
	unclearPrice = bad("the separators in the price leave it open which amount is meant",
		"Write the amount without separators such as 24990, or with cents such as 24990.00.")
)

// isDollars says whether a currency is the US dollar.
func isDollars(currency string) bool {
	switch strings.ToUpper(currency) {
	case "USD", "US$", "$":
		return true
	}
	return false
}

// dollarMarks stand before or behind an amount; the longer ones first.
var dollarMarks = []string{"US$", "US $", "USD$", "USD", "$"}

func cutDollars(text string) string {
	text = trimSpaces(text)
	if text == "" || isDigit(text[0]) && isDigit(text[len(text)-1]) {
		return text
	}
	for _, mark := range dollarMarks {
		if rest, ok := cutPrefixFold(text, mark); ok {
			text = trimSpaces(rest)
			break
		}
	}
	for _, mark := range dollarMarks {
		if rest, ok := cutSuffixFold(text, mark); ok {
			return trimSpaces(rest)
		}
	}
	return text
}

// noPriceWords begin what dealers write instead of a price.
var noPriceWords = map[string]bool{
	"call": true, "contact": true, "ask": true, "inquire": true, "enquire": true, "request": true, "email": true, "text": true, "see": true,
	"tbd": true, "tba": true, "poa": true, "por": true, "unpriced": true,
}

// isNoPrice says whether a text without an amount says that there is none: "Call", "Please contact us", "Price on request".
func isNoPrice(text string) bool {
	text = strings.ToLower(text)
	switch text {
	case "no price", "price on request", "price upon request", "price on application":
		return true
	}
	text = strings.TrimPrefix(text, "please ")
	end := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(text)
	}
	return noPriceWords[text[:end]]
}

// parseMoney reads whole US dollars; cents are rounded, half a dollar up. Zero and words such as "Call" mean that there is no price.
func parseMoney(text string) (any, *badValue) {
	a, how := parseAmount(cutDollars(text))
	switch {
	case how == isUnclear:
		return nil, unclearPrice
	case how == isNoAmount && isNoPrice(text):
		return nil, nil
	case how == isNoAmount:
		return nil, notDollars
	case a.rounded() == 0:
		return nil, nil
	}
	return number(a.rounded()), nil
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func trimSpaces(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return separatorMark(r) == ' ' || r == '\t' || r == '\n' || r == '\r' })
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func cutSuffixFold(s, suffix string) (rest string, ok bool) {
	n := len(s) - len(suffix)
	if n < 0 || !strings.EqualFold(s[n:], suffix) {
		return s, false
	}
	return s[:n], true
}
