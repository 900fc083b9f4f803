package skill

import (
	"encoding/json"
	"math"
	"strconv"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// filters reads filters that are valid against their schema; nil when there are none.
func filters(value any) *inventoryv1.Filters {
	f, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	return &inventoryv1.Filters{
		Make:          texts(f["make"]),
		Model:         texts(f["model"]),
		Trim:          texts(f["trim"]),
		Transmission:  texts(f["transmission"]),
		Fuel:          texts(f["fuel"]),
		Driveline:     texts(f["driveline"]),
		Body:          texts(f["body"]),
		ExteriorColor: texts(f["exterior_color"]),
		InteriorColor: texts(f["interior_color"]),
		Rooftops:      texts(f["rooftops"]),
		ChargePort:    texts(f["charge_port"]),
		Condition:     texts(f["condition"]),
		VehicleType:   texts(f["vehicle_type"]),
		Status:        texts(f["status"]),

		YearMin:            integer(f["year_min"]),
		YearMax:            integer(f["year_max"]),
		PriceMin:           integer(f["price_min"]),
		PriceMax:           integer(f["price_max"]),
		MileageMax:         integer(f["mileage_max"]),
		DisplacementCcMin:  integer(f["displacement_cc_min"]),
		DisplacementCcMax:  integer(f["displacement_cc_max"]),
		ElectricRangeMiMin: number(f["electric_range_mi_min"]),
		ElectricRangeMiMax: number(f["electric_range_mi_max"]),

		DcFastCharge: boolean(f["dc_fast_charge"]),
		Vin:          text(f["vin"]),
		Stock:        text(f["stock"]),
		Query:        text(f["query"]),
		Geo:          geo(f["geo"]),
	}
}

func geo(value any) *inventoryv1.Geo {
	g, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	at := func(name string) float64 {
		n, _ := g[name].(json.Number)
		return float(n)
	}
	return &inventoryv1.Geo{Latitude: at("latitude"), Longitude: at("longitude"), RadiusMi: at("radius_mi")}
}

func texts(value any) []string {
	list, _ := value.([]any)
	var found []string
	for _, entry := range list {
		if s, ok := entry.(string); ok {
			found = append(found, s)
		}
	}
	return found
}

func text(value any) *string {
	if s, ok := value.(string); ok {
		return &s
	}
	return nil
}

func boolean(value any) *bool {
	if b, ok := value.(bool); ok {
		return &b
	}
	return nil
}

func integer(value any) *int64 {
	if n, ok := value.(json.Number); ok {
		i, _ := contract.Int64(n) // the schema has said that it is one
		return &i
	}
	return nil
}

func number(value any) *float64 {
	if n, ok := value.(json.Number); ok {
		f := float(n)
		return &f
	}
	return nil
}

// float reads a JSON number; one beyond the range of a double becomes the largest finite one.
func float(n json.Number) float64 {
	f, _ := strconv.ParseFloat(string(n), 64) // out of range gives ±Inf, and no other error is possible in valid JSON
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}
