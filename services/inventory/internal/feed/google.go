package feed

// google is the feed of Google's vehicle listings and vehicle ads.
var google = dialect{
	name: dialectGoogle,
	needs: []need{
		{[]field{fieldVIN, fieldStock}, "vin or id"},
		{[]field{fieldMake, fieldModel}, "make or model"},
	},
	marks: []string{
		"storecode", "imagelink", "additionalimagelink", "certifiedpreowned", "vehiclemsrp", "vehicleoption", "vehiclefulfillment",
		"dealershipaddress", "placeid", "googleproductcategory", "linktemplate", "mobilelink",
	},
	silent: []string{
		"title", "dealershipaddress", "placeid", "googleproductcategory", "linktemplate", "mobilelink", "vehiclefulfillment", "adslink",
		"adsredirect", "legaldisclaimer", "customlabel0", "customlabel1", "customlabel2", "customlabel3", "customlabel4",
	},
	joins: true,
	headers: map[field][]string{
		fieldVIN:           {"vin"},
		fieldStock:         {"stock", "stocknumber", "id"},
		fieldRooftop:       {"dealershipname"},
		fieldRooftopCode:   {"storecode"},
		fieldBody:          {"bodystyle"},
		fieldBodyType:      {"vehicletype"},
		fieldYear:          {"year"},
		fieldMake:          {"make", "brand"},
		fieldModel:         {"model"},
		fieldTrim:          {"trim"},
		fieldCondition:     {"condition"},
		fieldCertified:     {"certifiedpreowned"},
		fieldStatus:        {"availability"},
		fieldSellingPrice:  {"saleprice", "price"},
		fieldCurrency:      {"currency"},
		fieldMSRP:          {"vehiclemsrp", "msrp"},
		fieldMileage:       {"mileage"},
		fieldTransmission:  {"transmission"},
		fieldDriveline:     {"drivetrain"},
		fieldEngine:        {"engine"},
		fieldFuel:          {"fueltype"},
		fieldExteriorColor: {"color", "exteriorcolor"},
		fieldInteriorColor: {"interiorcolor"},
		fieldPhotos:        {"imagelink", "additionalimagelink"},
		fieldVDPURL:        {"link"},
		fieldDescription:   {"description"},
		fieldFeatures:      {"vehicleoption"},
		fieldInventoryDate: {"dateinstock"},
	},
}
