package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"forecourt.internal/platform/boot"
	"forecourt.internal/services/idempotency"
	"forecourt.internal/services/leads"
)

// leadsStream keeps message ids for at least the retention that the system runs with.
const leadsStream = "LEADS"

// rebuildLanes is how many rows are restored at the same time.
const rebuildLanes = 16

func newIdempotencyRebuild() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Restore the outcomes of recorded leads from the LEADS stream",
		Long: `Restore the outcomes of the leads that were recorded within the retention, for a store that was lost or is new, so that it
answers retries by itself again. What the store has stays as it is. It is safe while the system runs, and safe to repeat.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return rebuild(cmd) },
	}
	flags := cmd.Flags()
	flags.String("postgres-dsn", "", "Postgres database of the idempotency service; NATS without it (or FORECOURT_POSTGRES_DSN)")
	flags.String("retention", "", "the retention that the system runs with (or FORECOURT_RETENTION); default: what the LEADS stream says")
	return cmd
}

// rebuilt counts what became of the leads within the retention.
type rebuilt struct {
	Leads    int64 `json:"leads"`
	Restored int64 `json:"restored"`
	Kept     int64 `json:"kept"`
	// Store is where: a database without credentials, or the bucket.
	Store string `json:"store"`
}

func rebuild(cmd *cobra.Command) error {
	var configured boot.Retention
	if err := readSetting(cmd, "retention", &configured); err != nil {
		return usageError{err}
	}
	var dsn boot.PostgresDSN
	if err := readSetting(cmd, "postgres-dsn", &dsn); err != nil {
		return usageError{err}
	}
	return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
		retention, err := runningRetention(ctx, js, time.Duration(configured))
		if err != nil {
			return err
		}
		service, err := idempotency.New(ctx, idempotency.Config{
			JetStream: js, PostgresDSN: string(dsn), Retention: retention, Logger: slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil)),
		})
		if err != nil {
			return err
		}
		defer service.Close()
		result, err := restore(ctx, js, service, time.Now().Add(-retention), newProgress(cmd))
		if errors.Is(err, context.Canceled) {
			return exitError{fmt.Errorf("%w; %d outcomes were restored, run it again for the rest", errInterrupted, result.Restored), exitInterrupted}
		}
		if err != nil {
			return err
		}
		result.Store = "the NATS bucket IDEMPOTENCY"
		if dsn != "" {
			result.Store = dsn.Redacted()
		}
		return printRebuilt(cmd, result)
	})
}

// runningRetention is the configured one or else the longest that the system may run with: a shorter one would have the store forget
// what it has to keep.
func runningRetention(ctx context.Context, js jetstream.JetStream, configured time.Duration) (time.Duration, error) {
	if configured != 0 {
		return configured, nil
	}
	stream, err := js.Stream(ctx, leadsStream)
	if err != nil {
		return 0, fmt.Errorf("open stream %s, is this the NATS server that Forecourt runs on? %w", leadsStream, err)
	}
	return stream.CachedInfo().Config.Duplicates, nil
}

// restore reads the leads recorded since a time and restores their outcomes, many at the same time.
func restore(
	ctx context.Context, js jetstream.JetStream, service *idempotency.Service, since time.Time, bar *progress,
) (rebuilt, error) {
	defer bar.clear()
	var read int64
	var restored, kept atomic.Int64
	lanes, within := errgroup.WithContext(ctx)
	lanes.SetLimit(rebuildLanes)
	err := leads.Outcomes(within, js, since, func(o leads.Outcome) error {
		read++
		bar.show(work{says: "restoring", unit: "leads"}, read, 0)
		lanes.Go(func() error {
			is, err := service.Restore(within, idempotency.Outcome{
				Digest: o.Key, Fingerprint: o.Fingerprint, FirstClaimedAt: o.ReceivedAt, Outcome: o.Response,
			})
			switch {
			case err != nil:
				return err
			case is:
				restored.Add(1)
			default:
				kept.Add(1)
			}
			return nil
		})
		return within.Err()
	})
	if failed := lanes.Wait(); failed != nil { // then reading was only stopped
		err = failed
	}
	return rebuilt{Leads: read, Restored: restored.Load(), Kept: kept.Load()}, err
}

func printRebuilt(cmd *cobra.Command, r rebuilt) error {
	if wantsJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), r)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), fmt.Sprintf(
		"leads recorded within the retention: %d; restored in %s: %d; left as they were: %d\n", r.Leads, r.Store, r.Restored, r.Kept))
	return err
}
