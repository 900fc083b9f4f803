package idemkey_test

import (
	"regexp"
	"strings"
	"testing"

	"forecourt.internal/platform/idemkey"
)

func TestDigest_TellsEveryPartApart(t *testing.T) {
	seen := make(map[idemkey.Digest]idemkey.Key)
	for _, k := range []idemkey.Key{
		{}, {Tenant: "a"}, {Caller: "a"}, {Skill: "a"}, {Key: "a"},
		{Tenant: "ab"}, {Tenant: "a", Caller: "b"}, {Caller: "ab"}, {Caller: "a|b", Skill: "c"}, {Caller: "a", Skill: "b|c"},
		{Tenant: "\x00", Caller: ""}, {Tenant: "", Caller: "\x00"}, {Skill: "a", Key: "b"}, {Skill: "b", Key: "a"},
	} {
		if other, again := seen[k.Digest()]; again {
			t.Errorf("%#v and %#v share a digest", k, other)
		}
		seen[k.Digest()] = k
	}
}

// The digest is in stored rows, message ids and lead ids: it must not change between releases.
func TestDigest_StaysTheSame(t *testing.T) {
	got := idemkey.Key{Tenant: "demo-toyota", Caller: "public|harbor-shopper", Skill: "lead.submit", Key: "k-1"}.Digest().String()
	if want := "F4EFSOFQAY3D3K4J6W3B5I6MPCUQOSID6EIWIWZR2GWRVHNFZTAA"; got != want {
		t.Errorf("digest = %s, want %s", got, want)
	}
	if !regexp.MustCompile(`^[A-Z2-7]{52}$`).MatchString(got) {
		t.Errorf("digest %q is not a subject token", got)
	}
}

func TestParseDigest_ReadsWhatStringWrote(t *testing.T) {
	want := idemkey.Key{Tenant: "demo-toyota", Key: "k-1"}.Digest()
	got, err := idemkey.ParseDigest(want.String())
	if err != nil || got != want {
		t.Errorf("digest = %v, err = %v; want %v", got, err, want)
	}
	for _, text := range []string{"", "F4EFSOFQ", want.String() + "A", "1" + want.String()[1:], strings.ToLower(want.String())} {
		if _, err := idemkey.ParseDigest(text); err == nil {
			t.Errorf("%q was read as a digest", text)
		}
	}
}
