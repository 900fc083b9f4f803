package domain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
)

// Fingerprint identifies a payload: SHA-256 over the RFC 8785 form of a request without its idempotency_key and submitted_at,
// which agents regenerate when they retry. Numbers that are the same IEEE 754 double count as equal (RFC 8785 §3.2.2.3).
type Fingerprint [sha256.Size]byte

// String returns the fingerprint in lower-case hexadecimal.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// ParseFingerprint reads what String wrote.
func ParseFingerprint(s string) (f Fingerprint, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(f) {
		return f, fmt.Errorf("a fingerprint is %d hexadecimal digits", 2*len(f))
	}
	return Fingerprint(b), nil
}

func fingerprintOf(request []byte) (Fingerprint, error) {
	payload, err := withoutRenewed(request)
	if err != nil {
		return Fingerprint{}, notCanonical()
	}
	canonical := jsontext.Value(payload)
	if err := canonical.Canonicalize(); err != nil { // RFC 8785
		return Fingerprint{}, notCanonical()
	}
	return sha256.Sum256(canonical), nil
}

// withoutRenewed copies the request's members but those that agents renew when they retry.
func withoutRenewed(request []byte) ([]byte, error) {
	members := jsontext.NewDecoder(bytes.NewBuffer(request))
	if _, err := members.ReadToken(); err != nil { // {
		return nil, err
	}
	payload := make([]byte, 0, len(request)+2)
	payload = append(payload, '{')
	for members.PeekKind() != '}' {
		name, err := members.ReadValue()
		if err != nil {
			return nil, err
		}
		begin := len(payload)
		payload = append(append(payload, name...), ':')
		renewed := isRenewed(name)
		value, err := members.ReadValue()
		if err != nil {
			return nil, err
		}
		if renewed {
			payload = payload[:begin]
			continue
		}
		payload = append(append(payload, value...), ',')
	}
	if payload[len(payload)-1] == ',' {
		payload = payload[:len(payload)-1]
	}
	return append(payload, '}'), nil
}

// isRenewed says whether a member's name, as it is written, is that of one that agents renew.
func isRenewed(name []byte) bool {
	text, err := jsontext.AppendUnquote(nil, name)
	return err == nil && (string(text) == "idempotency_key" || string(text) == "submitted_at")
}

// notCanonical leaves out the libraries' errors: they quote the request.
func notCanonical() error {
	return contract.NewError(contract.SchemaValidationFailed, "The request could not be understood as it was sent.",
		contract.Problem{Keyword: "canonical", Error: "The request has no canonical JSON form (RFC 8785).",
			Correction: "Send every number within the range of a double, and every text as well-formed Unicode."})
}
