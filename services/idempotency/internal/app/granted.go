package app

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"forecourt.internal/platform/idemkey"
)

// maxGranted is how many claims a process remembers: those of its attempts at work, with room to spare. One takes about 0.3 KB.
const maxGranted = 16 << 10

// granted remembers the claims that this process has granted, so that their owners can end them without reading the row first. What
// it says may be out of date: the store refuses a change that is based on it then.
type granted struct {
	claims *lru.Cache[idemkey.Digest, Stored]
}

func newGranted() granted {
	claims, _ := lru.New[idemkey.Digest, Stored](maxGranted) // fails for sizes below one
	return granted{claims}
}

func (g granted) remember(key idemkey.Digest, claim Stored) { g.claims.Add(key, claim) }

// take returns the owner's claim and forgets it.
func (g granted) take(key idemkey.Digest, owner string) (claim Stored, ok bool) {
	claim, ok = g.claims.Peek(key)
	if !ok || !claim.HeldBy(owner) {
		return Stored{}, false
	}
	g.claims.Remove(key)
	return claim, true
}
