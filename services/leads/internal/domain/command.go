package domain

import (
	"forecourt.internal/contract"
	"forecourt.internal/platform/idemkey"
)

// Command is a request to record a lead. Only NewCommand makes one.
type Command struct {
	Tenant string
	// Caller is the caller scope that the idempotency key belongs to.
	Caller string
	// Key is the request's idempotency_key.
	Key string
	// Digest identifies tenant, caller, skill and key together.
	Digest      idemkey.Digest
	Fingerprint Fingerprint
	// Request is the lead.submit.request as it was sent.
	Request []byte
	members map[string]any
}

// NewCommand reads a lead.submit.request that is valid against its schema. It returns a *contract.Error when the request has no
// idempotency key or no canonical form.
func NewCommand(tenant, caller string, request []byte) (Command, error) {
	value, err := contract.DecodeJSON(request)
	members, isObject := value.(map[string]any)
	if err != nil || !isObject {
		return Command{}, contract.NewError(contract.SchemaValidationFailed, "The request could not be understood as it was sent.",
			contract.Problem{Keyword: "type", Error: "The request is not a JSON object.",
				Correction: "Send a lead.submit.request as one JSON object without duplicate member names."})
	}
	key, _ := members["idempotency_key"].(string)
	if key == "" {
		return Command{}, contract.NewError(contract.MissingRequiredField, "Some required information is missing.",
			contract.Problem{InstanceLocation: "/idempotency_key", Keyword: "required", Error: "The idempotency key is missing.",
				Correction: `Add "idempotency_key", a text of your choice that is the same on every retry of this lead.`})
	}
	f, err := fingerprintOf(request)
	if err != nil {
		return Command{}, err
	}
	return Command{
		Tenant: tenant, Caller: caller, Key: key, Request: request, Fingerprint: f, members: members,
		Digest: idemkey.Key{Tenant: tenant, Caller: caller, Skill: string(contract.LeadSubmit), Key: key}.Digest(),
	}, nil
}

// testDrive says whether the buyer asks to drive the vehicle.
func (c Command) testDrive() bool {
	appointment, _ := c.members["appointment"].(map[string]any)
	return appointment["appointment_type"] == "test_drive"
}

// Vehicle returns what the vehicle of interest is named by; ok is false when the request names none.
func (c Command) Vehicle() (ref VehicleRef, ok bool) {
	vehicle, _ := c.members["vehicle_of_interest"].(map[string]any)
	ref.VIN, _ = vehicle["vin"].(string)
	ref.Stock, _ = vehicle["stock"].(string)
	ref.VehicleID, _ = vehicle["vehicle_id"].(string)
	return ref, ref != VehicleRef{}
}
