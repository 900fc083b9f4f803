package domain

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"forecourt.internal/contract"
)

var errNoObject = errors.New("the request is not a JSON object")

// Buyer is what tells whether two requests of a tenant come from the same buyer about the same thing.
type Buyer struct {
	// Email and Phone are the contacts, of which a request has at least one; "" when not given. An e-mail address is in lower case,
	// a phone number in E.164 form, as the schema wants it.
	Email, Phone string
	Interest     Interest[string]
}

// Interest is what a buyer asks about: a vehicle by its names, else by its description, else nothing but a message. T holds texts or
// hashes of texts; its zero value is "not given".
type Interest[T comparable] struct {
	VIN, Stock, VehicleID T
	// Other is given exactly when none of the names is.
	Other T
}

// Buyer returns who asks, and about what; v is the vehicle of interest as the inventory knows it.
func (c Command) Buyer(v Vehicle) Buyer { return buyerOf(c.members, v.VehicleID) }

// BuyerOf reads the buyer of a recorded request; vehicleID is the listing's that was found for it, or "". It returns an error when the
// request is not a JSON object.
func BuyerOf(request []byte, vehicleID string) (Buyer, error) {
	value, err := contract.DecodeJSON(request)
	if err != nil {
		return Buyer{}, err
	}
	members, ok := value.(map[string]any)
	if !ok {
		return Buyer{}, errNoObject
	}
	return buyerOf(members, vehicleID), nil
}

func buyerOf(request map[string]any, vehicleID string) Buyer {
	customer, _ := request["customer"].(map[string]any)
	email, _ := customer["email"].(string)
	phone, _ := customer["phone"].(string)
	return Buyer{
		Email:    norm.NFC.String(strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))),
		Phone:    strings.TrimSpace(phone),
		Interest: interestOf(request, vehicleID),
	}
}

func interestOf(request map[string]any, vehicleID string) Interest[string] {
	vehicle, _ := request["vehicle_of_interest"].(map[string]any)
	name := func(member string) string {
		s, _ := vehicle[member].(string)
		return folded(s)
	}
	i := Interest[string]{VIN: name("vin"), Stock: name("stock"), VehicleID: name("vehicle_id")}
	if vehicleID != "" {
		i.VehicleID = folded(vehicleID)
	}
	if i == (Interest[string]{}) {
		i.Other = unnamed(request, vehicle)
	}
	return i
}

// unnamed is the text that stands for a vehicle without a name, or for none. A vehicle of which nothing is said is none.
func unnamed(request, vehicle map[string]any) string {
	vehicle = maps.Clone(vehicle)
	for _, blank := range [...]string{"vin", "stock", "vehicle_id"} {
		delete(vehicle, blank)
	}
	if len(vehicle) > 0 {
		return "vehicle " + folded(canonical(vehicle))
	}
	message, _ := request["message"].(string)
	return "message " + norm.NFC.String(strings.Join(strings.Fields(message), " "))
}

// canonical is the RFC 8785 form of an object that was read as JSON, which always has one.
func canonical(object map[string]any) string {
	text, _ := json.Marshal(object)
	value := jsontext.Value(text)
	_ = value.Canonicalize()
	return string(value)
}

// folded makes texts equal that differ in letter case, in how their characters are composed or in the space around them.
func folded(s string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.TrimSpace(s))))
}

// Same says whether both come from one buyer, who shares a contact, about the same thing.
func (b Buyer) Same(other Buyer) bool {
	return (given(b.Email, other.Email) && b.Email == other.Email || given(b.Phone, other.Phone) && b.Phone == other.Phone) &&
		b.Interest.Same(other.Interest)
}

// Same says whether both share a name of the vehicle and none of their names differ, or neither has one and all else is the same.
func (i Interest[T]) Same(other Interest[T]) bool {
	shared := false
	for _, names := range [...][2]T{{i.VIN, other.VIN}, {i.Stock, other.Stock}, {i.VehicleID, other.VehicleID}} {
		switch {
		case !given(names[0], names[1]):
		case names[0] != names[1]:
			return false
		default:
			shared = true
		}
	}
	return shared || given(i.Other, other.Other) && i.Other == other.Other
}

// given says that both are there.
func given[T comparable](a, b T) bool {
	var none T
	return a != none && b != none
}
