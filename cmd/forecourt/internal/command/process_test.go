package command_test

import (
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDemo_PrintsItsEndpointsThenReady_AndEndsWithZero(t *testing.T) {
	endpoints, b := demo(t)
	want := map[string]*regexp.Regexp{
		"mcp":   regexp.MustCompile(`^http://127\.0\.0\.1:[1-9]\d*/aap/v3\.0/demo-toyota/mcp$`),
		"admin": regexp.MustCompile(`^http://127\.0\.0\.1:[1-9]\d*$`),
		"nats":  regexp.MustCompile(`^nats://127\.0\.0\.1:[1-9]\d*$`),
		"data":  regexp.MustCompile(`^/`),
	}
	for name, pattern := range want {
		if !pattern.MatchString(endpoints[name]) {
			t.Errorf("%s = %q, want %s", name, endpoints[name], pattern)
		}
	}
	if len(endpoints) != len(want) {
		t.Errorf("endpoints = %v", endpoints)
	}
	if code := b.stop(); code != 0 {
		t.Errorf("exit code = %d, want 0; log:\n%s", code, b.log)
	}
}

func TestDemo_DataDirectoryInUse_IsRefused(t *testing.T) {
	endpoints, _ := demo(t)
	got := run(t, "", "demo", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0",
		"--data-dir", endpoints["data"])
	want := result{code: 1, err: "forecourt: data directory " + endpoints["data"] +
		" is in use by another process; stop it, or choose another with --data-dir\n"}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
		t.Error(diff)
	}
}

func TestServe_TakenAddress_NamesItsFlag(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, flag := range []string{"--listen", "--admin", "--nats-listen"} {
		t.Run(flag, func(t *testing.T) {
			args := []string{"serve", "--data-dir", t.TempDir()}
			for _, f := range []string{"--listen", "--admin", "--nats-listen"} {
				address := "127.0.0.1:0"
				if f == flag {
					address = taken.Addr().String()
				}
				args = append(args, f, address)
			}
			got := run(t, "", args...)
			if want := "forecourt: " + flag + " " + taken.Addr().String() + " is taken"; got.code != 1 || !strings.HasPrefix(got.err, want) {
				t.Errorf("code %d, %q; want 1 and %q…", got.code, got.err, want)
			}
		})
	}
}

func TestServe_EmptySetting_NamesItsFlag(t *testing.T) {
	for _, flag := range []string{"--listen", "--admin", "--nats-listen", "--data-dir"} {
		t.Run(flag, func(t *testing.T) {
			args := []string{"serve", "--data-dir", t.TempDir(), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", flag, ""}
			if got := run(t, "", args...); got.code != 1 || !strings.HasPrefix(got.err, "forecourt: "+flag) {
				t.Errorf("code %d, %q; want 1 and a sentence that begins with the flag", got.code, got.err)
			}
		})
	}
}

func TestServe_DataDirectoryThatCannotBe_IsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	got := run(t, "", "serve", "--listen", "127.0.0.1:0", "--data-dir", file)
	if got.code != 1 || !strings.Contains(got.err, file) {
		t.Errorf("code %d, %q; want 1 and a sentence about %s", got.code, got.err, file)
	}
}
