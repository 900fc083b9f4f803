package feed

import (
	"runtime"
	"sync"
)

// rowFunc adds one row of the file to what a builder collects.
type rowFunc func(*builder)

// Rows are read in batches of about this size: large enough that handing one over costs nothing beside reading its rows.
const (
	batchRows  = 128
	batchBytes = 256 << 10
)

// batch is a part of the file.
type batch struct {
	rows     []rowFunc
	size     int           // of the rows' text, in bytes
	read     chan struct{} // closed once feed holds what they say
	feed     *Feed
	problems *problemList
}

// addAll reads rows on all processors and adds what they say in the order of the file. produce calls add, with the size of a row's
// text in bytes, from the calling goroutine; what is in memory at a time is a few batches.
func (b *builder) addAll(produce func(add func(size int, row rowFunc))) {
	workers := runtime.GOMAXPROCS(0)
	todo, inOrder := make(chan *batch, workers), make(chan *batch, workers)
	var readers, merger sync.WaitGroup
	for range workers {
		readers.Go(func() {
			for p := range todo {
				p.readRows(b)
			}
		})
	}
	merger.Go(func() {
		for p := range inOrder {
			<-p.read
			b.merge(p)
		}
	})
	next := newBatch()
	hand := func() {
		todo <- next
		inOrder <- next
		next = newBatch()
	}
	produce(func(size int, row rowFunc) {
		next.rows = append(next.rows, row)
		if next.size += size; next.size >= batchBytes || len(next.rows) == batchRows {
			hand()
		}
	})
	hand()
	close(todo)
	close(inOrder)
	readers.Wait()
	merger.Wait()
}

func newBatch() *batch {
	return &batch{read: make(chan struct{}), feed: new(Feed), problems: new(problemList)}
}

func (p *batch) readRows(b *builder) {
	part := &builder{settings: b.settings, rooftops: b.rooftops, feed: p.feed, problems: p.problems}
	for _, row := range p.rows {
		row(part)
	}
	p.rows = nil
	close(p.read)
}

// merge adds what a part of the file says.
func (b *builder) merge(p *batch) {
	f, part := b.feed, p.feed
	f.Count += part.Count
	f.Rejected += part.Rejected
	f.Unnamed += part.Unnamed
	for _, id := range part.Kept {
		f.Kept = append(f.Kept, b.texts.keep(id))
	}
	b.problems.merge(p.problems)
	for _, row := range part.Rows {
		// The texts are parts of the record's, which must not stay in memory.
		row.VehicleID, row.VIN, row.Stock = b.texts.keep(row.VehicleID), b.texts.keep(row.VIN), b.texts.keep(row.Stock)
		row.JSON = b.json.keep(row.JSON)
		f.Rows = append(f.Rows, row)
	}
}
