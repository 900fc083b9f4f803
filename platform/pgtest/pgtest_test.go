package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/pgtest"
)

// childEnv makes the test binary start a server, say where, and end in the way that the variable names.
const childEnv = "FORECOURT_PGTEST_CHILD"

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(childEnv); ok {
		child(how)
	}
	os.Exit(m.Run())
}

func child(how string) {
	s, err := pgtest.StartTemporary()
	if err != nil {
		panic(err)
	}
	fmt.Println(s.DSN())
	switch how {
	case "exit":
		os.Exit(0)
	case "panic":
		panic("on purpose")
	case "kill":
		select {}
	}
}

// needPrograms skips a test on a machine whose server is elsewhere.
func needPrograms(t *testing.T) {
	t.Helper()
	if _, err := pgtest.Binaries(); err != nil && os.Getenv(pgtest.DSNEnv) != "" {
		t.Skip("a test of installed programs: there are none")
	}
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) })
	return conn
}

func query[T any](t *testing.T, conn *pgx.Conn, sql string) T {
	t.Helper()
	var v T
	if err := conn.QueryRow(t.Context(), sql).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func TestDatabase_IsEmptyAndAlone_AndGoesWithItsTest(t *testing.T) {
	count := "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
	outer := connect(t, pgtest.Database(t))
	var name string
	t.Run("another", func(t *testing.T) {
		inner := connect(t, pgtest.Database(t))
		if _, err := inner.Exec(t.Context(), "CREATE TABLE leads (id text)"); err != nil {
			t.Fatal(err)
		}
		name = query[string](t, inner, "SELECT current_database()")
		got := []int{query[int](t, inner, count), query[int](t, outer, count)}
		if diff := cmp.Diff([]int{1, 0}, got); diff != "" {
			t.Error(diff)
		}
	})
	if n := query[int](t, outer, "SELECT count(*) FROM pg_database WHERE datname = '"+name+"'"); n != 0 {
		t.Errorf("%s outlived its test", name)
	}
}

func TestServer_SyncsWhatItCommits(t *testing.T) {
	conn := connect(t, pgtest.Database(t))
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		if got := query[string](t, conn, "SHOW "+setting); got != "on" {
			t.Errorf("%s = %s", setting, got)
		}
	}
}

func TestServer_WantsItsPassword(t *testing.T) {
	config, err := pgx.ParseConfig(pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	config.Password = "guessed"
	if conn, err := pgx.ConnectConfig(t.Context(), config); err == nil {
		conn.Close(t.Context())
		t.Error("a wrong password was taken")
	}
}

func TestServer_KeepsDataAndPort_KilledOrStopped(t *testing.T) {
	needPrograms(t)
	s, err := pgtest.Start(filepath.Join(t.TempDir(), "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	dsn := s.DSN()
	if _, err := connect(t, dsn).Exec(t.Context(), "CREATE TABLE leads (id text)"); err != nil {
		t.Fatal(err)
	}
	for _, way := range []struct {
		name string
		end  func() error
	}{{"killed", s.Kill}, {"killed twice", func() error { return errors.Join(s.Kill(), s.Kill()) }}, {"stopped", s.Stop}} {
		busy := connect(t, dsn)
		if _, err := busy.Exec(t.Context(), "BEGIN; INSERT INTO leads VALUES ('lost')"); err != nil {
			t.Fatal(err)
		}
		if _, err := connect(t, dsn).Exec(t.Context(), "INSERT INTO leads VALUES ($1)", way.name); err != nil {
			t.Fatal(err)
		}
		if err := way.end(); err != nil {
			t.Fatalf("%s: %v", way.name, err)
		}
		if err := busy.Ping(t.Context()); err == nil {
			t.Errorf("%s: a session goes on", way.name)
		}
		if err := s.Restart(); err != nil {
			t.Fatalf("%s: %v", way.name, err)
		}
	}
	got := query[[]string](t, connect(t, dsn), "SELECT array_agg(id) FROM leads")
	if diff := cmp.Diff([]string{"killed", "killed twice", "stopped"}, got); diff != "" {
		t.Error(diff)
	}
	if s.DSN() != dsn {
		t.Errorf("the address changed from %s to %s", dsn, s.DSN())
	}
}

func TestServer_Paused_AnswersNobody_AndGoesOnWithItsSessions(t *testing.T) {
	needPrograms(t)
	s, err := pgtest.Start(filepath.Join(t.TempDir(), "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	before := connect(t, s.DSN())
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	within, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if conn, err := pgx.Connect(within, s.DSN()); err == nil {
		conn.Close(t.Context())
		t.Error("a paused server takes a session")
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	if err := before.Ping(t.Context()); err != nil {
		t.Errorf("the session of before the pause: %v", err)
	}
}

func TestServer_GoesWithItsProcess_WhateverEndsThat(t *testing.T) {
	needPrograms(t)
	for _, how := range []string{"exit", "panic", "kill"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			if err := os.Chmod(temp, 0o777|fs.ModeSticky); err != nil { // as /tmp is
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Dir(temp), 0o711); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childEnv+"="+how, "TMPDIR="+temp)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			dsn, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if how == "kill" {
				_ = cmd.Process.Kill()
			}
			_ = cmd.Wait() // it was not to end well
			waitEmpty(t, temp)
			if conn, err := pgx.Connect(t.Context(), strings.TrimSpace(dsn)); err == nil {
				conn.Close(t.Context())
				t.Error("the server still runs")
			}
		})
	}
}

// waitEmpty waits until there is nothing left in the directory.
func waitEmpty(t *testing.T, dir string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); ; {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s is left", left[0].Name())
		}
	}
}
