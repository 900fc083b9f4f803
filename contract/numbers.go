package contract

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Int64 returns the value of a JSON number that JSON Schema calls an integer, which includes 3.0 and 1e3. Values beyond
// int64 become its nearest end, so that a huge limit stays a huge limit. It reports false for a fraction and for a
// number outside the range that Validator accepts.
func Int64(n json.Number) (int64, bool) {
	if i, err := n.Int64(); err == nil {
		return i, true
	}
	if !numberInRange(n) {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok || !r.IsInt() {
		return 0, false
	}
	switch {
	case r.Num().IsInt64():
		return r.Num().Int64(), true
	case r.Sign() < 0:
		return math.MinInt64, true
	default:
		return math.MaxInt64, true
	}
}

// numberInRange reports whether a number is a finite IEEE 754 double of ordinary length (RFC 8259 §6). Exact arithmetic
// on anything larger costs time and memory in proportion to its exponent, which a caller could abuse.
func numberInRange(n json.Number) bool {
	if len(n) > 128 {
		return false
	}
	if len(n) < 19 && !strings.ContainsAny(string(n), "eE") {
		return true
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 && len(strings.TrimLeft(string(n[i+1:]), "+-0")) > 3 {
		return false
	}
	f, err := n.Float64()
	return err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// numbersInRange reports whether every number of a value is in range.
func numbersInRange(v any) bool {
	switch v := v.(type) {
	case json.Number:
		return numberInRange(v)
	case map[string]any:
		for _, member := range v {
			if !numbersInRange(member) {
				return false
			}
		}
	case []any:
		for _, item := range v {
			if !numbersInRange(item) {
				return false
			}
		}
	}
	return true
}

// withoutHuge copies a value with 0 for each number out of range, and records where these are.
func withoutHuge(v any, path []string, huge *[]finding) any {
	switch v := v.(type) {
	case json.Number:
		if numberInRange(v) {
			return v
		}
		*huge = append(*huge, finding{path: slices.Clone(path), keyword: "number", kinds: ofStructure, text: text{
			"The number is out of range.", "Send a number that fits an IEEE 754 double."}})
		return json.Number("0")
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = withoutHuge(member, append(path, name), huge)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = withoutHuge(item, append(path, strconv.Itoa(i)), huge)
		}
		return list
	default:
		return v
	}
}
