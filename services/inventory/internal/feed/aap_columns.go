package feed

import (
	"slices"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// aapColumns is a table whose headers are the members of the contract's vehicle. Its price is the contract's, with every mandatory
// charge inside, whatever the tenant says of selling prices. So it is recognised only by headers that nobody writes by chance.
var aapColumns = dialect{
	name: dialectAAPColumns,
	needs: []need{
		{[]field{fieldVehicleID, fieldVIN, fieldStock}, "vehicle_id, vin or stock"},
		{[]field{fieldStatus}, "status"},
	},
	silent: []string{"evidence"},
	exact: func(header []string) bool {
		for _, h := range header {
			if h != "" && !vehicle.Known(h) {
				return false
			}
		}
		return slices.Contains(header, "vehicle_id") && slices.Contains(header, "list_price")
	},
	headers: map[field][]string{
		fieldVehicleID:     {"vehicleid"},
		fieldDealerID:      {"dealerid"},
		fieldVIN:           {"vin"},
		fieldStock:         {"stock"},
		fieldRooftop:       {"rooftop"},
		fieldVehicleType:   {"vehicletype"},
		fieldBody:          {"body"},
		fieldYear:          {"year"},
		fieldMake:          {"make"},
		fieldModel:         {"model"},
		fieldTrim:          {"trim"},
		fieldCondition:     {"condition"},
		fieldStatus:        {"status"},
		fieldMSRP:          {"msrp"},
		fieldListPrice:     {"listprice"},
		fieldPrice:         {"price"},
		fieldFees:          {"fees"},
		fieldMileage:       {"mileage"},
		fieldTransmission:  {"transmission"},
		fieldDriveline:     {"driveline"},
		fieldEngine:        {"engine"},
		fieldDisplacement:  {"displacementcc"},
		fieldFuel:          {"fuel"},
		fieldCityMPG:       {"citympg"},
		fieldHighwayMPG:    {"highwaympg"},
		fieldElectricRange: {"electricrangemi"},
		fieldBattery:       {"batterykwh"},
		fieldPower:         {"motorpowerhp"},
		fieldFastCharge:    {"dcfastcharge"},
		fieldChargePort:    {"chargeport"},
		fieldExteriorColor: {"exteriorcolor"},
		fieldInteriorColor: {"interiorcolor"},
		fieldFeatures:      {"features"},
		fieldPhotos:        {"photos"},
		fieldVDPURL:        {"vdpurl"},
		fieldDescription:   {"description"},
		fieldNotes:         {"notes"},
		fieldInventoryDate: {"inventorydate"},
		fieldUpdatedAt:     {"updatedat"},
	},
}

// parseFees reads the fees as the JSON array that the contract has for them.
func parseFees(text string) (any, *badValue) {
	value, err := contract.DecodeJSON([]byte(text))
	list, ok := value.([]any)
	if err != nil || !ok {
		return nil, bad("the fees are not a JSON array", `Write them such as [{"name": "Documentation fee", "amount": 85}], or leave them empty.`)
	}
	return list, nil
}
