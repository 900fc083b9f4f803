package index

import (
	"index/suffixarray"
	"slices"
	"sort"
	"strings"
)

// wordIndex finds the documents of a segment that have a text in a word of theirs. Words are what white space separates in the
// folded text of a listing, so that a word of a query lies in one of them or nowhere.
type wordIndex struct {
	words texts
	docs  []uint16 // by word and then by document
	start []uint32 // docs[start[w]:start[w+1]] have word w
	// suffixes finds a text within words; nil when a scan of them is as fast.
	suffixes *suffixarray.Index
}

// maxScanned is the length of words in bytes up to which they are scanned.
const maxScanned = 32 << 10

func newWordIndex(words texts, docs []uint16, start []uint32) wordIndex {
	x := wordIndex{words: words, docs: docs, start: start}
	if len(words.all) > maxScanned {
		x.suffixes = suffixarray.New([]byte(words.all))
	}
	return x
}

func (x *wordIndex) having(word uint32) []uint16 { return x.docs[x.start[word]:x.start[word+1]] }

// containing returns the words that contain part, ascending.
func (x *wordIndex) containing(part string) []uint32 {
	var found []uint32
	for _, at := range x.places(part) {
		w := sort.Search(x.words.len(), func(i int) bool { return int(x.words.ends[i]) > at })
		if at+len(part) <= int(x.words.ends[w]) { // and not across the end of the word
			found = append(found, uint32(w))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// places returns where part occurs in the words as they are stored, one after the other.
func (x *wordIndex) places(part string) []int {
	if x.suffixes != nil {
		return x.suffixes.Lookup([]byte(part), -1)
	}
	var places []int
	for from := 0; ; {
		i := strings.Index(x.words.all[from:], part)
		if i < 0 {
			return places
		}
		places = append(places, from+i)
		from += i + 1
	}
}
