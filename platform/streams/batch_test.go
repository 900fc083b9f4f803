package streams_test

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/streams"
)

// message has headers as "name", "value".
func message(subject, data string, headers ...string) *nats.Msg {
	msg := nats.NewMsg(subject)
	msg.Data = []byte(data)
	for i := 0; i < len(headers); i += 2 {
		msg.Header.Set(headers[i], headers[i+1])
	}
	return msg
}

func TestPublishBatch_AllOrNone(t *testing.T) {
	js := natstest.Start(t).JetStream()
	stream, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: "S", Subjects: []string{"s.>"}, Storage: jetstream.FileStorage, AllowAtomicPublish: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	ack, err := streams.PublishBatch(t.Context(), js,
		message("s.a", "1", jetstream.MsgIDHeader, "id-1"), message("s.b", "1", jetstream.ExpectedLastSubjSeqHeader, "0"))
	if err != nil || ack.Sequence != 2 || ack.Duplicate {
		t.Fatalf("ack = %+v, err = %v; want sequence 2", ack, err)
	}
	for _, test := range []struct {
		name string
		msgs []*nats.Msg
		is   func(error) bool
	}{
		{"a message id that is known", []*nats.Msg{
			message("s.a", "2", jetstream.MsgIDHeader, "id-1"), message("s.b", "2", jetstream.ExpectedLastSubjSeqHeader, "2"),
		}, streams.IsDuplicate},
		{"a message id that is known, and a sequence that is not the last", []*nats.Msg{
			message("s.a", "2", jetstream.MsgIDHeader, "id-1"), message("s.b", "2", jetstream.ExpectedLastSubjSeqHeader, "0"),
		}, streams.IsDuplicate},
		{"a sequence that is not the last", []*nats.Msg{
			message("s.a", "2", jetstream.MsgIDHeader, "id-2"), message("s.b", "2", jetstream.ExpectedLastSubjSeqHeader, "0"),
		}, streams.IsWrongLast},
		{"another stream", []*nats.Msg{
			message("s.a", "2", jetstream.ExpectedStreamHeader, "T"), message("s.b", "2"),
		}, func(err error) bool { return errors.As(err, new(*jetstream.APIError)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if ack, err := streams.PublishBatch(t.Context(), js, test.msgs...); !test.is(err) {
				t.Errorf("ack = %+v, err = %v", ack, err)
			}
			info, err := stream.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if info.State.Msgs != 2 {
				t.Errorf("messages = %d, want the 2 of before", info.State.Msgs)
			}
		})
	}
	// Nothing of a batch that was refused is remembered.
	if ack, err := js.PublishMsg(t.Context(), message("s.a", "3", jetstream.MsgIDHeader, "id-2")); err != nil || ack.Duplicate {
		t.Errorf("ack = %+v, err = %v; want a message of its own", ack, err)
	}
}

func TestPublishBatch_NobodyTakesIt_AnError(t *testing.T) {
	js := natstest.Start(t).JetStream()
	if ack, err := streams.PublishBatch(t.Context(), js, message("nobody", "1"), message("nobody", "2")); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("ack = %+v, err = %v; want no responders", ack, err)
	}
}
