package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// failure is err without what may hold a value: the server's detail, hint and statement, and messages about data.
func failure(err error) error {
	var server *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &server):
		return fmt.Errorf("postgres: %s (SQLSTATE %s)", message(server), server.Code)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("postgres: %w", context.Canceled)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("postgres: no answer: %w", context.DeadlineExceeded)
	default: // of the network
		return fmt.Errorf("postgres: %s", err.Error())
	}
}

// message is the server's, unless its class of errors quotes data: data exceptions, violated constraints, errors of functions.
func message(e *pgconn.PgError) string {
	if len(e.Code) == 5 {
		switch e.Code[:2] {
		case "22", "23", "P0":
			return "a statement failed on its data"
		}
	}
	return e.Message
}

// code is the SQLSTATE of an error of the server, or "".
func code(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code
	}
	return ""
}
