package mcpedge_test

import (
	"net"
	"net/http"
	"testing"
)

func TestR_ORIG_OnlyListedOriginsMayCall(t *testing.T) {
	w := newWorld(t)
	for origin, want := range map[string]int{
		"":                               200,
		"https://alpha.example":          200,
		"https://alpha.example:443":      200,
		"HTTPS://ALPHA.example":          200,
		"http://alpha.example":           403,
		"https://alpha.example:8443":     403,
		"https://alpha.example.evil":     403,
		"https://www.alpha.example":      403,
		"https://alpha.example@evil.com": 403,
		"https://evil.com/alpha.example": 403,
		"https://user@alpha.example":     403,
		"https://alpha.example/":         403,
		"https://alpha.example#":         403,
		"https://alpha.example?":         403,
		"https://alpha.example:":         403,
		"https://beta.example":           403,
		"null":                           403,
		"alpha.example":                  403,
		"://":                            403,
	} {
		t.Run(origin, func(t *testing.T) {
			if got := w.post("alpha", current("tools/list"), "Origin", origin); got.status != want {
				t.Errorf("status = %d, want %d", got.status, want)
			}
		})
	}
	t.Run("two, one of them foreign", func(t *testing.T) {
		if got := w.post("alpha", current("tools/list"), "Origin", "https://alpha.example", "Origin", "https://evil.com"); got.status != 403 {
			t.Errorf("status = %d, want 403", got.status)
		}
	})
	t.Run("listed by another tenant", func(t *testing.T) {
		if got := w.post("beta", current("tools/list"), "Origin", "https://alpha.example"); got.status != 403 {
			t.Errorf("status = %d, want 403", got.status)
		}
	})
}

func TestR_ORIG_PagesOfListedOriginsCanReadTheAnswer(t *testing.T) {
	w := newWorld(t)
	got := w.post("alpha", current("tools/list"), "Origin", "https://alpha.example")
	if got.header.Get("Access-Control-Allow-Origin") != "https://alpha.example" || got.header.Get("Vary") != "Origin" {
		t.Errorf("headers = %v", got.header)
	}
	if got := w.post("alpha", current("tools/list"), "Origin", "https://evil.com").header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("a foreign origin was allowed to read: %q", got)
	}
}

func TestR_ORIG_PreflightIsAnsweredForListedOriginsOnly(t *testing.T) {
	w := newWorld(t)
	for name, tc := range map[string]struct {
		tenant  string
		headers []string
		want    int
	}{
		"listed":            {"alpha", []string{"Origin", "https://alpha.example", "Access-Control-Request-Method", "POST"}, 204},
		"foreign":           {"alpha", []string{"Origin", "https://evil.com", "Access-Control-Request-Method", "POST"}, 405},
		"of another tenant": {"beta", []string{"Origin", "https://alpha.example", "Access-Control-Request-Method", "POST"}, 405},
		"unknown tenant":    {"nobody", []string{"Origin", "https://alpha.example", "Access-Control-Request-Method", "POST"}, 405},
		"no origin":         {"alpha", []string{"Access-Control-Request-Method", "POST"}, 405},
		"for DELETE":        {"alpha", []string{"Origin", "https://alpha.example", "Access-Control-Request-Method", "DELETE"}, 405},
		"no preflight":      {"alpha", []string{"Origin", "https://alpha.example"}, 405},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.get(http.MethodOptions, "/aap/v3.0/"+tc.tenant+"/mcp", tc.headers...)
			if got.status != tc.want || (got.header.Get("Access-Control-Allow-Methods") == "POST") != (tc.want == 204) {
				t.Errorf("status %d, headers %v", got.status, got.header)
			}
		})
	}
}

// A listener that only this machine can reach is what DNS rebinding is after.
func TestR_ORIG_LoopbackListenerRefusesForeignHosts(t *testing.T) {
	w := newWorld(t)
	server := w.listen()
	own := server.addr
	_, port, err := net.SplitHostPort(own)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		host, origin string
		want         int
	}{
		"own host":                          {own, "", 200},
		"own host and origin":               {own, "http://" + own, 200},
		"localhost":                         {"localhost:" + port, "http://localhost:" + port, 200},
		"IPv6 loopback":                     {"[::1]:" + port, "", 200},
		"host of a listed origin":           {"alpha.example", "", 200},
		"host and listed origin":            {"alpha.example", "https://alpha.example", 200},
		"foreign host":                      {"evil.example.com", "", 403},
		"foreign host and origin":           {"evil.example.com", "http://evil.example.com", 403},
		"foreign host that looks like ours": {"127.0.0.1.evil.example.com", "", 403},
		"foreign origin":                    {own, "http://evil.example.com", 403},
		"origin of another local port":      {own, "http://127.0.0.1:1", 403},
		"origin null":                       {own, "null", 403},
	} {
		t.Run(name, func(t *testing.T) {
			r := server.request(current("tools/list"))
			r.Host = tc.host
			if tc.origin != "" {
				r.Header.Set("Origin", tc.origin)
			}
			if got := server.do(r); got.status != tc.want {
				t.Errorf("status = %d, want %d", got.status, tc.want)
			}
		})
	}
}
