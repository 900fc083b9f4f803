package projection

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/index"
)

// replayed is how many listings of some 700 bytes a replica reads in a round, of 20 dealerships.
const replayed = 20_000

// BenchmarkReplay compares the start of a replica with the rate at which a consumer gets the same messages and does nothing. The broker
// is in the same process.
func BenchmarkReplay(b *testing.B) {
	js := natstest.Start(b).JetStream()
	events, err := eventlog.Open(b.Context(), js)
	if err != nil {
		b.Fatal(err)
	}
	fill(b, js)
	check, err := contract.NewValidator()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("bare consumer", func(b *testing.B) {
		for b.Loop() {
			consume(b, js)
		}
		report(b)
	})
	b.Run("projection", func(b *testing.B) {
		for b.Loop() {
			p := New(events, new(index.Index), check, quiet)
			ctx, stop := context.WithCancel(b.Context())
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx) }()
			for !p.caughtUp.Load() {
				<-time.After(100 * time.Microsecond)
			}
			stop()
			if err := <-ended; err != nil {
				b.Fatal(err)
			}
		}
		report(b)
	})
}

func report(b *testing.B) {
	b.ReportMetric(float64(b.N*replayed)/b.Elapsed().Seconds(), "events/s")
}

func fill(b *testing.B, js jetstream.JetStream) {
	for i := range replayed {
		id, tenant := fmt.Sprintf("v%06d", i), fmt.Sprintf("tenant-%d", i%20)
		msg := event.Event{
			ID: "01JT3F6Q5X" + id, Type: "forecourt.inventory.vehicle.listed.v1", Source: "/forecourt/inventory", Subject: id,
			Time: time.Now(), DataSchema: contract.SchemaBaseURL + "event-inventory-vehicle.schema.json", CorrelationID: "c1",
			Data: fmt.Appendf(nil, `{"vehicle_id":%q,"observed_at":"2026-04-30T08:41:00Z","source":"feed:provider","tenant":%q,"vehicle":%s}`,
				id, tenant, car(id, i)),
		}.Msg("inventory.v1." + tenant + "." + id)
		if _, err := js.PublishMsgAsync(msg); err != nil {
			b.Fatal(err)
		}
		if i%1000 == 999 {
			<-js.PublishAsyncComplete()
		}
	}
}

func car(id string, i int) string {
	return fmt.Sprintf(`{"vehicle_id":%q,"vin":"4T1DAACK5S%07d","stock":"T%d","rooftop":"Oakland","body":"Sedan","year":%d,"make":"Toyota",`+
		`"model":"Camry","trim":"XSE","condition":"new","status":"available","msrp":35200,"list_price":%d,"mileage":%d,`+
		`"transmission":"8-speed automatic","driveline":"FWD","engine":"2.5L I4 hybrid","fuel":"Hybrid","exterior_color":"Ocean Gem",`+
		`"features":["Adaptive cruise control","Heated front seats","Panoramic roof"],`+
		`"photos":["https://img.demo-toyota.example/%[3]d/1.jpg","https://img.demo-toyota.example/%[3]d/2.jpg"],`+
		`"description":"New Camry XSE in dealer stock, ready to drive.\nHeated seats and 44 mpg in the city.",`+
		`"updated_at":"2026-04-30T08:42:00Z"}`, id, i, i, 2015+i%11, 20000+i%300*50, i%90000)
}

func consume(b *testing.B, js jetstream.JetStream) {
	consumer, err := js.OrderedConsumer(b.Context(), eventlog.Stream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{"inventory.v1.*.*"}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	})
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		if meta, err := msg.Metadata(); err == nil && meta.NumPending == 0 {
			close(done)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	<-done
	consuming.Stop()
}
