package generate

// firstConnected is the model year from which most vehicles can be connected to a phone.
const firstConnected = 2017

// Equipment that vehicles have more or less of.
var (
	basics    = []string{"Backup Camera", "Bluetooth", "Keyless Entry", "Cruise Control", "Power Windows", "Alloy Wheels"}
	connected = []string{"Apple CarPlay", "Android Auto", "Push-Button Start", "Wireless Charging Pad", "Wi-Fi Hotspot"}
	safety    = []string{"Blind Spot Monitor", "Adaptive Cruise Control", "Lane Keeping Assist", "Rear Cross-Traffic Alert", "Automatic High Beams"}
	comfort   = []string{"Heated Front Seats", "Remote Start", "Dual-Zone Climate Control", "Power Driver Seat", "Sunroof", "Heated Steering Wheel"}
	premium   = []string{"Ventilated Front Seats", "Panoramic Roof", "Premium Audio", "Head-Up Display", "Surround-View Camera", "Navigation", `20" Wheels`, "Memory Seats"}

	forTrucks     = []string{"Tow Package", "Spray-In Bed Liner", "Running Boards", "Trailer Brake Controller", "Tonneau Cover"}
	forFamilies   = []string{"Power Liftgate", "Roof Rails", "Cargo Cover", "Hands-Free Tailgate", "Rear Sunshades"}
	forElectrics  = []string{"DC Fast Charging", "Heat Pump", "Portable Charging Cable", "One-Pedal Driving"}
	forCertifieds = []string{"Certified Inspection", "Limited Powertrain Warranty", "Roadside Assistance"}
)

// drawOptions draws the equipment.
func (v *vehicle) drawOptions(d dice) {
	v.options = append(v.options, one(d, basics)) // never an empty list
	v.equip(d, basics, 40)
	if v.year >= firstConnected {
		v.equip(d, connected, 50)
		v.equip(d, safety, 50)
	}
	if v.isUpscale() {
		v.equip(d, comfort, 70)
		v.equip(d, premium, 45)
	} else {
		v.equip(d, comfort, 25)
	}
	switch v.model.body {
	case truck, van:
		v.equip(d, forTrucks, 40)
	case suv, minivan, wagon:
		v.equip(d, forFamilies, 35)
	}
	if v.engine().fuel == electric {
		v.equip(d, forElectrics, 60)
	}
	if v.condition == isCertified {
		v.equip(d, forCertifieds, 80)
	}
}

// equip adds each piece of the list in percent of the draws, unless the vehicle has it.
func (v *vehicle) equip(d dice, list []string, percent int) {
	for _, piece := range list {
		if d.chance(percent) && piece != v.options[0] {
			v.options = append(v.options, piece)
		}
	}
}
