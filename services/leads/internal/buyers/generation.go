package buyers

import (
	"time"

	"github.com/oklog/ulid/v2"

	"forecourt.internal/services/leads/internal/domain"
)

// span is how much time a generation covers. Generations are dropped whole, so it is also how much longer than needed a lead is kept.
const span = 6 * time.Hour

// generation holds the leads that were received within a span. None of its memory has pointers that the garbage collector must follow.
type generation struct {
	entries []entry
	// chains are of e-mail addresses, then of phone numbers.
	chains [2]map[sum]chain
	leads  map[ulid.ULID]struct{}
}

// maxChain bounds how many leads of one contact count in a generation, so that a flood under one address costs each of its leads no more
// than that. The first ones count: those after them are compared with these.
const maxChain = 256

// chain is the leads of a contact.
type chain struct {
	newest uint32 // the place in entries, plus 1, of the last one
	length uint32
}

// entry is a lead.
type entry struct {
	lead     ulid.ULID
	received int64 // nanoseconds since 1970
	caller   sum
	interest domain.Interest[sum]
	// before is the place, plus 1, of the lead that has the same contact and was added before; 0 when there is none.
	before [2]uint32
}

// number is the generation of a time.
func number(t time.Time) int64 {
	n := t.UnixNano() / int64(span)
	if t.UnixNano()%int64(span) < 0 {
		n--
	}
	return n
}

// begin is the first moment of a generation.
func begin(number int64) time.Time { return time.Unix(0, number*int64(span)) }

// add takes a lead in, unless it is there already.
func (g *generation) add(e entry, contacts [2]sum) {
	if _, again := g.leads[e.lead]; again {
		return
	}
	place, counts := uint32(len(g.entries)+1), false
	for i, contact := range contacts {
		if c := g.chains[i][contact]; contact != (sum{}) && c.length < maxChain {
			e.before[i] = c.newest
			g.chains[i][contact] = chain{newest: place, length: c.length + 1}
			counts = true
		}
	}
	if !counts {
		return
	}
	g.leads[e.lead] = struct{}{}
	g.entries = append(g.entries, e)
}

// each hands over the leads that have one of the contacts; one that has both comes twice.
func (g *generation) each(contacts [2]sum, visit func(*entry)) {
	for i, contact := range contacts {
		if contact == (sum{}) {
			continue
		}
		for place := g.chains[i][contact].newest; place != 0; {
			e := &g.entries[place-1]
			visit(e)
			place = e.before[i]
		}
	}
}

func newGeneration() *generation {
	return &generation{chains: [2]map[sum]chain{{}, {}}, leads: map[ulid.ULID]struct{}{}}
}
