package binary

import (
	"path/filepath"
	"sync"
)

// NATS returns the path of the NATS server's own binary, which the first call builds. Main must be running the tests.
var NATS = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(Path), "nats-server")
	return path, Build(path, ".", "github.com/nats-io/nats-server/v2", false) // its races are somebody else's
})
