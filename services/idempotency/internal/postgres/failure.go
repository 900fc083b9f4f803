package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// failed is an error without what may hold a value.
type failed struct {
	text  string
	cause error // of the context, or nil
}

func (e *failed) Error() string { return "postgres: " + e.text }

func (e *failed) Unwrap() error { return e.cause }

// failure is err without what may hold a value: the server's detail, hint and statement, and messages about data. What has been
// through it before stays, with what was wrapped around it.
func failure(err error) error {
	var server *pgconn.PgError
	var before *failed
	switch {
	case err == nil || errors.As(err, &before):
		return err
	case errors.As(err, &server):
		return &failed{text: fmt.Sprintf("%s (SQLSTATE %s)", message(server), server.Code)}
	case errors.Is(err, context.Canceled):
		return &failed{context.Canceled.Error(), context.Canceled}
	case errors.Is(err, context.DeadlineExceeded):
		return &failed{"no answer in time", context.DeadlineExceeded}
	default: // of the network, or this package's
		return &failed{text: err.Error()}
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
