package index

import "math"

// earthRadiusMi is the mean radius of the Earth in miles (6371.0088 km).
const earthRadiusMi = 3958.7613

// Point is a place in WGS 84 degrees.
type Point struct{ Latitude, Longitude float64 }

// Near keeps the listings whose rooftop lies within a distance of a point.
type Near struct {
	Point    Point
	RadiusMi float64
	// Rooftops are the dealership's locations whose place is known, by name. They are the dealership's, not the caller's, and so
	// no part of what a cursor is bound to.
	Rooftops map[string]Point `json:"-"`
	// Default is the rooftop of listings that name none; "" when there is no such.
	Default string `json:"-"`
}

// nearby is Near as a set of rooftops.
type nearby struct {
	within  map[string]bool // folded names
	unnamed bool            // whether listings without a rooftop are near
}

func (n Near) compile() nearby {
	within := make(map[string]bool)
	for name, at := range n.Rooftops {
		if miles(n.Point, at) <= n.RadiusMi {
			within[fold(name)] = true
		}
	}
	return nearby{within, within[fold(n.Default)]}
}

func (n nearby) matches(e *entry) bool {
	if e.folded[Rooftop] == "" {
		return n.unnamed
	}
	return n.within[e.folded[Rooftop]]
}

func (n nearby) on(p *part) clause {
	column := &p.terms[Rooftop]
	names := make([]string, 0, len(n.within))
	for name := range n.within {
		names = append(names, name)
	}
	ordinals := column.ordinals(names)
	if n.unnamed {
		ordinals = append(ordinals, uint16(column.none()))
	}
	return anyOf{&column.column, ordinals}
}

// miles is the great-circle distance by the haversine formula.
func miles(a, b Point) float64 {
	const radians = math.Pi / 180
	dLat, dLon := (b.Latitude-a.Latitude)*radians, (b.Longitude-a.Longitude)*radians
	sinLat, sinLon := math.Sin(dLat/2), math.Sin(dLon/2)
	h := sinLat*sinLat + math.Cos(a.Latitude*radians)*math.Cos(b.Latitude*radians)*sinLon*sinLon
	return 2 * earthRadiusMi * math.Asin(math.Sqrt(min(h, 1)))
}
