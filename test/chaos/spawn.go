package chaos

import (
	"os/exec"
	"runtime"
	"sync"
)

// spawner starts processes from one thread that never ends: on Linux, a child may be told to end with the thread that started it.
var spawner = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// spawn starts a process that ends when this one does.
func spawn(cmd *exec.Cmd) error {
	cmd.SysProcAttr = bound()
	started := make(chan error)
	spawner() <- func() { started <- cmd.Start() }
	return <-started
}
