package postgres_test

import (
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/pgtest"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/postgres"
)

// clock is moved by the test.
type clock struct{ offset atomic.Int64 }

var midnight = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

func (c *clock) Now() time.Time { return midnight.Add(time.Duration(c.offset.Load())) }

func (c *clock) set(fromMidnight time.Duration) { c.offset.Store(int64(fromMidnight)) }

// at opens a store on an empty database, whose clock stands some time after midnight.
func at(t *testing.T, fromMidnight time.Duration) (*postgres.Store, *clock, *pgx.Conn) {
	t.Helper()
	dsn, c := pgtest.Database(t), &clock{}
	c.set(fromMidnight)
	cfg := config(dsn)
	cfg.Now = c.Now
	return open(t, cfg), c, connect(t, dsn)
}

const day = 24 * time.Hour

func tables(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	return query[[]string](t, conn, `SELECT array_agg(relname::text ORDER BY relname) FROM pg_class
		WHERE relnamespace = 'idempotency'::regnamespace AND relkind = 'r' AND relname <> 'migrations'`)
}

func maintain(t *testing.T, store *postgres.Store) {
	t.Helper()
	if err := store.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestKey_OverMidnight_IsClaimedOnce(t *testing.T) {
	store, c, _ := at(t, -time.Millisecond)
	for range 50 {
		key := keyOf(t.Name() + rand.Text())
		var won atomic.Int32
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				c.set(time.Duration(i%2*2-1) * time.Millisecond) // before and after, in any order
				if _, inserted, err := store.Insert(t.Context(), key, claim("owner")); err != nil {
					t.Error(err)
				} else if inserted {
					won.Add(1)
				}
			})
		}
		all.Wait()
		if n := won.Load(); n != 1 {
			t.Fatalf("%d inserts won, want 1", n)
		}
	}
}

func TestRow_ChangedOverMidnight_MovesToTheNewDay(t *testing.T) {
	store, c, conn := at(t, -time.Second)
	key := keyOf("k")
	first := insert(t, store, key, "first")
	c.set(time.Second)
	waited := make(chan error, 1)
	go func() { waited <- store.Await(t.Context(), key, first.Revision) }()
	if err := store.Replace(t.Context(), key, first.Revision, claim("second")); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Error(err)
	}
	where := query[[]string](t, conn, "SELECT array_agg(tableoid::regclass::text) FROM idempotency.claims")
	if diff := cmp.Diff([]string{"idempotency.claims_20260501"}, where); diff != "" {
		t.Error(diff)
	}
	c.set(-time.Second) // another replica's clock may be behind
	second, ok, err := store.Load(t.Context(), key)
	if err != nil || !ok || second.Owner != "second" {
		t.Fatalf("row = %+v, %v, %v", second, ok, err)
	}
	if err := store.Replace(t.Context(), key, second.Revision, claim("third")); err != nil {
		t.Fatal(err)
	}
	third, _, err := store.Load(t.Context(), key)
	if err != nil || third.Owner != "third" {
		t.Fatalf("row = %+v, %v", third, err)
	}
	if err := store.Remove(t.Context(), key, third.Revision); err != nil {
		t.Error(err)
	}
}

func TestRow_PastTheRetention_IsAbsentBeforeItIsDropped(t *testing.T) {
	store, c, conn := at(t, time.Hour)
	key := keyOf("k")
	old := insert(t, store, key, "old")
	c.set(time.Hour + retention)
	if _, ok, err := store.Load(t.Context(), key); err != nil || !ok {
		t.Fatalf("within the retention: ok = %v, err = %v", ok, err)
	}
	c.set(time.Hour + retention + time.Millisecond)
	if _, ok, err := store.Load(t.Context(), key); err != nil || ok {
		t.Errorf("past the retention: ok = %v, err = %v", ok, err)
	}
	if err := store.Replace(t.Context(), key, old.Revision, claim("late")); !errors.Is(err, app.ErrStale) {
		t.Errorf("replace: err = %v, want ErrStale", err)
	}
	if err := store.Await(t.Context(), key, old.Revision); err != nil {
		t.Errorf("wait for a row that is past the retention: %v", err)
	}
	insert(t, store, key, "new") // its day has no table yet: nobody maintained them for three days
	if n := query[int](t, conn, "SELECT count(*) FROM idempotency.claims"); n != 2 {
		t.Errorf("%d rows, want the old one and the new", n)
	}
}

func TestDays_AreMadeAheadAndDroppedWhole(t *testing.T) {
	store, c, conn := at(t, time.Hour)
	insert(t, store, keyOf("k"), "owner")
	if diff := cmp.Diff([]string{"claims_20260501", "claims_20260502"}, tables(t, conn)); diff != "" {
		t.Error(diff)
	}
	c.set(3 * day) // nobody looked for three days
	maintain(t, store)
	c.set(day + retention) // on a clock that is behind, the last row of the first day is still live
	maintain(t, store)
	want := []string{"claims_20260501", "claims_20260502", "claims_20260504", "claims_20260505", "claims_20260506"}
	if diff := cmp.Diff(want, tables(t, conn)); diff != "" {
		t.Error(diff)
	}
	c.set(day + retention + time.Hour)
	maintain(t, store)
	if diff := cmp.Diff(want[1:], tables(t, conn)); diff != "" {
		t.Error(diff)
	}
}

// A backup reads for hours. It must not keep a claim waiting, and a day that could not be detached is dropped afterwards.
func TestDrop_WhileALongReaderHoldsTheTable_KeepsNobodyWaiting(t *testing.T) {
	store, c, conn := at(t, time.Hour)
	insert(t, store, keyOf("k"), "owner")
	reader, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := query[int](t, reader.Conn(), "SELECT count(*) FROM idempotency.claims"); n != 1 {
		t.Fatalf("%d rows", n)
	}
	c.set(6 * day)
	insert(t, store, keyOf("makes the day"), "owner")
	maintained := make(chan error, 1)
	go func() { maintained <- store.Maintain(t.Context()) }()
	for i, busy := 0, true; busy; i++ {
		began := time.Now()
		insert(t, store, keyOf(rand.Text()), "owner")
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("a claim took %s", took)
		}
		select {
		case err := <-maintained:
			busy = false
			if i == 0 || err == nil {
				t.Errorf("%d claims meanwhile; the old day was detached: %v", i, err)
			}
		default:
		}
	}
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	maintain(t, store)
	if diff := cmp.Diff([]string{"claims_20260507", "claims_20260508"}, tables(t, conn)); diff != "" {
		t.Error(diff)
	}
}

func TestMaintain_ManyReplicasAtOnce_OneDoesIt(t *testing.T) {
	store, c, conn := at(t, time.Hour)
	c.set(6 * day)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := store.Maintain(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff([]string{"claims_20260507", "claims_20260508"}, tables(t, conn)); diff != "" {
		t.Error(diff)
	}
}
