package contract

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"
)

func TestIsPlainURL(t *testing.T) {
	for text, want := range map[string]bool{
		"https://photos.example.com/a-b_c/1.jpg": true, "http://x": true, "https://x/?a=b&c=~d": true, "http://x/": true,
		"https://x:8080/": false, "https://[::1]/": false, "https://u@x/": false, "https://x/a%20b": false, "https://x/a b": false,
		"https://x/?a?b": false, "https://x?a": false, "https://": false, "https:///a": false, "ftp://x/": false, "HTTPS://x/": false, "https://é/": false, "": false,
	} {
		if got := IsPlainURL(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// TestIsPlainURL_IsAURLToTheSchemas has what IsPlainURL takes be valid to the grammar and to the schema library.
func TestIsPlainURL_IsAURLToTheSchemas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`https?://[a-zA-Z0-9.:@%[-]{1,8}[/?=&a-z0-9~_.%#-]{0,8}`).Draw(t, "text")
		if !IsPlainURL(text) {
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !u.IsAbs() {
			t.Errorf("%q: %v, %v", text, u, err)
		}
	})
}
