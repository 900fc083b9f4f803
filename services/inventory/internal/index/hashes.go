package index

import (
	"hash/maphash"
	"math/bits"
)

// hashes tell for most texts that a set does not have them, in one look at memory: a Bloom filter whose bits of one text are in one
// word. A stock of many segments is asked for every vehicle that comes, and in most the vehicle is not.
type hashes []uint64

var hashSeed = maphash.MakeSeed()

func hashOf(s string) uint64 { return maphash.String(hashSeed, s) }

// newHashes takes 16 bits for a text, or a little more.
func newHashes(t texts) hashes {
	h := make(hashes, 1<<bits.Len(uint(t.len()/4)))
	for i := range t.len() {
		word, mask := h.place(hashOf(t.at(i)))
		h[word] |= mask
	}
	return h
}

func (h hashes) mayHave(hash uint64) bool {
	word, mask := h.place(hash)
	return h[word]&mask == mask
}

func (h hashes) place(hash uint64) (word int, mask uint64) {
	word = int(hash >> 24 & uint64(len(h)-1))
	return word, 1<<(hash&63) | 1<<(hash>>6&63) | 1<<(hash>>12&63) | 1<<(hash>>18&63)
}
