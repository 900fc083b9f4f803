package scan

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"forecourt.internal/platform/tenant"
)

// term is a text that can be filtered by and counted.
type term int

const (
	byMake term = iota
	byModel
	byTrim
	byCondition
	byTransmission
	byFuel
	byDriveline
	byBody
	byVehicleType
	byExteriorColor
	byInteriorColor
	byRooftop
	byStatus
	byChargePort
	numTerms
)

// number is a number that can be filtered or sorted by.
type number int

const (
	byYear number = iota
	byPrice
	byMileage
	byDisplacement
	byRange
	numNumbers
)

// absent is the id of no text.
const absent = 0

// listing is a vehicle prepared for scans.
type listing struct {
	id, vin, stock string              // vin and stock in lower case
	terms          [numTerms]uint32    // ids of the stock's texts
	numbers        [numNumbers]float64 // NaN is absent
	words          string              // what free text searches, in lower case, one line per member
}

// Stock is the vehicles of one tenant.
type Stock struct {
	listings []listing
	texts    [numTerms]texts
	rooftops []tenant.Rooftop
}

// texts are the distinct values of a term.
type texts struct {
	ids    map[string]uint32
	values []string // by id; the first stands for absent
}

func (t *texts) id(value string) uint32 {
	if value == "" {
		return absent
	}
	if t.ids == nil {
		t.ids, t.values = make(map[string]uint32), []string{""}
	}
	id, ok := t.ids[value]
	if !ok {
		id = uint32(len(t.values))
		t.ids[value], t.values = id, append(t.values, value)
	}
	return id
}

// vehicle is what the scan knows of a vehicle's JSON.
type vehicle struct {
	ID            string   `json:"vehicle_id"`
	VIN           string   `json:"vin"`
	Stock         string   `json:"stock"`
	Make          string   `json:"make"`
	Model         string   `json:"model"`
	Trim          string   `json:"trim"`
	Condition     string   `json:"condition"`
	Transmission  string   `json:"transmission"`
	Fuel          string   `json:"fuel"`
	Driveline     string   `json:"driveline"`
	Body          string   `json:"body"`
	VehicleType   string   `json:"vehicle_type"`
	ExteriorColor string   `json:"exterior_color"`
	InteriorColor string   `json:"interior_color"`
	Rooftop       string   `json:"rooftop"`
	Status        string   `json:"status"`
	ChargePort    string   `json:"charge_port"`
	Year          *float64 `json:"year"`
	Price         *float64 `json:"price"`
	Mileage       *float64 `json:"mileage"`
	Displacement  *float64 `json:"displacement_cc"`
	Range         *float64 `json:"electric_range_mi"`
	Features      []string `json:"features"`
	Description   string   `json:"description"`
}

// New prepares the vehicles of a tenant, given as JSON.
func New(doc *tenant.Document, vehicles [][]byte) (*Stock, error) {
	s := &Stock{listings: make([]listing, len(vehicles)), rooftops: doc.Rooftops}
	for i, text := range vehicles {
		var v vehicle
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, fmt.Errorf("read vehicle: %w", err)
		}
		s.listings[i] = s.prepare(&v)
	}
	return s, nil
}

func (s *Stock) prepare(v *vehicle) listing {
	if v.VehicleType == "" {
		v.VehicleType = "car"
	}
	l := listing{id: v.ID, vin: strings.ToLower(v.VIN), stock: strings.ToLower(v.Stock)}
	for t, text := range [numTerms]string{
		byMake: v.Make, byModel: v.Model, byTrim: v.Trim, byCondition: v.Condition, byTransmission: v.Transmission, byFuel: v.Fuel,
		byDriveline: v.Driveline, byBody: v.Body, byVehicleType: v.VehicleType, byExteriorColor: v.ExteriorColor,
		byInteriorColor: v.InteriorColor, byRooftop: v.Rooftop, byStatus: v.Status, byChargePort: v.ChargePort,
	} {
		l.terms[t] = s.texts[t].id(text)
	}
	for n, value := range [numNumbers]*float64{
		byYear: v.Year, byPrice: v.Price, byMileage: v.Mileage, byDisplacement: v.Displacement, byRange: v.Range,
	} {
		l.numbers[n] = math.NaN()
		if value != nil {
			l.numbers[n] = *value
		}
	}
	lines := []string{v.Make, v.Model, v.Trim, v.Body, v.ExteriorColor, v.InteriorColor, v.Stock, v.Description}
	if v.Year != nil {
		lines = append(lines, strconv.Itoa(int(*v.Year)))
	}
	l.words = strings.ToLower(strings.Join(append(lines, v.Features...), "\n"))
	return l
}
