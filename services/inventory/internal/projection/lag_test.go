package projection

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLag_TellsWhyTheIndexIsNotCurrent(t *testing.T) {
	type observation struct{ at, last, applied int } // at is in seconds
	for name, c := range map[string]struct {
		told        []observation
		at, applied int
		want        string
	}{
		"nothing to do":                     {[]observation{{0, 100, 100}}, 3, 100, ""},
		"events that came just now":         {[]observation{{0, 100, 100}, {1, 150, 100}}, 5, 100, ""},
		"the same ones after a while":       {[]observation{{0, 100, 100}, {1, 150, 100}, {6, 150, 120}}, 7, 120, "behind by 30 events for 6s"},
		"nothing was read":                  {[]observation{{0, 100, 100}, {1, 150, 100}, {6, 170, 100}}, 7, 100, "behind by 70 events for 6s, and none was read in that time"},
		"caught up since the broker said":   {[]observation{{0, 100, 100}, {1, 150, 100}, {6, 150, 120}}, 7, 150, ""},
		"always some, never the same":       {[]observation{{0, 100, 100}, {2, 150, 130}, {4, 190, 150}, {6, 220, 190}, {8, 260, 220}}, 9, 250, ""},
		"many at once":                      {[]observation{{0, 0, 0}, {1, 100_000, 0}}, 5, 0, ""},
		"events deleted before they came":   {[]observation{{0, 100, 100}, {1, 150, 100}, {2, 100, 100}, {7, 100, 100}}, 8, 100, ""},
		"a broker that says nothing":        {[]observation{{0, 100, 100}}, 6, 100, "the broker has not answered for 6s"},
		"events that came after its answer": {[]observation{{0, 100, 100}}, 3, 180, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var l lag
			start := time.Unix(1_800_000_000, 0)
			at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
			for _, o := range c.told {
				l.observe(at(o.at), uint64(o.last), uint64(o.applied))
			}
			got := ""
			if err := l.problem(at(c.at), uint64(c.applied)); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
