package cursor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"forecourt.internal/services/inventory/internal/index"
)

var (
	// ErrInvalid says that a cursor was not made here for this search.
	ErrInvalid = errors.New("cursor is not one of this search")
	// ErrExpired says that a cursor of this search is too old.
	ErrExpired = errors.New("cursor has expired")
)

// Binding identifies a search: cursors of one are refused by another.
type Binding [16]byte

// Bind derives the binding of a tenant's search.
func Bind(tenant string, f index.Filters, s index.Sort) (Binding, error) {
	text, err := json.Marshal(struct {
		Tenant  string
		Filters index.Filters
		Sort    index.Sort
	}{tenant, f, s})
	if err != nil {
		return Binding{}, fmt.Errorf("bind cursor: %w", err)
	}
	sum := sha256.Sum256(text)
	return Binding(sum[:16]), nil
}

// Codec signs cursors with one key. It is safe for concurrent use.
type Codec struct {
	key []byte
	ttl time.Duration
	now func() time.Time
}

// NewCodec returns a codec whose cursors expire after ttl.
func NewCodec(key []byte, ttl time.Duration, now func() time.Time) *Codec {
	return &Codec{key: key, ttl: ttl, now: now}
}

// A cursor is base64url of payload and signature. The payload is: flags, expiry in Unix seconds (uvarint), number of the position
// (8 bytes, only when it is not zero), its text and its vehicle id (each with its length in front).
const (
	flagMissing = 1 << iota
	flagNumber

	signatureLen = sha256.Size / 2 // 128 bits are beyond guessing
)

var encoding = base64.RawURLEncoding.Strict()

// Encode returns the cursor of the page after a position.
func (c *Codec) Encode(b Binding, at index.Position) string {
	var flags byte
	if at.Missing {
		flags |= flagMissing
	}
	if at.Number != 0 {
		flags |= flagNumber
	}
	payload := binary.AppendUvarint([]byte{flags}, uint64(c.now().Add(c.ttl).Unix()))
	if at.Number != 0 {
		payload = binary.BigEndian.AppendUint64(payload, math.Float64bits(at.Number))
	}
	payload = appendText(payload, at.Text)
	payload = appendText(payload, at.VehicleID)
	return encoding.EncodeToString(append(payload, c.sign(b, payload)...))
}

// Decode returns the position of a cursor. It returns ErrInvalid for one that was forged, cut or made for another search, and
// ErrExpired for a genuine one whose time is over.
func (c *Codec) Decode(b Binding, cursor string) (index.Position, error) {
	raw, err := encoding.DecodeString(cursor)
	if err != nil || len(raw) < signatureLen || strings.ContainsAny(cursor, "\r\n") { // which the decoder passes over
		return index.Position{}, ErrInvalid
	}
	payload, signature := raw[:len(raw)-signatureLen], raw[len(raw)-signatureLen:]
	if !hmac.Equal(signature, c.sign(b, payload)) {
		return index.Position{}, ErrInvalid
	}
	at, expires, ok := parse(payload)
	if !ok {
		return index.Position{}, ErrInvalid
	}
	if !c.now().Before(time.Unix(expires, 0)) {
		return index.Position{}, ErrExpired
	}
	return at, nil
}

func (c *Codec) sign(b Binding, payload []byte) []byte {
	mac := hmac.New(sha256.New, c.key)
	mac.Write(b[:])
	mac.Write(payload)
	return mac.Sum(nil)[:signatureLen]
}

func parse(payload []byte) (at index.Position, expires int64, ok bool) {
	if len(payload) == 0 {
		return at, 0, false
	}
	flags, rest := payload[0], payload[1:]
	seconds, n := binary.Uvarint(rest)
	if n <= 0 {
		return at, 0, false
	}
	rest = rest[n:]
	at.Missing = flags&flagMissing != 0
	if flags&flagNumber != 0 {
		if len(rest) < 8 {
			return at, 0, false
		}
		at.Number = math.Float64frombits(binary.BigEndian.Uint64(rest))
		rest = rest[8:]
	}
	if at.Text, rest, ok = cutText(rest); !ok {
		return at, 0, false
	}
	if at.VehicleID, rest, ok = cutText(rest); !ok {
		return at, 0, false
	}
	return at, int64(seconds), len(rest) == 0
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func cutText(b []byte) (s string, rest []byte, ok bool) {
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return "", nil, false
	}
	return string(b[n : n+int(length)]), b[n+int(length):], true
}
