package eventlog

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

const (
	// Stream is the stream of inventory events.
	Stream = "INVENTORY"
	// keptPerVehicle is how many events of one vehicle the stream keeps; the last one is its state.
	keptPerVehicle = 32
)

// Log is the opened stream. It is safe for concurrent use.
type Log struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	// batches says that the stream takes atomic batches.
	batches bool
}

// Open opens the stream, creating it when absent; one that is there stays as its operator has configured it, but for atomic batches,
// which it is made to take where the broker has them.
func Open(ctx context.Context, js jetstream.JetStream) (*Log, error) {
	stream, err := streams.Open(ctx, js, jetstream.StreamConfig{
		Name:               Stream,
		Description:        "State of every vehicle: inventory.v1.<tenant>.<vehicle_id>",
		Subjects:           []string{subjectPrefix + "*.*"},
		Storage:            jetstream.FileStorage,
		Retention:          jetstream.LimitsPolicy,
		MaxMsgsPerSubject:  keptPerVehicle,
		AllowDirect:        true,
		AllowAtomicPublish: true,
	})
	if err != nil {
		return nil, err
	}
	stream, batches := streams.AllowBatches(ctx, js, stream)
	return &Log{js: js, stream: stream, batches: batches}, nil
}

// createWithin bounds the creation of a consumer. For one of last messages the broker looks up every subject first, which takes seconds
// when there are millions.
const createWithin = 2 * time.Minute

// consumer prepares to read the messages under a subject filter in the order of the stream.
func (l *Log) consumer(ctx context.Context, filter string, from jetstream.DeliverPolicy) (jetstream.Consumer, error) {
	ctx, stop := context.WithTimeout(ctx, createWithin)
	defer stop()
	return l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}, DeliverPolicy: from})
}

// Connected says whether the connection to the broker is up.
func (l *Log) Connected() bool { return l.js.Conn().IsConnected() }
