package postgres

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/idemkey"
)

const (
	// quietFor is how long the listening connection may be silent before it is asked whether it is still there.
	quietFor = 5 * time.Second
	// The pause before the listening connection is made again grows from one to the other.
	firstPause, lastPause = 50 * time.Millisecond, 2 * time.Second
)

// Await blocks until the key's row is not at the revision. It holds no connection meanwhile.
func (s *Store) Await(ctx context.Context, key idemkey.Digest, revision uint64) error {
	for {
		changed, err := s.await(ctx, key, revision)
		if changed || err != nil {
			return err
		}
	}
}

// await joins the waiters before it looks, so that no change goes unnoticed in between. changed is false when notifications stopped.
func (s *Store) await(ctx context.Context, key idemkey.Digest, revision uint64) (changed bool, err error) {
	joined, err := s.wakeups.join(ctx, revision)
	if err != nil {
		return false, err
	}
	defer joined.leave()
	since, before := s.span(revision)
	there, err := s.ask(ctx, awaitRow, lockOf(key), key[:], int64(revision), since, before)
	if err != nil || !there {
		return !there, err
	}
	select {
	case <-joined.changed:
		return true, nil
	case <-joined.deaf:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// listen receives notifications until ctx is done, on a connection that is made again whenever it is lost.
func (s *Store) listen(ctx context.Context) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		heard, err := s.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		if heard {
			pause = firstPause
		}
		s.cfg.Logger.WarnContext(ctx, "the connection that wakes waiting attempts is away; they wait until it is back, or for their time",
			"err", failure(err))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// listenOnce receives notifications until the connection is lost. heard is false when it was not to be had.
func (s *Store) listenOnce(ctx context.Context) (heard bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return false, err
	}
	defer end(conn)
	if _, err := conn.Exec(ctx, "LISTEN idempotency"); err != nil {
		return false, err
	}
	s.wakeups.begin()
	defer s.wakeups.end()
	for {
		if err := s.hear(ctx, conn); err != nil {
			return true, err
		}
	}
}

// hear wakes those whom the next notification concerns. When none comes for a while it makes sure that the connection is there.
func (s *Store) hear(ctx context.Context, conn *pgx.Conn) error {
	quiet, cancel := context.WithTimeout(ctx, quietFor)
	defer cancel()
	n, err := conn.WaitForNotification(quiet)
	if err == nil {
		if revision, err := strconv.ParseUint(n.Payload, 10, 64); err == nil { // else it is someone else's
			s.wakeups.wake(revision)
		}
		return nil
	}
	if quiet.Err() == nil || ctx.Err() != nil || conn.IsClosed() {
		return err
	}
	answering, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	return conn.Ping(answering)
}

// end closes a connection and waits until the server has freed what its session held, if it answers.
func end(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	_ = conn.Close(ctx) // nothing depends on it any more
}
