package compose

import (
	"fmt"
	"net"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// showPostgres names the database of a DSN without credentials: "postgres://host:5432/name".
func showPostgres(dsn string) (string, error) {
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil { // its text holds no password
		return "", fmt.Errorf("--postgres-dsn cannot be read: %w", err)
	}
	return "postgres://" + net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port))) + "/" + cfg.Database, nil
}
