package eventlog

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// decodeTogether is how many messages one decoder takes at a time.
const decodeTogether = 256

// Current reads the state of a tenant's stock from the stream. progress is told now and then, from the calling goroutine, how many of
// the messages have been read.
func (l *Log) Current(ctx context.Context, tenant string, progress func(done, total int64)) (*Stock, error) {
	d := stockDecoder{stock: &Stock{Vehicles: make(map[string]Last)}, rooftops: make(map[string]string)}
	if err := l.decodeLast(ctx, subject(tenant, "*"), d.decode, progress); err != nil {
		return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
	}
	if d.confirmationBroken {
		if err := l.restoreConfirmation(ctx, tenant, d.stock); err != nil {
			return nil, err
		}
	}
	return d.stock, nil
}

// decodeLast hands the last message of every subject to a decoder, on all processors.
func (l *Log) decodeLast(ctx context.Context, filter string, decode func([]Message), progress func(done, total int64)) error {
	var done, total int64
	chunks, chunk := make(chan []Message), make([]Message, 0, decodeTogether)
	var decoders sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		decoders.Go(func() {
			for chunk := range chunks {
				decode(chunk)
			}
		})
	}
	defer decoders.Wait()
	defer close(chunks)
	progress(0, 0)
	return l.each(ctx, filter, jetstream.DeliverLastPerSubjectPolicy, func(m Message) {
		done++
		total = max(total, done+int64(m.Waiting))
		if chunk = append(chunk, m); len(chunk) == decodeTogether || m.Waiting == 0 {
			chunks <- chunk
			chunk = make([]Message, 0, decodeTogether)
			progress(done, total)
		}
	})
}

// restoreConfirmation looks for the confirmation before one that cannot be read, as a replica does.
func (l *Log) restoreConfirmation(ctx context.Context, tenant string, stock *Stock) error {
	earlier, err := l.Confirmations(ctx, tenant)
	stock.Confirmed = Confirmation{}
	if len(earlier) > 0 {
		stock.Confirmed = earlier[len(earlier)-1].Confirmation
	}
	return err
}
