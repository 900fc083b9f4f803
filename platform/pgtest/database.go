package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// DSNEnv names the variable with the DSN, as a URL or as keywords and values, of a server whose user may create databases. Tests
// use that server instead of one of their own.
const DSNEnv = "FORECOURT_TEST_POSTGRES_DSN"

// Database returns the DSN of a new, empty database, which is dropped when the test ends. Without DSNEnv, the first call in a test
// binary starts the server of all of them. The test fails when there is no server to be had.
func Database(t testing.TB) string {
	t.Helper()
	server, err := serverDSN()
	if err != nil {
		t.Fatal(err)
	}
	name := "forecourt_test_" + strings.ToLower(rand.Text())
	if err := execute(server, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
		t.Fatalf("create a test's database: %v", err)
	}
	t.Cleanup(func() {
		if err := execute(server, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop a test's database: %v", err)
		}
	})
	dsn, err := withDatabase(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}

func serverDSN() (string, error) {
	if dsn := os.Getenv(DSNEnv); dsn != "" {
		return dsn, nil
	}
	return ownServer()
}

// ownServer starts the server of this process, which ends with it.
var ownServer = sync.OnceValues(func() (string, error) {
	s, err := StartTemporary()
	if err != nil {
		return "", err
	}
	return s.DSN(), nil
})

// executeWithin bounds a statement on a machine that is busy with other tests.
const executeWithin = time.Minute

func execute(dsn, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), executeWithin)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// withDatabase is the DSN with another database.
func withDatabase(dsn, name string) (string, error) {
	if !strings.HasPrefix(dsn, "postgres://") && !strings.HasPrefix(dsn, "postgresql://") {
		return dsn + " dbname=" + name, nil // the last one counts
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "", fmt.Errorf("read %s: it is no URL", DSNEnv) // the error of Parse holds the password
	}
	u.Path = "/" + name
	return u.String(), nil
}
