package feed

// lineCounter turns ascending offsets of a text that is read piece by piece into line numbers. Line ends are those of a CSV file.
type lineCounter struct {
	line  int  // of the last offset asked for
	wasCR bool // the last byte added
	// ends are where the next lines begin, but for the first ones, which at has passed.
	ends   []int64
	passed int
}

// add takes note of a piece of the text that begins at an offset.
func (c *lineCounter) add(offset int64, piece []byte) {
	if c.passed > len(c.ends)/2 {
		c.ends = c.ends[:copy(c.ends, c.ends[c.passed:])]
		c.passed = 0
	}
	for i, b := range piece {
		begin := offset + int64(i) + 1
		switch {
		case b == '\n' && c.wasCR:
			c.ends[len(c.ends)-1] = begin
		case b == '\n' || b == '\r':
			c.ends = append(c.ends, begin)
		}
		c.wasCR = b == '\r'
	}
}

// at returns the line of an offset that is not before the last one.
func (c *lineCounter) at(offset int64) int {
	for c.passed < len(c.ends) && c.ends[c.passed] <= offset {
		c.passed++
		c.line++
	}
	return c.line
}
