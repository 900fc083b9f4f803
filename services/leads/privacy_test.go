package leads_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"forecourt.internal/contract"
)

// Every text that a customer or their agent chooses is a canary here, on every path that logs, refuses or keeps something.
func TestNoCustomerValue_InLogsRowsAndErrors(t *testing.T) {
	w := newBroker(t)
	w.start(diesBefore("Complete", "Release"))
	canaries := map[string]any{
		"customer": map[string]any{"first_name": "canary-first", "last_name": "canary-last", "email": "canary@mail.example",
			"address": map[string]any{"street": "canary-street"}},
		"consent":             w.consent(map[string]any{"consent_text": "canary-consent"}),
		"source_agent":        map[string]any{"name": "canary-agent"},
		"idempotency_key":     "canary-key",
		"message":             "canary-message",
		"vehicle_of_interest": map[string]any{"stock": "canary-stock", "notes": "canary-notes"},
		"appointment":         map[string]any{"appointment_type": "sales", "notes": "canary-appointment"},
	}
	var told []string
	submit := func(change map[string]any) {
		t.Helper()
		request := map[string]any{}
		for name, v := range canaries {
			request[name] = v
		}
		resp, err := w.submitAs(t.Context(), dealership, "public|canary-agent", w.request(with(request, change)))
		told = append(told, string(resp.GetResponse()))
		if err != nil {
			told = append(told, err.Error())
			var fault *contract.Error
			if errors.As(err, &fault) {
				told = append(told, string(fault.Payload("err_1", w.clock.Now())))
			}
		}
	}
	refused := map[string]any{"idempotency_key": "canary-refused", "trade_in": map[string]any{"condition": "canary-condition"}}
	submit(nil)
	submit(refused)
	w.revive()
	submit(nil) // resumed
	submit(map[string]any{"message": "canary-other"})
	submit(refused)
	w.inventory.fails(errDown)
	submit(map[string]any{"idempotency_key": "canary-2"})
	submit(map[string]any{"idempotency_key": "canary-3", "appointment": testDrive})
	submit(map[string]any{"idempotency_key": "canary-4", "extra": json.RawMessage(`["canary", 1e999]`)})
	w.js.Conn().Close() // the store of claims and the log are both away
	submit(map[string]any{"idempotency_key": "canary-5"})
	w.restart()

	kept := w.rows()
	for where, texts := range map[string][]string{"log": {w.logs.String()}, "idempotency row": kept, "answer": told} {
		for _, text := range texts {
			if i := strings.Index(text, "canary"); i >= 0 {
				t.Errorf("the %s holds a customer's value: %.200s", where, text[max(0, i-100):])
			}
		}
	}
	if !strings.Contains(w.logs.String(), "lead attempt failed") || len(kept) < 4 {
		t.Errorf("the paths that could leak were not taken: %d rows, log:\n%s", len(kept)/2, w.logs)
	}
}

// rows returns every key and value of the idempotency bucket.
func (w *world) rows() []string {
	w.t.Helper()
	bucket, err := w.js.KeyValue(w.t.Context(), "IDEMPOTENCY")
	w.must(err)
	watcher, err := bucket.WatchAll(w.t.Context())
	w.must(err)
	defer watcher.Stop()
	var found []string
	for entry := range watcher.Updates() {
		if entry == nil {
			break
		}
		found = append(found, entry.Key(), string(entry.Value()))
	}
	return found
}
