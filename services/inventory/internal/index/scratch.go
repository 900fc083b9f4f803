package index

import "sync"

// scratch is memory that a reader borrows.
type scratch struct {
	docs   []uint16
	ranks  []uint32
	counts []int
	set    docSet
	// visited counts the documents looked at: the cost of a query.
	visited int
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func borrow() *scratch {
	s := scratches.Get().(*scratch)
	s.visited = 0
	return s
}

func (s *scratch) giveBack() { scratches.Put(s) }
