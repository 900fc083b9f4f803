package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// DecodeJSON reads one JSON value for use with Validator: objects as map[string]any, arrays as []any, numbers as json.Number,
// and string, bool and nil. It refuses duplicate member names, invalid UTF-8, nesting over 10,000 levels and anything after
// the value. Names keep their case: a case variant of a known name is another name. Errors never carry a value of the input.
func DecodeJSON(b []byte) (any, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(b))
	v, err := decodeValue(dec)
	if err != nil {
		return nil, decodeError(dec, err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, fmt.Errorf("decode JSON: more than one value, at byte %d", dec.InputOffset())
	}
	return v, nil
}

// decodeError keeps the place and drops the text of the library's error, which may quote the input.
func decodeError(dec *jsontext.Decoder, err error) error {
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return fmt.Errorf("decode JSON: the input ends early")
	case strings.Contains(err.Error(), jsontext.ErrDuplicateName.Error()):
		return fmt.Errorf("decode JSON: an object has two members of the same name, near byte %d", dec.InputOffset())
	default:
		return fmt.Errorf("decode JSON: syntax error near byte %d", dec.InputOffset())
	}
}

func decodeValue(dec *jsontext.Decoder) (any, error) {
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return tok.String(), nil
	case '0':
		return json.Number(tok.String()), nil
	case '[':
		list := []any{}
		for dec.PeekKind() != ']' {
			v, err := decodeValue(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.ReadToken()
		return list, err
	default:
		return decodeObject(dec)
	}
}

func decodeObject(dec *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String() // before the next read, which reuses the token's memory
		if object[key], err = decodeValue(dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return object, err
}

// ParseTime reads a JSON Schema date-time: RFC 3339 with an offset. Beyond time.Parse it takes what RFC 3339 §5.6 also allows,
// lower-case t and z and the leap second :60 (read as the instant after :59).
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

// Int64 returns the value of a JSON number that JSON Schema calls an integer, which includes 3.0 and 1e3. Values beyond int64
// become its nearest end, so that a huge limit stays a huge limit. It reports false for a fraction and for a number outside the range
// that Validator accepts.
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

// numberInRange reports whether a number is a finite IEEE 754 double of ordinary length (RFC 8259 §6). Exact arithmetic on
// anything larger costs time and memory in proportion to its exponent, which a caller could abuse.
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
