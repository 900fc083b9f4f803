package boot

import (
	"errors"
	"net"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// PostgresDSN is a connection string of Postgres. It may hold a password.
type PostgresDSN string

// UnmarshalText refuses what the client could not read, without repeating it.
func (d *PostgresDSN) UnmarshalText(text []byte) error {
	if _, err := pgconn.ParseConfig(string(text)); err != nil {
		return errors.New("it is not a URL of a Postgres database, nor its key=value pairs")
	}
	*d = PostgresDSN(text)
	return nil
}

// Redacted names the database without credentials: "postgres://host:5432/name".
func (d PostgresDSN) Redacted() string {
	cfg, err := pgconn.ParseConfig(string(d))
	if err != nil {
		return ""
	}
	return "postgres://" + net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port))) + "/" + cfg.Database
}
