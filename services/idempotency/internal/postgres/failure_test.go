package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"forecourt.internal/platform/pgtest"
)

func TestFailure_HoldsNoValue(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE t (v text PRIMARY KEY, n int)"); err != nil {
		t.Fatal(err)
	}
	for state, sql := range map[string]string{
		"23505": "INSERT INTO t VALUES ('canary', 1), ('canary', 2)",
		"22P02": "SELECT 'canary'::int",
		"P0001": "DO $$ BEGIN RAISE 'canary'; END $$",
	} {
		_, err := conn.Exec(t.Context(), sql)
		got := failure(fmt.Errorf("a statement: %w", err))
		if text := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(text, "canary") || !strings.Contains(text, state) {
			t.Errorf("%s: %s", state, text)
		}
		if errors.As(got, new(*pgconn.PgError)) {
			t.Errorf("%s: the server's error is within reach", state)
		}
	}
}

func TestFailure_TellsWhatTheServerSaysOfItself(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&pgconn.PgError{Code: "57P03", Message: "the database system is starting up", Detail: "canary"},
			"postgres: the database system is starting up (SQLSTATE 57P03)"},
		{fmt.Errorf("canary: %w", context.DeadlineExceeded), "postgres: no answer in time"},
	} {
		if got := failure(test.err); got.Error() != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
	}
	wrapped := fmt.Errorf("make a table: %w", failure(&pgconn.PgError{Code: "42501", Message: "permission denied"}))
	if got := failure(wrapped); got != wrapped {
		t.Errorf("%v lost what was being done: %v", wrapped, got)
	}
	if failure(nil) != nil {
		t.Error("nothing failed")
	}
}
