package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// daysAhead is for how many days after this one there are partitions already. Every partition costs each Begin some microseconds.
	daysAhead = 1
	// maintainEvery is how often a replica sees whether partitions must be made or dropped, if no other is at it.
	maintainEvery = 10 * time.Minute
	// clockSkew is how far the clocks of replicas may be apart: a row that one of them still uses is not dropped by another.
	clockSkew = time.Hour

	day = 24 * time.Hour
)

// SQLSTATEs.
const (
	noPartition      = "23514" // check_violation, here: no partition for a row
	lockNotAvailable = "55P03"
	readOnlySession  = "25006" // read_only_sql_transaction
)

// noTables are the SQLSTATEs of a schema, a function or a table that is not there.
var noTables = []string{"3F000", "42883", "42P01"}

// partition is the table of the rows last changed on one day, in UTC.
type partition struct {
	day       time.Time
	attached  bool
	detaching bool // an earlier attempt to detach it was interrupted
}

const partitionName = "claims_20060102"

func (p partition) table() string { return "idempotency." + p.day.Format(partitionName) }

// keepPartitions looks after the partitions until ctx is done.
func (s *Store) keepPartitions(ctx context.Context) {
	tick := time.NewTicker(maintainEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C: // Open has made the first ones
		case <-ctx.Done():
			return
		}
		if err := s.Maintain(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Logger.WarnContext(ctx, "the days of the idempotency store could not be looked after; another try follows",
				"err", err, "in", maintainEvery)
		}
	}
}

// Maintain makes the partitions of this day and the next ones, and drops those whose rows are all past the retention. It does
// nothing while another replica is at it. No statement that it runs waits longer than a second for a lock, or keeps a row from
// being read or changed meanwhile.
func (s *Store) Maintain(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, ownConnection(s.pool.Config()))
	if err != nil {
		return failure(err)
	}
	defer end(conn) // and the lock with it
	var mine bool
	err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(maintenanceLock)).Scan(&mine)
	if err != nil || !mine {
		return failure(err)
	}
	if err := addPartitions(ctx, conn, s.cfg.Now()); err != nil {
		return failure(err)
	}
	return s.dropPartitions(ctx, conn)
}

// addPartitions makes the partitions that an insert found missing: the clock has jumped, or nobody maintained them for days.
func (s *Store) addPartitions(ctx context.Context) error {
	now := s.cfg.Now()
	_, err, _ := s.adding.Do(now.UTC().Format(partitionName), func() (any, error) {
		adding, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
		defer cancel()
		conn, err := pgx.ConnectConfig(adding, ownConnection(s.pool.Config()))
		if err != nil {
			return nil, err
		}
		defer end(conn)
		if err := waitForMaintenance(adding, conn); err != nil {
			return nil, err
		}
		return nil, addPartitions(adding, conn, now)
	})
	return err
}

// addPartitions makes the partitions from now on that are missing. The connection holds the lock of maintenance.
func addPartitions(ctx context.Context, conn *pgx.Conn, now time.Time) error {
	today := now.UTC().Truncate(day)
	for ahead := range daysAhead + 1 {
		p := partition{day: today.Add(time.Duration(ahead) * day)}
		var there bool
		if err := conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", p.table()).Scan(&there); err != nil {
			return err
		}
		if there {
			continue
		}
		if err := p.create(ctx, conn); err != nil {
			return fmt.Errorf("make table %s: %w", p.table(), failure(err))
		}
	}
	return nil
}

// create makes a table and attaches it, which unlike CREATE TABLE … PARTITION OF does not lock the other partitions' rows. Half of
// each page is left free at first, so that a claim and its outcome fit on one and the index need not change.
func (p partition) create(ctx context.Context, conn *pgx.Conn) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, fmt.Sprintf(`
			CREATE TABLE %[1]s (LIKE idempotency.claims INCLUDING ALL, PRIMARY KEY (digest)) WITH (fillfactor = 50);
			ALTER TABLE idempotency.claims ATTACH PARTITION %[1]s FOR VALUES FROM ('%[2]s') TO ('%[3]s')`,
			p.table(), p.day.Format(time.RFC3339), p.day.Add(day).Format(time.RFC3339)), pgx.QueryExecModeSimpleProtocol)
		return err
	})
}

// dropPartitions drops the partitions whose rows are all past the retention.
func (s *Store) dropPartitions(ctx context.Context, conn *pgx.Conn) error {
	found, err := partitions(ctx, conn)
	if err != nil {
		return fmt.Errorf("list the days: %w", failure(err))
	}
	past := s.cfg.Now().Add(-s.cfg.Retention - clockSkew)
	for _, p := range found {
		if p.day.Add(day).After(past) {
			continue
		}
		if err := p.drop(ctx, conn); err != nil {
			return fmt.Errorf("drop table %s: %w", p.table(), failure(err))
		}
		s.cfg.Logger.InfoContext(ctx, "dropped a day of the idempotency store: it is past the retention", "day", p.day.Format(time.DateOnly))
	}
	return nil
}

// drop detaches the table, without keeping anyone from the others, and drops it.
func (p partition) drop(ctx context.Context, conn *pgx.Conn) error {
	var statements []string
	switch {
	case p.detaching:
		statements = append(statements, "ALTER TABLE idempotency.claims DETACH PARTITION "+p.table()+" FINALIZE")
	case p.attached:
		statements = append(statements, "ALTER TABLE idempotency.claims DETACH PARTITION "+p.table()+" CONCURRENTLY")
	}
	for _, sql := range append(statements, "DROP TABLE "+p.table()) {
		if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return nil
}

// partitions lists the partitions there are, oldest first, and the tables that were but have not been dropped yet.
func partitions(ctx context.Context, conn *pgx.Conn) ([]partition, error) {
	rows, err := conn.Query(ctx, `
		SELECT to_date(c.relname, '"claims_"YYYYMMDD')::timestamp, i.inhrelid IS NOT NULL, coalesce(i.inhdetachpending, false)
		FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
		WHERE c.relnamespace = 'idempotency'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^claims_[0-9]{8}$'
		ORDER BY c.relname`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p partition, err error) {
		err = row.Scan(&p.day, &p.attached, &p.detaching)
		return p, err
	})
}
