package boot

import (
	"os"
	"runtime"
)

// room is how much garbage a process may make, in bytes, before the first collection and then between two of them, beside what it holds.
const room = 64 << 20

// LeaveRoom keeps a small heap from being collected all the time, unless GOGC says how often: the services hold little and make much
// garbage for each call, and a sixth of their processor time went into collections. A raised GOGC would do as much for small heaps,
// but multiply those of many buyers or vehicles. The memory is asked for and never touched, so that it is not resident. The caller
// keeps it by calling release at the end.
func LeaveRoom() (release func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	untouched := make([]byte, room)
	return func() { runtime.KeepAlive(untouched) }
}
