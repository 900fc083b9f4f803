package eventlog

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// readTogether is how many messages one decoder takes at a time.
const readTogether = 256

// Current reads the state of a tenant's stock from the stream. progress is told now and then, from the calling goroutine, how many of
// the messages have been read.
func (l *Log) Current(ctx context.Context, tenant string, progress func(done, total int64)) (*Stock, error) {
	d := stockDecoder{stock: &Stock{Vehicles: make(map[string]Last)}, rooftops: make(map[string]string)}
	messages := make(chan []jetstream.Msg)
	var decoders sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		decoders.Go(func() {
			for chunk := range messages {
				d.decode(chunk)
			}
		})
	}
	err := l.lastMessages(ctx, subject(tenant, "*"), messages, progress)
	close(messages)
	decoders.Wait()
	if err != nil {
		return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
	}
	return d.stock, nil
}

// lastMessages hands over the last message of each subject, many at a time.
func (l *Log) lastMessages(ctx context.Context, filter string, to chan<- []jetstream.Msg, progress func(done, total int64)) error {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{filter}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	})
	if err != nil {
		return err
	}
	total := int64(consumer.CachedInfo().NumPending)
	progress(0, total)
	if total == 0 {
		return nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	var done int64
	for chunk := make([]jetstream.Msg, 0, readTogether); ; chunk = make([]jetstream.Msg, 0, readTogether) {
		last := false
		for len(chunk) < readTogether && !last {
			msg, err := messages.Next(jetstream.NextContext(ctx))
			if err != nil {
				return err
			}
			meta, err := msg.Metadata()
			if err != nil {
				return err
			}
			chunk, last = append(chunk, msg), meta.NumPending == 0
		}
		to <- chunk
		done += int64(len(chunk))
		progress(done, total)
		if last {
			return nil
		}
	}
}
