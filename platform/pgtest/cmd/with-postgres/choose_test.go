package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/pgtest"
)

// missing is a machine without Postgres.
func missing() (*pgtest.Server, error) { return nil, pgtest.ErrNotInstalled }

// needPrograms skips a test on a machine whose server is elsewhere.
func needPrograms(t *testing.T) {
	t.Helper()
	if _, err := pgtest.Binaries(); err != nil && os.Getenv(pgtest.DSNEnv) != "" {
		t.Skip("a test of installed programs: there are none")
	}
}

// check makes sure that the server answers, and does not once it is stopped.
func check(t *testing.T, s server) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.dsn)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close(t.Context())
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if conn, err := pgx.Connect(t.Context(), s.dsn); err == nil {
		conn.Close(t.Context())
		t.Error("the server runs after its stop")
	}
}

func TestChoose_TheServerOfTheEnvironmentComesFirst_AndIsLeftRunning(t *testing.T) {
	t.Setenv(pgtest.DSNEnv, pgtest.Database(t))
	s, err := choose(t.Context(), machine())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), os.Getenv(pgtest.DSNEnv))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close(t.Context())
}

func TestChoose_AServerOfTheEnvironmentThatDoesNotAnswer_IsAnError(t *testing.T) {
	needPrograms(t)
	dead, err := pgtest.StartTemporary()
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Setenv(pgtest.DSNEnv, dead.DSN())
	if s, err := choose(t.Context(), machine()); err == nil {
		t.Errorf("took %s instead", s.dsn)
		s.stop()
	}
}

func TestChoose_InstalledProgramsComeNext(t *testing.T) {
	needPrograms(t)
	t.Setenv(pgtest.DSNEnv, "")
	t.Setenv("PATH", filepath.Join(t.TempDir(), "nothing")) // neither apt-get nor an engine
	s, err := choose(t.Context(), machine())
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
}

// The stand-ins note what they are asked for: tests must not install packages. The first install fails, as it does without package
// lists.
func TestChoose_ThenTheDebianPackage_WithNewListsWhenItMust(t *testing.T) {
	needPrograms(t)
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	standIn(t, dir, "sudo", `shift; exec "$@"`)
	standIn(t, dir, "apt-get", `echo "$DEBIAN_FRONTEND $*" >>`+asked+`; [ "$(wc -l <`+asked+`)" -gt 1 ]`)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	s, err := choose(t.Context(), []way{named(""), installed(missing), debian(pgtest.StartTemporary)})
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
	got, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	want := `noninteractive --yes --option DPkg::Lock::Timeout=120 install --no-install-recommends postgresql
noninteractive --yes --option DPkg::Lock::Timeout=120 update
noninteractive --yes --option DPkg::Lock::Timeout=120 install --no-install-recommends postgresql
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestChoose_APackageThatDoesNotInstall_PassesTheChoiceOn(t *testing.T) {
	needPrograms(t)
	dir := t.TempDir()
	standIn(t, dir, "sudo", `shift; exec "$@"`)
	standIn(t, dir, "apt-get", "exit 100")
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	s, err := choose(t.Context(), []way{debian(missing), installed(pgtest.StartTemporary)})
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
}

// standIn puts a shell script on a PATH.
func standIn(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestChoose_ThenAContainer(t *testing.T) {
	var ways []way
	for _, engine := range []string{"docker", "podman"} {
		if answers(t.Context(), engine) && exec.Command(engine, "image", "inspect", image).Run() == nil {
			ways = append(ways, container(engine))
		}
	}
	if ways == nil {
		t.Skip("no container engine answers that has ", image, ", and a test does not fetch it from the network")
	}
	s, err := choose(t.Context(), ways)
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
}

func TestChoose_WithoutAnyWay_OneLineSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", filepath.Join(t.TempDir(), "nothing"))
	_, err := choose(t.Context(), []way{
		named(""), installed(missing), debian(missing), container("docker"), container("podman"),
	})
	if !errors.Is(err, pgtest.ErrNotInstalled) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error = %v", err)
	}
}
