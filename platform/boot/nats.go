package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

const (
	// natsWithin bounds the start without a broker.
	natsWithin = 10 * time.Second
	// natsAgain is the pause between attempts, at the start and after a loss; as much again is added at random, so that the clients of
	// a broker do not all come back at once.
	natsAgain = 250 * time.Millisecond
	// natsDial bounds one attempt. The client publishes nothing while it is at it, and what is held up by it must not go out after the lease
	// of the attempt that sends it, which keeps a second in reserve.
	natsDial = 800 * time.Millisecond
	// natsPing is how often the broker is asked whether it is alive; two missing answers mean that the connection is lost.
	natsPing = 3 * time.Second
	// askWithin bounds one question whether JetStream answers.
	askWithin = 2 * time.Second
)

// Broker is a connection to NATS that outlives losses.
type Broker struct {
	Conn *nats.Conn
	// JetStream creates streams and buckets with the configured replicas.
	JetStream jetstream.JetStream
}

// ConnectNATS connects under a name and waits until JetStream answers. It tries for 10 seconds and returns an error then, which names
// the setting but holds no credentials. A connection that is lost later is made again, however long that takes; log hears of both.
func ConnectNATS(ctx context.Context, name, setting string, url NATSURL, replicas Replicas, log *slog.Logger) (*Broker, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, natsWithin, errLate)
	defer cancel()
	broker, err := connectNATS(ctx, url, options(name, log))
	if err != nil {
		return nil, fmt.Errorf("NATS at %s (%s) cannot be used: %w", url.Redacted(), setting, err)
	}
	broker.JetStream = streams.Replicated(broker.JetStream, int(replicas))
	return broker, nil
}

var errLate = fmt.Errorf("given up after %s", natsWithin)

func connectNATS(ctx context.Context, url NATSURL, options []nats.Option) (*Broker, error) {
	var nc *nats.Conn
	err := try(ctx, func(context.Context) (err error) {
		nc, err = nats.Connect(string(url), options...)
		return err
	})
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err == nil {
		err = try(ctx, func(ctx context.Context) error {
			_, err := js.AccountInfo(ctx)
			return err
		})
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Broker{Conn: nc, JetStream: js}, nil
}

// try repeats an attempt until it succeeds, can never succeed, or ctx is done.
func try(ctx context.Context, attempt func(context.Context) error) error {
	for {
		within, cancel := context.WithTimeout(ctx, askWithin)
		err := attempt(within)
		cancel()
		if err == nil || errors.Is(err, nats.ErrAuthorization) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
			return err
		}
		select {
		case <-time.After(natsAgain):
		case <-ctx.Done():
			return fmt.Errorf("%w; the last attempt: %w", context.Cause(ctx), err)
		}
	}
}

func options(name string, log *slog.Logger) []nats.Option {
	log = log.With("component", "nats")
	return []nats.Option{
		nats.Name(name),
		nats.Timeout(natsDial),
		nats.MaxReconnects(-1),
		nats.IgnoreAuthErrorAbort(), // credentials are replaced while processes run
		nats.ReconnectWait(natsAgain),
		nats.ReconnectJitter(natsAgain, natsAgain),
		nats.PingInterval(natsPing),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("the connection is lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) { log.Info("connected again", "server", nc.ConnectedServerName()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("asynchronous error", "error", discreet(err))
		}),
	}
}

// Ready is nil while the broker is connected and answers.
func (b *Broker) Ready(ctx context.Context) error {
	if !b.Conn.IsConnected() {
		return errors.New("the connection to the broker is lost")
	}
	if err := b.Conn.FlushWithContext(ctx); err != nil {
		return fmt.Errorf("ask the broker: %w", err)
	}
	return nil
}

// Close ends the connection.
func (b *Broker) Close() { b.Conn.Close() }

// NATS connects for the life of the process and makes the connection a part of its readiness.
func (p *Process) NATS(url NATSURL, replicas Replicas) (*Broker, error) {
	broker, err := ConnectNATS(p.serving, p.name, "FORECOURT_NATS_URL", url, replicas, p.Log)
	if err != nil {
		return nil, err
	}
	p.Defer(broker.Close)
	p.Check("nats", broker.Ready)
	return broker, nil
}

// discreet leaves out the subject of a violation: that of an appointment tells when a buyer comes.
func discreet(err error) error {
	if errors.Is(err, nats.ErrPermissionViolation) {
		return nats.ErrPermissionViolation
	}
	return err
}
