package server

import (
	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory/internal/index"
)

// filters turns the wire form into the index's. What does not narrow is left out, so that equal searches share cursors.
func filters(f *inventoryv1.Filters, doc *tenant.Document) index.Filters {
	if f == nil {
		f = &inventoryv1.Filters{}
	}
	return index.Filters{
		Terms: given(map[index.Term][]string{
			index.Make:          f.GetMake(),
			index.Model:         f.GetModel(),
			index.Trim:          f.GetTrim(),
			index.Transmission:  f.GetTransmission(),
			index.Fuel:          f.GetFuel(),
			index.Driveline:     f.GetDriveline(),
			index.Body:          f.GetBody(),
			index.ExteriorColor: f.GetExteriorColor(),
			index.InteriorColor: f.GetInteriorColor(),
			index.Rooftop:       f.GetRooftops(),
			index.ChargePort:    f.GetChargePort(),
			index.Condition:     f.GetCondition(),
			index.VehicleType:   f.GetVehicleType(),
			index.Status:        f.GetStatus(),
		}),
		Ranges: narrowing(map[index.Number]index.Range{
			index.Year:            {Min: whole(f.YearMin), Max: whole(f.YearMax)},
			index.Price:           {Min: whole(f.PriceMin), Max: whole(f.PriceMax)},
			index.Mileage:         {Max: whole(f.MileageMax)},
			index.DisplacementCC:  {Min: whole(f.DisplacementCcMin), Max: whole(f.DisplacementCcMax)},
			index.ElectricRangeMi: {Min: f.ElectricRangeMiMin, Max: f.ElectricRangeMiMax},
		}),
		DCFastCharge: f.DcFastCharge,
		VIN:          f.Vin,
		Stock:        f.Stock,
		Query:        f.GetQuery(),
		Near:         near(f.GetGeo(), doc),
	}
}

func given(terms map[index.Term][]string) map[index.Term][]string {
	for term, texts := range terms {
		if len(texts) == 0 {
			delete(terms, term)
		}
	}
	return terms
}

func narrowing(ranges map[index.Number]index.Range) map[index.Number]index.Range {
	for number, r := range ranges {
		if r.Min == nil && r.Max == nil {
			delete(ranges, number)
		}
	}
	return ranges
}

func whole(n *int64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

// near measures to the tenant's rooftops; a listing without rooftop is at the only one of a dealership that has just one.
func near(g *inventoryv1.Geo, doc *tenant.Document) *index.Near {
	if g == nil {
		return nil
	}
	n := &index.Near{
		Point:    index.Point{Latitude: g.GetLatitude(), Longitude: g.GetLongitude()},
		RadiusMi: g.GetRadiusMi(),
		Rooftops: make(map[string]index.Point),
	}
	for _, r := range doc.Rooftops {
		if r.Geo != nil {
			n.Rooftops[r.Name] = index.Point{Latitude: r.Geo.Latitude, Longitude: r.Geo.Longitude}
		}
	}
	if len(doc.Rooftops) == 1 {
		n.Default = doc.Rooftops[0].Name
	}
	return n
}
