package pgtest

import (
	"cmp"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrNotInstalled says that no Postgres server was found on the machine, and what to install.
var ErrNotInstalled = errors.New("no Postgres server found: install postgresql (Debian, Ubuntu: apt-get install postgresql; " +
	"macOS: brew install postgresql), or set " + DSNEnv)

// places are where packages put the server's programs when they are not on the PATH.
var places = []string{
	"/usr/lib/postgresql/*/bin",                          // Debian, Ubuntu
	"/usr/pgsql-*/bin",                                   // the project's packages for Fedora and its kin
	"/usr/libexec/postgresql*",                           // Alpine
	"/opt/homebrew/opt/postgresql@*/bin",                 // macOS
	"/usr/local/opt/postgresql@*/bin",                    // macOS on Intel
	"/Applications/Postgres.app/Contents/Versions/*/bin", // macOS
	"/usr/local/pgsql/bin",                               // from source
}

// Binaries returns the directory that holds postgres and initdb: the one of the PATH, else the highest version in a usual place,
// else the one that pg_config names. The error is ErrNotInstalled.
func Binaries() (string, error) {
	if postgres, err := exec.LookPath("postgres"); err == nil && complete(filepath.Dir(postgres)) {
		return filepath.Dir(postgres), nil
	}
	for _, place := range places {
		dirs, _ := filepath.Glob(place) // the patterns are well formed
		slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
		if i := slices.IndexFunc(dirs, complete); i >= 0 {
			return dirs[i], nil
		}
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); complete(dir) {
			return dir, nil
		}
	}
	return "", ErrNotInstalled
}

// complete is whether the directory holds both programs.
func complete(dir string) bool {
	for _, name := range []string{"postgres", "initdb"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

var number = regexp.MustCompile(`\d+(\.\d+)?`)

// version is the first number in a path, 0 where there is none: 9.6 of /usr/lib/postgresql/9.6/bin.
func version(dir string) float64 {
	v, _ := strconv.ParseFloat(number.FindString(dir), 64)
	return v
}
