package chaos

import "syscall"

// bound makes a child that the kernel kills when its parent is gone, and that Ctrl-C does not reach.
func bound() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
