package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// forgetKeys empties what keeps the outcomes under keys.
func (s *system) forgetKeys(t *testing.T) {
	t.Helper()
	if s.postgres != nil {
		s.execute(t, "TRUNCATE idempotency.claims")
		return
	}
	js, end := openJetStream(t, s.Process)
	defer end()
	stream, err := js.Stream(t.Context(), "KV_IDEMPOTENCY")
	if err == nil {
		err = stream.Purge(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// dropKeys takes it away altogether.
func (s *system) dropKeys(t *testing.T) {
	t.Helper()
	if s.postgres != nil {
		s.execute(t, "DROP SCHEMA idempotency CASCADE")
		return
	}
	js, end := openJetStream(t, s.Process)
	defer end()
	if err := js.DeleteKeyValue(t.Context(), "IDEMPOTENCY"); err != nil {
		t.Fatal(err)
	}
}

func (s *system) execute(t *testing.T, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.postgres.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// rebuild runs `forecourt idempotency rebuild` and returns what it says.
func (s *system) rebuild(t *testing.T) (result struct{ Leads, Restored, Kept int }) {
	t.Helper()
	args := []string{"idempotency", "rebuild", "--json"}
	if s.postgres != nil {
		args = append(args, "--postgres-dsn", s.postgres.DSN())
	}
	out := operate(t, s.Process, "", args...)
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(fmt.Errorf("%w in %s", err, out))
	}
	return result
}
