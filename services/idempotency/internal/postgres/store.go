package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"
)

// Config says which database, and for how long rows are kept.
type Config struct {
	// DSN is a URL or keywords and values, with pgxpool's parameters. See config.go for what is set besides.
	DSN string
	// Retention is how long a row is kept after its last change.
	Retention time.Duration
	// Now decides what is past the retention.
	Now func() time.Time
	// Logger hears of lost connections, and of days that come and go.
	Logger *slog.Logger
}

// Store is an app.Store on Postgres. Besides the pool it holds one connection, on which waiting attempts are woken.
//
// Only a claim is on disk when it is granted, or a crash of the server would let two attempts hold one key. Outcomes, removals and
// marks of waiters are committed without waiting for the disk (synchronous_commit): a crash that takes one back leaves a claim whose
// lease runs out, and then the log tells what became of it; the log refuses a second event in any case.
type Store struct {
	pool    *pgxpool.Pool
	cfg     Config
	adding  singleflight.Group // of partitions by day, and of all tables
	wakeups *wakeups
	stop    context.CancelFunc
	running sync.WaitGroup
}

// openWithin bounds the start, which may wait for that of another replica.
const openWithin = time.Minute

// Open connects, brings the schema idempotency up to date, creating it when absent, and begins to look after the partitions. It
// fails at once while Postgres is away. No error holds the DSN or its password. Close ends what it began.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	connections, err := poolConfig(cfg.DSN)
	if err != nil {
		return nil, fmt.Errorf("open the idempotency store: %w", err)
	}
	starting, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	if err := migrate(starting, ownConnection(connections), cfg.Now()); err != nil {
		return nil, fmt.Errorf("open the idempotency store: %w", failure(err))
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	pool, err := pgxpool.NewWithConfig(life, connections)
	if err != nil {
		stop()
		return nil, fmt.Errorf("open the idempotency store: %w", failure(err))
	}
	s := &Store{pool: pool, cfg: cfg, wakeups: newWakeups(), stop: stop}
	s.running.Go(func() { s.listen(life) })
	s.running.Go(func() { s.keepPartitions(life) })
	return s, nil
}

// Close ends all connections. Statements on their way are finished first.
func (s *Store) Close() {
	s.stop()
	s.running.Wait()
	s.pool.Close()
}

// Ready is nil while the database answers, takes changes and has the tables.
func (s *Store) Ready(ctx context.Context) error {
	var standby, readOnly, complete bool
	err := s.do(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		const look = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')::bool, " +
			"to_regclass('idempotency.claims') IS NOT NULL"
		return conn.QueryRow(ctx, look).Scan(&standby, &readOnly, &complete)
	})
	switch {
	case err != nil:
		return err
	case standby:
		return errors.New("postgres: the server is a standby, which takes no changes")
	case readOnly: // as hosts make a database whose disk is full
		s.pool.Reset() // see do
		return errors.New("postgres: the database is read-only")
	case !complete: // somebody has restored or emptied the database
		return failure(s.makeTables(ctx))
	}
	return nil
}

// makeTables brings a schema up to date that has lost its tables while the store was open.
func (s *Store) makeTables(ctx context.Context) error {
	_, err, _ := s.adding.Do("tables", func() (any, error) {
		s.cfg.Logger.WarnContext(ctx, "the tables of the idempotency store are gone, with what was remembered; they are made again")
		making, cancel := context.WithTimeout(context.WithoutCancel(ctx), openWithin)
		defer cancel()
		return nil, migrate(making, ownConnection(s.pool.Config()), s.cfg.Now())
	})
	return err
}

// do runs one statement. When its connection breaks it is run once more on a new one, since every statement here does nothing the
// second time; and when the day of a new row has no partition yet, or there are no tables any more, once more after those have been
// made. A session that was opened while the database was read-only stays so when the database no longer is; it makes way for a new one.
func (s *Store) do(ctx context.Context, statement func(context.Context, *pgxpool.Conn) error) error {
	broken, err := s.once(ctx, statement)
	switch {
	case broken, code(err) == readOnlySession:
		s.pool.Reset() // the others are no better, more likely than not
		_, err = s.once(ctx, statement)
	case code(err) == noPartition:
		if err = s.addPartitions(ctx); err == nil {
			_, err = s.once(ctx, statement)
		}
	case slices.Contains(noTables, code(err)):
		if err = s.makeTables(ctx); err == nil {
			_, err = s.once(ctx, statement)
		}
	}
	return failure(err)
}

// once runs one statement. broken is true when the connection ended before the answer came.
func (s *Store) once(ctx context.Context, statement func(context.Context, *pgxpool.Conn) error) (broken bool, err error) {
	acquiring, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	conn, err := s.pool.Acquire(acquiring)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	// A caller that goes away does not interrupt a statement: that would cost the connection, and take longer than its end.
	answering, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	err = statement(answering, conn)
	return conn.Conn().IsClosed() && !pgconn.Timeout(err), err
}
