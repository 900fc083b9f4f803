package buyers

import (
	"crypto/rand"
	"crypto/sha256"

	"forecourt.internal/services/leads/internal/domain"
)

// sum stands for a text: 128 bits of a hash under the key of this process, so that two texts have one in common as good as never, and
// the memory holds no value of a customer. The zero sum stands for the empty text.
type sum [16]byte

type hasher struct{ key [32]byte }

func newHasher() (h hasher) {
	rand.Read(h.key[:]) // never fails
	return h
}

func (h *hasher) of(text string) (s sum) {
	if text == "" {
		return s
	}
	buf := make([]byte, 0, 256)
	buf = append(append(buf, h.key[:]...), text...)
	full := sha256.Sum256(buf)
	return sum(full[:len(s)])
}

// contacts are the sums of the buyer's e-mail address and phone number among those of a tenant (R-TEN); they never are the same.
func (h *hasher) contacts(tenant string, b domain.Buyer) (sums [2]sum) {
	if b.Email != "" {
		sums[0] = h.of(tenant + " email " + b.Email)
	}
	if b.Phone != "" {
		sums[1] = h.of(tenant + " phone " + b.Phone)
	}
	return sums
}

func (h *hasher) interest(i domain.Interest[string]) domain.Interest[sum] {
	return domain.Interest[sum]{VIN: h.of(i.VIN), Stock: h.of(i.Stock), VehicleID: h.of(i.VehicleID), Other: h.of(i.Other)}
}
