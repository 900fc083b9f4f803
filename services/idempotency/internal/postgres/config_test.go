package postgres

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConfig_HasBoundsAndAName_UnlessTheDSNSaysOtherwise(t *testing.T) {
	type bounds struct {
		Name, Statement, Lock string
		Connect               time.Duration
		Conns                 int32
	}
	for params, want := range map[string]bounds{
		"": {"forecourt-idempotency", "4500ms", "4s", 5 * time.Second, 16},
		"?application_name=a&statement_timeout=7s&lock_timeout=6s&connect_timeout=2&pool_max_conns=3": {"a", "7s", "6s", 2 * time.Second, 3},
		"?connect_timeout=60": {"forecourt-idempotency", "4500ms", "4s", 5 * time.Second, 16},
	} {
		cfg, err := poolConfig("postgres://u:p@localhost/d" + params)
		if err != nil {
			t.Fatal(err)
		}
		session := cfg.ConnConfig.RuntimeParams
		got := bounds{
			session["application_name"], session["statement_timeout"], session["lock_timeout"], cfg.ConnConfig.ConnectTimeout, cfg.MaxConns,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", params, diff)
		}
	}
}
