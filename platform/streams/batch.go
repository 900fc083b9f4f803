package streams

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"
)

// The headers of an atomic batch (NATS ADR-50), which the client library does not write. The broker answers the message that commits.
const (
	batchIDHeader     = "Nats-Batch-Id"
	batchSeqHeader    = "Nats-Batch-Sequence"
	batchCommitHeader = "Nats-Batch-Commit"
)

// noResponders is the status of a message that nobody listens for.
const noResponders = "503"

// errCodeDuplicate is the broker's when a message id of a batch is known already.
const errCodeDuplicate jetstream.ErrorCode = 10201

// Batch is an atomic batch on its way: its messages are stored all or none, one after the other, with one sync of the broker's file.
type Batch struct{ reply *nats.Subscription }

// SendBatch sends messages as one atomic batch, which needs a stream that allows it (AllowBatches), and does not wait for the
// answer. It adds headers to the messages. The caller must call Ack or Abandon.
func SendBatch(conn *nats.Conn, msgs ...*nats.Msg) (*Batch, error) {
	reply, err := conn.SubscribeSync(conn.NewInbox())
	if err != nil {
		return nil, fmt.Errorf("send a batch: %w", err)
	}
	b := &Batch{reply}
	id := ulid.Make().String()
	for i, msg := range msgs {
		msg.Header[batchIDHeader] = []string{id}
		msg.Header[batchSeqHeader] = []string{strconv.Itoa(i + 1)}
		if i == len(msgs)-1 {
			msg.Header[batchCommitHeader] = []string{"1"}
			msg.Reply = reply.Subject
		}
		if err := conn.PublishMsg(msg); err != nil {
			b.Abandon()
			return nil, fmt.Errorf("send a batch: %w", err)
		}
	}
	return b, nil
}

// Unbatch takes out of a message what SendBatch put in, so that it can be sent by itself.
func Unbatch(msg *nats.Msg) {
	msg.Reply = ""
	for _, name := range []string{batchIDHeader, batchSeqHeader, batchCommitHeader} {
		delete(msg.Header, name)
	}
}

// Ack waits for the broker to commit the batch; the sequence is that of its last message. A refusal is a *jetstream.APIError: nothing was
// stored. After any other error the batch may have been stored or not.
func (b *Batch) Ack(ctx context.Context) (*jetstream.PubAck, error) {
	defer b.Abandon()
	answer, err := b.reply.NextMsgWithContext(ctx)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("wait for a batch: %w", err)
	}
	if answer.Header.Get("Status") == noResponders {
		return nil, fmt.Errorf("wait for a batch: %w", nats.ErrNoResponders)
	}
	var ack struct {
		jetstream.PubAck
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(answer.Data, &ack); err != nil {
		return nil, errors.New("wait for a batch: the broker's answer is no acknowledgement")
	}
	if ack.Error != nil {
		return nil, fmt.Errorf("the broker refused a batch: %w", ack.Error)
	}
	return &ack.PubAck, nil
}

// Abandon stops waiting for the answer.
func (b *Batch) Abandon() { _ = b.reply.Unsubscribe() }

// PublishBatch sends an atomic batch and waits for its acknowledgement, as SendBatch and Ack do.
func PublishBatch(ctx context.Context, js jetstream.JetStream, msgs ...*nats.Msg) (*jetstream.PubAck, error) {
	b, err := SendBatch(js.Conn(), msgs...)
	if err != nil {
		return nil, err
	}
	return b.Ack(ctx)
}

// IsDuplicate says that a batch was refused because the message id of one of its messages is in the stream's duplicate window.
func IsDuplicate(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == errCodeDuplicate
}
