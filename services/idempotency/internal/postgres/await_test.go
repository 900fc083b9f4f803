package postgres_test

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"forecourt.internal/platform/pgtest"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
	"forecourt.internal/services/idempotency/internal/postgres"
)

// listener is a condition on pg_stat_activity.
const listener = `datname = current_database() AND query = 'LISTEN idempotency'`

func TestAwait_ListeningConnectionLost_WaitersLookAgain(t *testing.T) {
	dsn := pgtest.Database(t)
	store, other := open(t, config(dsn)), open(t, config(dsn))
	conn := connect(t, dsn)
	for range 5 {
		const waiters = 32
		var all sync.WaitGroup
		var rows []app.Stored
		var keys []string
		for range waiters {
			name := rand.Text()
			at := insert(t, store, keyOf(name), "owner")
			keys, rows = append(keys, name), append(rows, at)
			all.Go(func() {
				if err := store.Await(t.Context(), keyOf(name), at.Revision); err != nil {
					t.Error(err)
				}
			})
		}
		for i := range waiters {
			if i%8 == 0 { // whatever state the waiters are in
				query[int](t, conn, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "+listener)
			}
			if err := other.Replace(t.Context(), keyOf(keys[i]), rows[i].Revision, claim("later")); err != nil {
				t.Error(err)
			}
		}
		all.Wait()
	}
}

func TestAwait_OnManyKeys_HoldsNoConnection(t *testing.T) {
	store := open(t, config(with(pgtest.Database(t), "pool_max_conns", "2")))
	const waiters = 200
	var rows [waiters]app.Stored
	var keys [waiters]string
	var all sync.WaitGroup
	for i := range waiters {
		keys[i] = rand.Text()
		rows[i] = insert(t, store, keyOf(keys[i]), "owner")
		all.Go(func() {
			if err := store.Await(t.Context(), keyOf(keys[i]), rows[i].Revision); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range waiters {
		if err := store.Remove(t.Context(), keyOf(keys[i]), rows[i].Revision); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
}

// The server itself counts its transactions: those of the attempts, and nothing while they wait.
func TestBegin_ManyWaitForOneKey_NoPollingOfTheServer(t *testing.T) {
	dsn := pgtest.Database(t)
	store, err := postgres.Open(t.Context(), config(with(dsn, "options", "-c track_functions=all")))
	if err != nil {
		t.Fatal(err)
	}
	// Two replicas on one pool; the clock of leases is real, and time passes while they wait.
	replicas := []*app.Registry{app.NewRegistry(store, time.Minute, time.Now), app.NewRegistry(store, time.Minute, time.Now)}
	key := keyOf("k")
	first, err := replicas[0].Begin(t.Context(), key, domain.Fingerprint{1}, 0)
	if err != nil || first.Fresh == nil {
		t.Fatalf("claim = %+v, err = %v", first, err)
	}
	const attempts = 64
	var all sync.WaitGroup
	for i := range attempts {
		all.Go(func() {
			claim, err := replicas[i%2].Begin(t.Context(), key, domain.Fingerprint{1}, time.Minute)
			if err != nil || claim.Replay == nil {
				t.Errorf("claim = %+v, err = %v; want a replay", claim, err)
			}
		})
	}
	conn := connect(t, dsn)
	untilAwaited(t, conn)
	if err := replicas[0].Complete(t.Context(), key, first.Fresh.Owner, nil, []byte("outcome")); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	store.Close() // sessions that end report what they did
	got := map[string]int{}
	for _, name := range []string{"insert_row", "replace_row", "remove_row", "await_row"} {
		got[name] = query[int](t, conn, `SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions WHERE funcname = $1`, name)
	}
	if got["insert_row"] > attempts+3 || got["await_row"] > 2 || got["replace_row"] != 1 || got["remove_row"] != 0 {
		t.Errorf("calls: %v", got)
	}
	t.Logf("calls: %v", got)
}
