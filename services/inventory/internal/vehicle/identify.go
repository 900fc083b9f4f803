package vehicle

import (
	"fmt"
)

// Identify reads the identity of a vehicle in canonical JSON. It returns ErrInvalid, wrapped, when it has a part that is no string.
func Identify(text []byte) (Identity, error) {
	if id, ok := identifyFast(text); ok {
		return id, nil
	}
	v, err := decode(text)
	if err != nil {
		return Identity{}, err
	}
	for _, member := range []int{vehicleID, vin, stock} {
		if value, given := v[members[member]]; given {
			if _, ok := value.(string); !ok {
				return Identity{}, fmt.Errorf("%w: %s is not a string", ErrInvalid, members[member])
			}
		}
	}
	return Identity{VehicleID: v.Text("vehicle_id"), VIN: v.Text("vin"), Stock: v.Text("stock")}, nil
}

// identifyFast reads no further than to the members of the identity, which come first.
func identifyFast(text []byte) (Identity, bool) {
	var parts [stock + 1]string
	s := scanner{text: text}
	for next, separator := 0, byte('{'); ; separator = ',' {
		if separator == ',' && s.next('}') {
			break
		}
		if !s.next(separator) {
			return Identity{}, false
		}
		name, ok := s.plain()
		member := memberFrom(next, name)
		if !ok || !s.next(':') {
			return Identity{}, false
		}
		if member < 0 || member > stock {
			break
		}
		value, ok := s.plain()
		if !ok {
			return Identity{}, false
		}
		parts[member], next = string(value), member+1
	}
	return Identity{VehicleID: parts[vehicleID], VIN: parts[vin], Stock: parts[stock]}, true
}
