package index

// bodies are the JSON of a segment's documents. It lies in blocks that segments share, so that a merge need not copy it and the
// garbage collector has few pieces to look at.
type bodies struct {
	blocks [][]byte
	at     []body // by document
}

type body struct{ block, start, end uint32 }

func (b *bodies) json(doc uint16) []byte {
	at := b.at[doc]
	return b.blocks[at.block][at.start:at.end:at.end]
}

// newBodies copies the JSON of entries.
func newBodies(entries []*entry) bodies {
	size := 0
	for _, e := range entries {
		size += len(e.listing.JSON)
	}
	block := make([]byte, 0, size)
	b := bodies{at: make([]body, len(entries))}
	for i, e := range entries {
		start := len(block)
		block = append(block, e.listing.JSON...)
		b.at[i] = body{start: uint32(start), end: uint32(len(block))}
	}
	b.blocks = [][]byte{block}
	return b
}

// mergeBodies takes over the blocks of the sources. One that is mostly about buried documents is left behind: what is alive in
// such blocks moves to a new one.
func mergeBodies(m *merge) bodies {
	merged := bodies{at: make([]body, len(m.order))}
	number := make([][]uint32, len(m.sources)) // of a source's block among the merged ones
	const moves = 1<<32 - 1
	moved := 0
	for s, source := range m.sources {
		old := &source.bodies
		alive := make([]int, len(old.blocks))
		for doc, at := range old.at {
			if m.number[s][doc] != noDoc {
				alive[at.block] += int(at.end - at.start)
			}
		}
		number[s] = make([]uint32, len(old.blocks))
		for i, block := range old.blocks {
			if 2*alive[i] < len(block) {
				number[s][i] = moves
				moved += alive[i]
				continue
			}
			number[s][i] = uint32(len(merged.blocks))
			merged.blocks = append(merged.blocks, block)
		}
	}
	var fresh []byte
	for doc, from := range m.order {
		old := &m.sources[from.source].bodies
		at := old.at[from.doc]
		if at.block = number[from.source][at.block]; at.block == moves {
			text := old.json(from.doc)
			if len(fresh)+len(text) > cap(fresh) {
				merged.add(fresh)
				fresh = make([]byte, 0, max(len(text), min(moved, blockSize)))
			}
			moved -= len(text)
			at = body{uint32(len(merged.blocks)), uint32(len(fresh)), uint32(len(fresh) + len(text))}
			fresh = append(fresh, text...)
		}
		merged.at[doc] = at
	}
	merged.add(fresh)
	return merged
}

// blockSize is what a new block is meant to have, in bytes.
const blockSize = 256 << 10

func (b *bodies) add(block []byte) {
	if len(block) > 0 {
		b.blocks = append(b.blocks, block)
	}
}
