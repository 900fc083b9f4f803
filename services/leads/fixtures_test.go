package leads_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// request returns a lead.submit.request with a change of some members; a nil value takes a member out.
func (w *world) request(change map[string]any) []byte {
	w.t.Helper()
	members := map[string]any{
		"type":            "lead.submit.request",
		"customer":        map[string]any{"first_name": "Ines", "last_name": "Okafor", "email": "ines@mail.example"},
		"source_agent":    map[string]any{"name": "harbor-shopper"},
		"idempotency_key": "k-1",
		"consent":         w.consent(nil),
	}
	return encode(w.t, with(members, change))
}

func (w *world) consent(change map[string]any) map[string]any {
	return with(map[string]any{
		"granted_at": "2026-01-02T03:04:05Z", "allowed_channels": []string{"email"},
		"consent_text": "You may mail me.", "scope": []string{"lead_submission"},
	}, change)
}

func with(members, change map[string]any) map[string]any {
	maps.Copy(members, change)
	maps.DeleteFunc(members, func(_ string, v any) bool { return v == nil })
	return members
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// clock is the real one, set forward: ids made by it lie near the times at which the broker stores.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// inventory is the other side of the network: by default every vehicle is listed, at the rooftop South.
type inventory struct {
	inventoryv1.UnimplementedInventoryServiceServer
	mu     sync.Mutex
	answer func(context.Context, *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error)
}

func (i *inventory) answers(f func(context.Context, *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.answer = f
}

// fails makes every look-up end with the error.
func (i *inventory) fails(err error) {
	i.answers(func(context.Context, *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		return nil, err
	})
}

func (i *inventory) GetVehicle(ctx context.Context, req *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
	i.mu.Lock()
	answer := i.answer
	i.mu.Unlock()
	if answer != nil {
		return answer(ctx, req)
	}
	return &inventoryv1.GetVehicleResponse{Rooftop: "South"}, nil
}

// logs keeps everything that is logged.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// line returns the first line with a text; "" when there is none.
func (l *logs) line(text string) string {
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
