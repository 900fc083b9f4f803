// Package vehicle is a vehicle of the contract as a value: reading its members and writing its canonical JSON. It imports
// nothing of the service.
package vehicle
