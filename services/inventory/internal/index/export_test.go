package index

// Sized returns an empty index with other sizes than the default: entries in a delta, segments that become one, documents up to
// which a writer merges itself, documents in a segment.
func Sized(delta, factor, inline, docs int) *Index {
	return &Index{sizes: sizes{delta: delta, factor: factor, inline: inline, docs: docs}}
}

// Settle waits until nothing is merged in the background. Nobody may write meanwhile.
func (x *Index) Settle() { x.merger.idle.Wait() }

// Visited returns how many documents a search looks at.
func (x *Index) Visited(tenant string, q Query) int {
	_, visited := x.search(tenant, q)
	return visited
}

// Segments returns how many segments a tenant has.
func (x *Index) Segments(tenant string) int { return len(x.view(tenant).parts) }

// HoldMerges leaves the merges that belong in the background to BeginMerge.
func (x *Index) HoldMerges() { x.merger.running = true }

// BeginMerge merges segments of a tenant as they are now, and returns what puts the result in place; nil when there is nothing to
// merge.
func (x *Index) BeginMerge(tenant string) (install func()) {
	l := x.lot(tenant)
	if l == nil {
		return nil
	}
	w := l.beginMerge()
	if w == nil {
		return nil
	}
	merged, number := w.merge()
	return func() { w.install(merged, number) }
}
