// Package admin serves an operator's view of a process: /healthz says that it runs, /readyz that it can do its work.
package admin

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"
)

// Handler serves /healthz (200 while the process runs) and /readyz (200 when every check passes, else 503). Both answer a
// JSON object, within a second; that of /readyz has one member per check: "ok" or the reason.
func Handler(checks *Checks) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]string{"process": "ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		status, body := http.StatusOK, make(map[string]string)
		for part, err := range checks.Run(r.Context()) {
			body[part] = "ok"
			if err != nil {
				status, body[part] = http.StatusServiceUnavailable, err.Error()
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
