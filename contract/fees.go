package contract

import (
	"slices"
	"strconv"
)

// feeFindings reports fees whose name an earlier fee of the same list has, which JSON Schema cannot say. object is a
// vehicle or rooftop at path; anything that is not of the right shape is the schema's to report.
func feeFindings(object map[string]any, path []string) []finding {
	fees, _ := object["fees"].([]any)
	var out []finding
	seen := map[string]bool{}
	for i, fee := range fees {
		fee, _ := fee.(map[string]any)
		name, ok := fee["name"].(string)
		if !ok {
			continue
		}
		if seen[name] {
			out = append(out, finding{
				path: append(slices.Clone(path), "fees", strconv.Itoa(i), "name"), keyword: "unique_fee", kinds: ofStructure,
				text: text{"An earlier fee has the same name.", "Give each fee a name of its own, or add the amounts up."},
			})
		}
		seen[name] = true
	}
	return out
}

// responseFees checks every fee list of a success response.
func responseFees(payload map[string]any) []finding {
	data, _ := payload["data"].(map[string]any)
	out := feeFindings(data, []string{"data"})
	out = append(out, feesOfEach(data, []string{"data"}, "vehicles")...)
	return append(out, feesOfEach(data, []string{"data"}, "rooftops")...)
}

// documentFees checks every fee list of a document that is stored or published.
func documentFees(file string, doc any) []finding {
	object, _ := doc.(map[string]any)
	switch file {
	case "tenant.schema.json", "dealer-information.schema.json":
		return feesOfEach(object, nil, "rooftops")
	case "event-inventory-vehicle.schema.json":
		vehicle, _ := object["vehicle"].(map[string]any)
		return feeFindings(vehicle, []string{"vehicle"})
	default:
		return nil
	}
}

func feesOfEach(object map[string]any, path []string, list string) []finding {
	items, _ := object[list].([]any)
	var out []finding
	for i, item := range items {
		if item, ok := item.(map[string]any); ok && item["fees"] != nil {
			out = append(out, feeFindings(item, append(slices.Clone(path), list, strconv.Itoa(i)))...)
		}
	}
	return out
}
