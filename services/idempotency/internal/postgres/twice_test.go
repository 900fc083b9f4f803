package postgres

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/pgtest"
	"forecourt.internal/services/idempotency/internal/domain"
)

// A statement whose answer is lost with its connection is run again: that must tell the same, and do nothing.
func TestStatements_RunTwice_DoTheSameAsOnce(t *testing.T) {
	store, err := Open(t.Context(), Config{
		DSN: pgtest.Database(t), Retention: 72 * time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	key := idemkey.Key{Key: "k"}.Digest()
	now := time.Now()
	today := now.UTC().Truncate(day)
	first, second := newRevision(now), newRevision(now)
	row := domain.NewClaim("owner", domain.Fingerprint{1}, now, time.Second)
	inserting := append(append([]any{lockOf(key), key[:], int64(first)}, values(row)...), now, today)
	replacing := append(append([]any{lockOf(key), key[:], int64(first), int64(second)}, values(row)...), now, today, today.Add(day))

	var got []string
	for range 2 {
		found, ok, err := store.one(t.Context(), insertRow, inserting...)
		got = append(got, fmt.Sprint("insert: ", !ok || found.Revision == first, " ", err))
	}
	for range 2 {
		there, err := store.ask(t.Context(), replaceRow, replacing...)
		got = append(got, fmt.Sprint("replace: ", there, " ", err))
	}
	found, _, err := store.Load(t.Context(), key)
	got = append(got, fmt.Sprint("row: ", found.Revision == second, " ", err))
	want := []string{"insert: true <nil>", "insert: true <nil>", "replace: true <nil>", "replace: true <nil>", "row: true <nil>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
