package domain

import (
	"errors"
	"time"

	"forecourt.internal/contract"
)

// errUnchecked is the cause when a rule needs an inventory that does not answer.
var errUnchecked = errors.New("the inventory did not answer, and a test drive needs a vehicle in stock")

// Check holds the command against every rule and reports all problems at once as a *contract.Error. One that needs an answer
// from an inventory that gives none is to be tried later, unless another rule refuses the request in any case.
func (c Command) Check(v Vehicle, now time.Time) error {
	request := contract.LeadRules(c.members, now)
	var vehicle *contract.Error
	if c.testDrive() {
		vehicle = v.refusal()
	}
	switch {
	case request != nil && vehicle != nil:
		// One response has one code, and problems of different kinds have none in common.
		return contract.NewError(contract.SchemaValidationFailed, "The lead cannot be taken for several reasons.",
			append(request.Problems, vehicle.Problems...)...)
	case request != nil:
		return request
	case vehicle != nil:
		return vehicle
	case c.testDrive() && v.Stock == Unchecked:
		return TryLater("The vehicle for the test drive cannot be checked at the moment.", inventoryRetry, errUnchecked)
	default:
		return nil
	}
}
