package main

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/bench/internal/deployment"
)

// publisher publishes the bytes of a lead's event, under other message ids, to a stream like that of the leads.
type publisher struct {
	js     jetstream.JetStream
	sample *jetstream.RawStreamMsg
}

const bareSubject = "bare.v1." + leadTenant + ".submitted"

// newPublisher needs a lead in the log.
func newPublisher(ctx context.Context, js jetstream.JetStream) (*publisher, error) {
	leads, err := js.Stream(ctx, "LEADS")
	if err != nil {
		return nil, fmt.Errorf("prepare bare publishes: %w", err)
	}
	sample, err := leads.GetLastMsgForSubject(ctx, "lead.v1."+leadTenant+".submitted")
	if err != nil {
		return nil, fmt.Errorf("prepare bare publishes: %w", err)
	}
	cfg := leads.CachedInfo().Config
	cfg.Name, cfg.Subjects = "BARE", []string{"bare.v1.*.*"}
	if _, err := js.CreateStream(ctx, cfg); err != nil {
		return nil, fmt.Errorf("prepare bare publishes: %w", err)
	}
	return &publisher{js, sample}, nil
}

// publish waits for the acknowledgement of the n-th message.
func (p *publisher) publish(ctx context.Context, n int) error {
	msg := &nats.Msg{Subject: bareSubject, Header: maps.Clone(p.sample.Header), Data: p.sample.Data}
	msg.Header[jetstream.ExpectedStreamHeader] = []string{"BARE"}
	id := fmt.Sprintf("%0*d", len(p.sample.Header.Get(jetstream.MsgIDHeader)), n) // as long as the lead's
	if _, err := p.js.PublishMsg(ctx, msg, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// committer commits rows with nothing but a key.
type committer struct{ pool *pgxpool.Pool }

func newCommitter(ctx context.Context, d *deployment.Deployment) (*committer, error) {
	cfg, err := pgxpool.ParseConfig(d.PostgresDSN)
	if err != nil {
		return nil, fmt.Errorf("prepare commits: %w", err)
	}
	cfg.MaxConns = concurrent
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("prepare commits: %w", err)
	}
	if _, err := pool.Exec(ctx, "CREATE TABLE bare (key text PRIMARY KEY)"); err != nil {
		pool.Close()
		return nil, fmt.Errorf("prepare commits: %w", err)
	}
	return &committer{pool}, nil
}

func (c *committer) commit(ctx context.Context, n int) error {
	if _, err := c.pool.Exec(ctx, "INSERT INTO bare VALUES ($1)", "bench-"+strconv.Itoa(n)); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
