// Package admin serves an operator's view of a process: /healthz says that it runs, /readyz that it can do its work.
package admin

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"
)

// Check reports why a part cannot do its work; nil when it can.
type Check func(context.Context) error

// checkWithin bounds one readiness answer.
const checkWithin = 2 * time.Second

// Handler serves /healthz (200 while the process runs) and /readyz (200 when every check passes, else 503). Both answer a
// JSON object; that of /readyz has one member per check: "ok" or the reason.
func Handler(checks map[string]Check) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]string{"process": "ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), checkWithin)
		defer cancel()
		status, body := http.StatusOK, make(map[string]string, len(checks))
		for name, check := range checks {
			body[name] = "ok"
			if err := check(ctx); err != nil {
				status, body[name] = http.StatusServiceUnavailable, err.Error()
			}
		}
		write(w, status, body)
	})
	return mux
}

// Serve answers on the listener until ctx is done.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func write(w http.ResponseWriter, status int, body map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
