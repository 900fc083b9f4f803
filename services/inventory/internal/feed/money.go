package feed

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	// amountPattern takes 24990, 24,990 and 24990.00; anything else might be misread.
	amountPattern = regexp.MustCompile(`^(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d{1,2})?$`)
	// noPricePattern takes what dealers write instead of a price.
	noPricePattern = regexp.MustCompile(`(?i)^(please )?(call|contact|ask|inquire|enquire|request|tbd|tba|price on request)\b`)
)

var notDollars = bad("the price is not an amount in US dollars",
	"Write the amount in US dollars such as 24990 or $24,990, or leave it empty when there is no price.")

// isDollars says whether a currency is the US dollar.
func isDollars(currency string) bool {
	switch strings.ToUpper(currency) {
	case "USD", "US$", "$":
		return true
	}
	return false
}

// parseMoney reads whole US dollars; cents are rounded. Zero and words such as "Call" mean that there is no price.
func parseMoney(text string) (any, *badValue) {
	if noPricePattern.MatchString(text) {
		return nil, nil
	}
	amount := strings.TrimSpace(text)
	for _, mark := range []string{"USD", "US$", "$"} {
		if rest, ok := strings.CutPrefix(amount, mark); ok {
			amount = strings.TrimSpace(rest)
			break
		}
	}
	amount = strings.TrimSpace(strings.TrimSuffix(amount, "USD"))
	if !amountPattern.MatchString(amount) {
		return nil, notDollars
	}
	dollars, err := strconv.ParseFloat(strings.ReplaceAll(amount, ",", ""), 64)
	if err != nil {
		return nil, notDollars
	}
	whole := int64(math.Round(dollars))
	if whole == 0 {
		return nil, nil
	}
	return json.Number(strconv.FormatInt(whole, 10)), nil
}
