package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/admin"
)

func ok(context.Context) error { return nil }

func checks(parts map[string]admin.Check) *admin.Checks {
	c := new(admin.Checks)
	for part, check := range parts {
		c.Add(part, check)
	}
	return c
}

func get(t *testing.T, url string) (int, map[string]string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body map[string]string
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

func TestReadyz_IsReadyOnlyWhenEveryPartIs(t *testing.T) {
	for _, c := range []struct {
		name   string
		checks map[string]admin.Check
		status int
		body   map[string]string
	}{
		{"no part", nil, http.StatusOK, map[string]string{}},
		{"all ready", map[string]admin.Check{"a": ok, "b": ok}, http.StatusOK, map[string]string{"a": "ok", "b": "ok"}},
		{
			"one is not",
			map[string]admin.Check{"a": ok, "b": func(context.Context) error { return errors.New("3 events behind") }},
			http.StatusServiceUnavailable, map[string]string{"a": "ok", "b": "3 events behind"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(admin.Handler(checks(c.checks)))
			defer server.Close()
			status, body := get(t, server.URL+"/readyz")
			if diff := cmp.Diff(c.body, body); status != c.status || diff != "" {
				t.Errorf("status = %d, want %d; body %s", status, c.status, diff)
			}
			if status, _ := get(t, server.URL+"/healthz"); status != http.StatusOK {
				t.Errorf("healthz = %d, want 200 whatever the checks say", status)
			}
		})
	}
}

func TestReadyz_ChecksThatHang_AreCutOffWithinASecondAndNotAskedAgain(t *testing.T) {
	var asked atomic.Int32
	hang := make(chan struct{})
	defer close(hang)
	deaf := func(context.Context) error {
		asked.Add(1)
		<-hang
		return nil
	}
	server := httptest.NewServer(admin.Handler(checks(map[string]admin.Check{
		"deaf":  deaf,
		"slow":  func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"quick": ok,
	})))
	defer server.Close()
	for range 2 {
		began := time.Now()
		status, body := get(t, server.URL+"/readyz")
		if took := time.Since(began); took > 2*time.Second { // a second, and some for a busy machine
			t.Errorf("the answer took %s", took)
		}
		if status != http.StatusServiceUnavailable || body["deaf"] == "ok" || body["slow"] == "ok" || body["quick"] != "ok" {
			t.Errorf("status = %d, body = %v; want 503 because of two", status, body)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the check that hangs was asked %d times, want 1", n)
	}
}

func TestServe_EndsWithItsContext(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- admin.Serve(ctx, l, admin.Handler(checks(nil))) }()
	if status, _ := get(t, "http://"+l.Addr().String()+"/healthz"); status != http.StatusOK {
		t.Errorf("healthz = %d", status)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Serve = %v, want nil", err)
	}
}
