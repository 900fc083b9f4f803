package watch

import (
	"context"
	"io"
	"log/slog"
)

// Import brings one file of a tenant into the system. name is for people. Several run at once, never two of one tenant. An error says
// that the work ended early for a reason that may pass, such as an outage or the end of ctx: the same file is then tried again.
type Import func(ctx context.Context, tenant, name string, r io.Reader) (Result, error)

// Result is what became of a file whose import is over.
type Result struct {
	// Failed says that the file cannot be imported as it is; it is moved to failed/ instead of imported/.
	Failed bool
	// Report is written as JSON beside the moved file; nil: there is nothing to say.
	Report any
	// Log goes into the file's log line.
	Log []slog.Attr
}
