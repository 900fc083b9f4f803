package generate

import "strings"

// vinLength is that of every VIN (49 CFR 565.13, ISO 3779).
const vinLength = 17

// vinLetters are the letters of a VIN: I, O and Q would be read as digits.
const vinLetters = "ABCDEFGHJKLMNPRSTUVWXYZ"

// yearCodes are the codes of the model years from 2010 (49 CFR 565.15, table VII).
const yearCodes = "ABCDEFGHJKLMNPRSTVWXY123456789"

const firstYearCode = 2010

// serialSpace is how many pairs of plant and serial number there are, and so the largest feed with one of its own for each vehicle.
const serialSpace = len(vinLetters) * 1_000_000

// serialStep is coprime to serialSpace, so that stepping visits every pair once; it is about the golden section of it, so that
// neighbours lie far apart.
const serialStep = 14_214_783

// serialOf is the n-th pair of plant and serial number after start, as one number.
func serialOf(start, n int) int {
	return int((uint64(start) + uint64(n)*serialStep) % uint64(serialSpace))
}

// vin builds the VIN of a vehicle: the maker's code (WMI), five places that tell model, trim, drive, engine and restraints, the
// check digit, the model year, and a plant and serial number that no other vehicle of the feed has.
func vin(v *vehicle, serial int) [vinLength]byte {
	var out [vinLength]byte
	copy(out[:], v.model.wmi)
	out[3] = vinLetters[v.modelAt%len(vinLetters)]
	out[4] = vinLetters[v.trimAt]
	out[5] = '1' + byte(v.driveAt)
	out[6] = vinLetters[v.engineAt] // a letter here says that the year is from 2010 on (49 CFR 565.15)
	out[7] = '3'
	out[9] = yearCodes[v.year-firstYearCode]
	out[10] = vinLetters[serial/1_000_000]
	rest := serial % 1_000_000
	for i := vinLength - 1; i > 10; i-- {
		out[i] = '0' + byte(rest%10)
		rest /= 10
	}
	out[8] = checkDigit(out)
	return out
}

// checkWeights are those of 49 CFR 565.15, table V; the check digit itself counts nothing.
var checkWeights = [vinLength]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}

// checkDigit is what place 9 must hold: the weighted sum modulo 11, with X for ten.
func checkDigit(vin [vinLength]byte) byte {
	sum := 0
	for i, c := range vin {
		sum += checkWeights[i] * checkValue(c)
	}
	if sum %= 11; sum == 10 {
		return 'X'
	}
	return '0' + byte(sum)
}

// checkValue is the number that a character stands for (49 CFR 565.15, table IV).
func checkValue(c byte) int {
	const values = "12345678123457923456789" // of vinLetters
	if c >= '0' && c <= '9' {
		return int(c - '0')
	}
	if i := strings.IndexByte(vinLetters, c); i >= 0 {
		return int(values[i] - '0')
	}
	return 0
}
