// Package idemkey turns the scope of an idempotency key into the one digest under which every service knows it: the row of
// the idempotency store, the message id in the log and the random bits of the lead id.
package idemkey

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
)

// Key is the scope of one idempotency key. Keys of different tenants, callers or skills never match (R-IDEM).
type Key struct {
	Tenant, Caller, Skill, Key string
}

// Digest is SHA-256 over the parts of a Key, each after its length, so that no two keys share an input. It tells nothing of
// the parts, which may hold a customer's value.
type Digest [sha256.Size]byte

// Digest computes the key's digest.
func (k Key) Digest() Digest {
	h := sha256.New()
	var size [8]byte
	for _, part := range []string{k.Tenant, k.Caller, k.Skill, k.Key} {
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write([]byte(part))
	}
	return Digest(h.Sum(nil))
}

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// String returns the digest in base32 without padding: 52 characters A-Z and 2-7, safe as a token of a NATS subject.
func (d Digest) String() string { return encoding.EncodeToString(d[:]) }

// ParseDigest reads what String wrote.
func ParseDigest(s string) (d Digest, err error) {
	b, err := encoding.DecodeString(s)
	if err != nil || len(b) != len(d) {
		return d, fmt.Errorf("a digest of a key is %d base32 characters", encoding.EncodedLen(len(d)))
	}
	return Digest(b), nil
}
