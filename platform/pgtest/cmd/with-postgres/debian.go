package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"forecourt.internal/platform/pgtest"
)

// debian is a server from the programs of the package postgresql, which it installs where it may without asking. The cluster
// that the package makes is left alone.
func debian(start func() (*pgtest.Server, error)) way {
	return func(ctx context.Context) (server, error) {
		apt, ok := aptGet(ctx)
		if !ok {
			return server{}, errNotHere
		}
		say("installing the package postgresql")
		if err := install(ctx, apt); err != nil {
			say("%v", err)
			return server{}, errNotHere
		}
		return installed(start)(ctx)
	}
}

// aptGet is the start of a command line of apt-get as root that asks nothing, if this process may have that.
func aptGet(ctx context.Context) ([]string, bool) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return nil, false
	}
	apt := []string{"env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "--option", "DPkg::Lock::Timeout=120"}
	if os.Geteuid() == 0 {
		return apt, true
	}
	if exec.CommandContext(ctx, "sudo", "--non-interactive", "true").Run() != nil {
		return nil, false
	}
	return append([]string{"sudo", "--non-interactive"}, apt...), true
}

// install installs the package, with new package lists when those of the machine are missing or old.
func install(ctx context.Context, apt []string) error {
	do := func(args ...string) error {
		args = append(apt[1:len(apt):len(apt)], args...)
		if out, err := exec.CommandContext(ctx, apt[0], args...).CombinedOutput(); err != nil {
			return fmt.Errorf("install the package postgresql: %w\n%s", err, out)
		}
		return nil
	}
	if do("install", "--no-install-recommends", "postgresql") == nil {
		return nil
	}
	if err := do("update"); err != nil {
		return err
	}
	return do("install", "--no-install-recommends", "postgresql")
}
