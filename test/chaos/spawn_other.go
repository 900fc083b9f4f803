//go:build !linux

package chaos

import "syscall"

// bound makes a child that Ctrl-C in the terminal reaches together with its parent; nothing else ends it when the parent is gone.
func bound() *syscall.SysProcAttr { return nil }
