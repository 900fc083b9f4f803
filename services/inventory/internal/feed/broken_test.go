package feed_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead_RowThatCannotBeSplit_KeepsItsVehicleWhenThatIsSure(t *testing.T) {
	const vin, mistyped = "1N4BA2A30LA570790", "1N4BA2A31LA570790"
	kept := func(text string) []string { // of a good row that names the same vehicle and is rejected for its year
		return read(t, twoRoofs, text+",x\n").Kept
	}
	byVIN := kept("Stock,VIN,Make,Model,Year\nS1," + vin + ",Kia,Rio")
	byStock := kept("Stock,VIN,Make,Model,Year\nS1,,Kia,Rio")
	byID := kept("Stock,VIN,Make,Model,VehicleID,Year\nS1,,Kia,Rio,v1")
	for text, want := range map[string][]string{
		"Stock,VIN,Make,Model\nS1," + vin + ",Kia,\"Rio\n":                          byVIN,
		"Stock,VIN,Make,Model\nS1,,Kia,\"Rio\n":                                     byStock,
		"Stock,VIN,Make,Model\nS1,,\"Kia,Rio\n":                                     byStock,
		"Stock,VIN,Make,Model\n,,\"Kia,Rio\n":                                       nil,
		"Stock,VIN,Make,Model\nS1,x,\"Kia,Rio\n":                                    nil,
		"VIN,Stock,Make,Model\n" + vin + ",\"S1,Kia,Rio\n":                          nil, // it may have a twin
		"VehicleID,VIN,Make,Model\nv1,\"" + vin + ",Kia,Rio\n":                      byID,
		"VIN,Make,VehicleID,Model\n" + vin + ",\"Kia,,Rio\n":                        nil,
		"Stock,VIN,Make,Model\nS1," + vin + ",Kia,Rio,LX\n":                         byVIN,
		"Stock,VIN,Make,Model\nS1," + vin + ",Kia\n":                                byVIN,
		"Stock,VIN,Make,Model\nS1," + mistyped + ",Kia,Rio,LX\n":                    nil,
		"Stock,VIN,Make,Model\nS1,,Kia,Rio,LX\n":                                    nil,
		"Stock,VIN,Make,Model\nS,1," + vin + ",Kia,Rio\n":                           nil,
		"Stock,VIN,Make,Model\nS1," + vin + ",Kia,Rio,S2," + vin + ",Kia,Rio\n":     nil,
		"Stock,VIN,Make,Model\nS1," + vin + ",Kia,Rio,\"LX\nS2," + vin + ",Kia\"\n": nil, // another row may be in it
	} {
		f := read(t, twoRoofs, text)
		unnamed := 0
		if want == nil {
			unnamed = 1
		}
		if diff := cmp.Diff(want, f.Kept); diff != "" || f.Unnamed != unnamed || f.Rejected != 1 {
			t.Errorf("%q: %d rejected, %d unnamed, %s", text, f.Rejected, f.Unnamed, diff)
		}
	}
}
