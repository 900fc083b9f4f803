package command_test

import (
	"regexp"
	"strings"
	"testing"
)

func TestUsage_WrongCommandLine_EndsWithTwo(t *testing.T) {
	for name, args := range map[string][]string{
		"no command":          {},
		"unknown command":     {"sell"},
		"no sub-command":      {"tenant"},
		"unknown sub-command": {"tenant", "sell"},
		"unknown flag":        {"demo", "--fast"},
		"missing flag":        {"leads", "get", "lead_x"},
		"missing argument":    {"tenant", "apply"},
		"too many arguments":  {"tenant", "get", "a", "b"},
		"arguments no object": {"call", "aap_inventory_search", "[]"},
		"arguments no JSON":   {"call", "aap_inventory_search", "{"},
		"empty tenant":        {"leads", "tail", "--tenant", ""},
		"url without scheme":  {"call", "aap_inventory_search", "--url", "harbor-motors"},
		"arguments null":      {"call", "aap_inventory_search", "null"},
		"unknown dialect":     {"inventory", "import", "--tenant", "t", "--dialect", "csv", "-"},
		"allowed for nothing": {"inventory", "import", "--tenant", "t", "--allow-empty", "-"},
		"rooftop of whom":     {"inventory", "watch", "--rooftop", "North", "."},
		"negative time":       {"inventory", "watch", "--settle", "-1s", "."},
		"too many vehicles":   {"inventory", "generate", "--count", "2000000000"},
		"no count":            {"inventory", "generate"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", args...)
			lines := strings.Split(strings.TrimSuffix(got.err, "\n"), "\n")
			if got.code != 2 || got.out != "" || len(lines) != 2 || !strings.HasPrefix(lines[1], "Run 'forecourt") {
				t.Errorf("code %d, out %q, err %q; want 2, nothing, and one sentence with where to get help", got.code, got.out, got.err)
			}
		})
	}
}

func TestUsage_UnknownDialect_ListsThoseThereAre(t *testing.T) {
	want := `forecourt: there is no dialect "csv"; use "provider-csv", "google-vehicle-listings", "meta-automotive" or "aap-json", ` +
		"or leave --dialect out to have it recognised\n"
	if got := run(t, "", "inventory", "watch", "--dialect", "csv", "."); !strings.HasPrefix(got.err, want) {
		t.Errorf("err = %q, want %q", got.err, want)
	}
}

func TestUsage_Help_EndsWithZero(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"tenant", "--help"}, {"demo", "--help"}} {
		if got := run(t, "", args...); got.code != 0 || got.out == "" || got.err != "" {
			t.Errorf("%v: code %d, err %q", args, got.code, got.err)
		}
	}
}

func TestVersion_SaysWhatItSpeaks(t *testing.T) {
	want := regexp.MustCompile(`^forecourt 0\.1\.0( \([0-9a-f]+\))?, AAP 3\.0\.0, MCP 2026-07-28 and 2025-11-25, go\S+\n$`)
	for _, word := range []string{"version", "--version"} {
		if got := run(t, "", word); got.code != 0 || !want.MatchString(got.out) {
			t.Errorf("%s: code %d, %q; want %s", word, got.code, got.out, want)
		}
	}
}

func TestSystemThatDoesNotRun_IsOneSentence(t *testing.T) {
	for name, args := range map[string][]string{
		"tenant":    {"tenant", "list", "--nats-url", "nats://127.0.0.1:1"},
		"inventory": {"inventory", "import", "--tenant", "t", "-", "--nats-url", "nats://127.0.0.1:1"},
		"export":    {"inventory", "export", "--tenant", "t", "--nats-url", "nats://127.0.0.1:1"},
		"watch":     {"inventory", "watch", ".", "--nats-url", "nats://127.0.0.1:1"},
		"leads":     {"leads", "tail", "--nats-url", "nats://127.0.0.1:1"},
		"call":      {"call", "aap_dealer_information", "--url", "http://127.0.0.1:1/mcp"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", args...)
			if got.code != 1 || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "127.0.0.1:1") {
				t.Errorf("code %d, %q; want 1 and one sentence that names the address", got.code, got.err)
			}
		})
	}
}
