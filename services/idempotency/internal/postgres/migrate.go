package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// maintenanceLock is the advisory lock of whoever changes tables. Its value is arbitrary.
const maintenanceLock = 0x666f7265636f7572

// oldestServer is 14.0, the first that detaches partitions without keeping others from the table.
const oldestServer = 14_00_00

// migrate brings the schema up to date and makes the partitions of the days to come. Of several replicas one does it, and the
// others wait for that one.
func migrate(ctx context.Context, cfg *pgx.ConnConfig, now time.Time) error {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer end(conn) // and the lock with it
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return err
	}
	if version < oldestServer {
		return fmt.Errorf("the server is of version %d; it must be 14 or later", version/10000)
	}
	if err := waitForMaintenance(ctx, conn); err != nil {
		return err
	}
	if err := createSchema(ctx, conn); err != nil {
		return fmt.Errorf("create schema idempotency: %w", failure(err))
	}
	if err := applyMigrations(ctx, cfg); err != nil {
		return fmt.Errorf("migrate schema idempotency: %w", failure(err))
	}
	return addPartitions(ctx, conn, now)
}

// waitForMaintenance takes the lock, which the connection holds until it ends.
func waitForMaintenance(ctx context.Context, conn *pgx.Conn) error {
	for {
		_, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(maintenanceLock))
		if code(err) != lockNotAvailable || ctx.Err() != nil {
			return err
		}
	}
}

// createSchema does not try to create what is there: that takes a right which the operator may have kept.
func createSchema(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	err := conn.QueryRow(ctx, "SELECT to_regnamespace('idempotency') IS NOT NULL").Scan(&there)
	if err != nil || there {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE SCHEMA idempotency")
	return err
}

func applyMigrations(ctx context.Context, cfg *pgx.ConnConfig) (err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*cfg)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName("idempotency.migrations"))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
