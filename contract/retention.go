package contract

import (
	"fmt"
	"time"
)

// Retention of idempotency keys: what is advertised when nothing else is said, and the least that may be (R-IDEM).
const (
	DefaultRetention = 72 * time.Hour
	MinRetention     = 24 * time.Hour
)

// Retention returns a configured retention, or the default for zero. It refuses one that is less than what every caller is
// promised.
func Retention(configured time.Duration) (time.Duration, error) {
	if configured == 0 {
		return DefaultRetention, nil
	}
	if configured < MinRetention {
		return 0, fmt.Errorf("a retention of %s is below the %s that the contract promises", configured, MinRetention)
	}
	return configured, nil
}
