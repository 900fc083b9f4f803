package compose

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockDir creates the data directory and makes it this process's own until unlock: two brokers on one store would ruin it.
// It is closed to other users, because leads hold customers' details. The operating system drops the lock of a killed
// process.
func lockDir(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create data directory: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock data directory %s: %w", dir, err)
	}
	if !held {
		return nil, fmt.Errorf("data directory %s is in use by another process; stop it, or choose another with --data-dir", dir)
	}
	return func() { lock.Unlock() }, nil
}
