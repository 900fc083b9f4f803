// Package correlation carries the one id under which all traces of a call are found: in the context within a process, in
// gRPC metadata and event headers between them.
package correlation

import (
	"context"

	"github.com/oklog/ulid/v2"
)

type key struct{}

// New returns a fresh correlation id.
func New() string { return ulid.Make().String() }

// With returns a context that carries the id.
func With(ctx context.Context, id string) context.Context { return context.WithValue(ctx, key{}, id) }

// From returns the id that the context carries, or "".
func From(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}
