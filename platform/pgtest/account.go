package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is who the server runs as: Postgres refuses to run as root.
type account struct {
	name string
	as   *syscall.Credential // nil: as whoever this process runs as
}

// serverAccount is postgres or nobody when this process is root's.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil && uid != 0 {
			return account{name, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
		}
	}
	return account{}, fmt.Errorf("run Postgres as root: it refuses, and there is no user postgres or nobody to run it as")
}

// command runs a program as the account, in dir and in English.
func (a account) command(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.as, Setpgid: true} // Ctrl-C is not for it
	return cmd
}

// own gives path to the account.
func (a account) own(path string) error {
	if a.as == nil {
		return nil
	}
	return os.Chown(path, int(a.as.Uid), int(a.as.Gid))
}

// openWay lets the account pass through the directories above dir that are this process's own and temporary: testing.T.TempDir is
// closed to all but its owner.
func (a account) openWay(dir string) error {
	if a.as == nil {
		return nil
	}
	temp := filepath.Clean(os.TempDir())
	for up := filepath.Dir(dir); strings.HasPrefix(up, temp+string(filepath.Separator)); up = filepath.Dir(up) {
		info, err := os.Stat(up)
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm(); mode&0o001 == 0 {
			if err := os.Chmod(up, mode|0o001); err != nil {
				return err
			}
		}
	}
	if err := a.command("/", "/bin/sh", "-c", `cd "$1"`, "sh", dir).Run(); err != nil {
		return fmt.Errorf("user %s may not enter %s, nor may Postgres run as root: use a directory below %s", a.name, dir, temp)
	}
	return nil
}
