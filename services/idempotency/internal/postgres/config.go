package postgres

import (
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// connectWithin bounds a new connection. A shorter connect_timeout of the DSN counts.
	connectWithin = 5 * time.Second
	// answerWithin bounds what a caller waits for a free connection, and then for the answer.
	answerWithin = 5 * time.Second
	// maxConns bounds the pool unless the DSN says pool_max_conns.
	maxConns = 16
)

// sessionDefaults are the settings of every session unless the DSN gives another value. The server gives up a little earlier than the
// caller, who then hears why.
var sessionDefaults = map[string]string{
	"application_name":                    "forecourt-idempotency",
	"statement_timeout":                   "4500ms",
	"lock_timeout":                        "4s",
	"idle_in_transaction_session_timeout": "10s",
	// The functions turn it off where nothing depends on it.
	"synchronous_commit": "on",
	// Plans over all partitions are costly to make and always the same.
	"plan_cache_mode": "force_generic_plan",
}

// errDSN repeats nothing of the DSN, which holds a password.
var errDSN = errors.New("the Postgres DSN cannot be read: write postgres://user:password@host:port/database, " +
	"or host=… port=… user=… password=… dbname=…")

// poolConfig reads a DSN.
func poolConfig(dsn string) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, errDSN
	}
	conn := cfg.ConnConfig
	if conn.ConnectTimeout == 0 || conn.ConnectTimeout > connectWithin {
		conn.ConnectTimeout = connectWithin
	}
	for name, value := range sessionDefaults {
		if _, given := conn.RuntimeParams[name]; !given {
			conn.RuntimeParams[name] = value
		}
	}
	if given, err := pgx.ParseConfig(dsn); err != nil || given.RuntimeParams["pool_max_conns"] == "" {
		cfg.MaxConns = maxConns
	}
	cfg.PingTimeout = answerWithin
	cfg.MaxConnLifetimeJitter = cfg.MaxConnLifetime / 10
	return cfg, nil
}

// ownConnection is the configuration of a connection besides the pool that changes tables: it may take longer, but it never makes
// others wait long for a lock that it waits for itself.
func ownConnection(cfg *pgxpool.Config) *pgx.ConnConfig {
	own := cfg.ConnConfig.Copy()
	own.RuntimeParams["statement_timeout"] = "60s"
	own.RuntimeParams["lock_timeout"] = "1s"
	return own
}
