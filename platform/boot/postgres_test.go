package boot_test

import (
	"strings"
	"testing"

	"forecourt.internal/platform/boot"
)

func TestPostgresDSN_ReadOrRefused_NeverRepeated(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://user:secret@db.example:6543/keys?sslmode=disable": "postgres://db.example:6543/keys",
		"host=127.0.0.1 port=5432 user=u password=secret dbname=keys": "postgres://127.0.0.1:5432/keys",
		"postgres://user:secret@[::1]:5432/keys":                      "postgres://[::1]:5432/keys",
		"secret":                                                      "",
		"postgres://user:secret@host:port":                            "",
	} {
		var dsn boot.PostgresDSN
		err := dsn.UnmarshalText([]byte(text))
		if (err != nil) != (want == "") || dsn.Redacted() != want && want != "" {
			t.Errorf("%s: %q, err = %v; want %q", text, dsn.Redacted(), err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error repeats a secret: %v", err)
		}
	}
}
