package index

// unwanted is the place of a value that is left out.
const unwanted = 1<<32 - 1

// unite merges sorted lists of different values into one. sizes are their lengths, at gives the values, and those that are not
// wanted are left out. It returns the values and the new place of each, by list and old place.
func unite[V any](sizes []int, wanted func(list, i int) bool, at func(list, i int) V, compare func(a, b V) int) ([]V, [][]uint32) {
	places := make([][]uint32, len(sizes))
	u := uniting[V]{sizes: sizes, wanted: wanted, at: at, compare: compare, places: places}
	for list, size := range sizes {
		places[list] = make([]uint32, size, size+1) // callers add one
		if h := (head[V]{list: list, i: -1}); u.next(&h) {
			u.push(h)
		}
	}
	var united []V
	for len(u.heads) > 0 {
		h := &u.heads[0]
		if len(united) == 0 || compare(united[len(united)-1], h.value) != 0 {
			united = append(united, h.value)
		}
		places[h.list][h.i] = uint32(len(united) - 1)
		if !u.next(h) {
			last := len(u.heads) - 1
			u.heads[0] = u.heads[last]
			u.heads = u.heads[:last]
		}
		u.sink()
	}
	return united, places
}

// uniting is a heap of the lists by their first value that is left.
type uniting[V any] struct {
	sizes   []int
	wanted  func(list, i int) bool
	at      func(list, i int) V
	compare func(a, b V) int
	heads   []head[V]
	places  [][]uint32
}

type head[V any] struct {
	list, i int
	value   V
}

// next moves on to the next wanted value and says whether there is one.
func (u *uniting[V]) next(h *head[V]) bool {
	for h.i++; h.i < u.sizes[h.list]; h.i++ {
		if u.wanted(h.list, h.i) {
			h.value = u.at(h.list, h.i)
			return true
		}
		u.places[h.list][h.i] = unwanted
	}
	return false
}

func (u *uniting[V]) push(h head[V]) {
	u.heads = append(u.heads, h)
	for i := len(u.heads) - 1; i > 0; {
		above := (i - 1) / 2
		if u.compare(u.heads[above].value, u.heads[i].value) <= 0 {
			return
		}
		u.heads[above], u.heads[i] = u.heads[i], u.heads[above]
		i = above
	}
}

// sink restores the order after the first head changed.
func (u *uniting[V]) sink() {
	for i := 0; ; {
		least := i
		for _, below := range []int{2*i + 1, 2*i + 2} {
			if below < len(u.heads) && u.compare(u.heads[below].value, u.heads[least].value) < 0 {
				least = below
			}
		}
		if least == i {
			return
		}
		u.heads[i], u.heads[least] = u.heads[least], u.heads[i]
		i = least
	}
}
