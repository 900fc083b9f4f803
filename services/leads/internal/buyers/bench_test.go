package buyers

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/leads/internal/domain"
)

// person gives both contacts, and a car by its VIN, which the inventory has found.
func person(i int) domain.Buyer {
	return domain.Buyer{
		Email: fmt.Sprintf("buyer-%d@mail.example", i), Phone: fmt.Sprintf("+1510%07d", i),
		Interest: domain.Interest[string]{VIN: fmt.Sprintf("4t1daack5s%07d", i), VehicleID: fmt.Sprintf("veh_%d", i)},
	}
}

// noted returns an index with as many leads as a window of hours has, one per buyer.
func noted(leads int, window time.Duration, end time.Time) *Index {
	x := New(nil, windowsOf("north", window), quiet)
	step := window / time.Duration(leads)
	for i := range leads {
		at := end.Add(-window + time.Duration(i)*step)
		x.Note("north", "public|a", person(i), newID(at), at)
	}
	return x
}

func BenchmarkFirst(b *testing.B) {
	const leads = 200_000
	end := time.Now()
	for _, window := range []time.Duration{24 * time.Hour, 168 * time.Hour} {
		x := noted(leads, window, end)
		b.Run(fmt.Sprintf("window=%s", window), func(b *testing.B) {
			i := 0
			for b.Loop() {
				x.First("north", "oauth|b", person(i*7919%(2*leads)), end) // every second one is new
				i++
			}
		})
	}
}

func BenchmarkNote(b *testing.B) {
	x := New(nil, windowsOf("north", 24*time.Hour), quiet)
	at := time.Now()
	for i := 0; b.Loop(); i++ {
		x.Note("north", "public|a", person(i), newID(at), at)
	}
}

// BenchmarkMemory reports what a lead of a full window costs.
func BenchmarkMemory(b *testing.B) {
	const leads = 500_000
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		x := noted(leads, 24*time.Hour, time.Now())
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(x)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/leads, "B/lead")
}

// BenchmarkRun reads leads of some kilobyte from a broker in the same process, as a replica does at its start.
func BenchmarkRun(b *testing.B) {
	const leads = 20_000
	js := natstest.Start(b).JetStream()
	_, events := stream(b, js, jetstream.FileStorage)
	at := time.Now()
	for i := range leads {
		l := lead{tenant: "north", caller: "public|a", id: newID(at), received: at, vehicleID: fmt.Sprintf("veh_%d", i)}
		l.request = request(fmt.Sprintf(`"email":"buyer-%d@mail.example","phone":"+1510%07d"},"vehicle_of_interest":{"vin":"4T1DAACK5S%07d"},`+
			`"message":"Is Saturday morning possible?"`, i, i, i))
		if _, err := js.PublishMsgAsync(message("lead.v1.north.submitted", l.data())); err != nil {
			b.Fatal(err)
		}
		if i%1000 == 999 {
			<-js.PublishAsyncComplete()
		}
	}
	b.ResetTimer()
	for b.Loop() {
		x := New(events, windowsOf("north", 24*time.Hour), quiet)
		ctx, stop := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() { ended <- x.Run(ctx) }()
		for x.Ready(ctx) != nil {
			<-time.After(100 * time.Microsecond)
		}
		stop()
		if err := <-ended; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*leads)/b.Elapsed().Seconds(), "leads/s")
}
