package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"forecourt.internal/platform/tenant"
)

// hostAllowed says whether Host may be what it is. On a loopback listener it must name the loopback or the host of an origin
// that the tenant lists: a foreign name that resolves to this machine is what DNS rebinding looks like. Behind a proxy on the same
// machine that passes Host on, list the public origin.
func (e *Endpoint) hostAllowed(r *http.Request, doc *tenant.Document) bool {
	host := hostname(r.Host)
	return !e.loopback || loopbackName(host) || listedHost(doc, host)
}

// originAllowed says whether the browser that sent the request may (R-ORIG). A request without Origin comes from no
// browser and is fine. An origin is allowed when the tenant lists it: same scheme, host and port. "null" never is: any page can
// be made to send it. On a loopback listener the server's own origin is allowed too.
func (e *Endpoint) originAllowed(r *http.Request, doc *tenant.Document) bool {
	own := e.loopback && loopbackName(hostname(r.Host))
	for _, origin := range r.Header["Origin"] {
		if !listed(doc, origin) && !(own && sameOrigin(origin, "http://"+r.Host)) {
			return false
		}
	}
	return true
}

func listed(doc *tenant.Document, origin string) bool {
	return slices.ContainsFunc(doc.Origins, func(allowed string) bool { return sameOrigin(origin, allowed) })
}

// listedHost says whether one of the tenant's origins is on the host.
func listedHost(doc *tenant.Document, host string) bool {
	return slices.ContainsFunc(doc.Origins, func(allowed string) bool {
		u, err := url.Parse(allowed)
		return err == nil && strings.EqualFold(u.Hostname(), host)
	})
}

func sameOrigin(a, b string) bool {
	normal := normalOrigin(a)
	return normal != "" && normal == normalOrigin(b)
}

// normalOrigin writes an origin in one way: lower case, the default port left out. It is "" for what is no origin.
func normalOrigin(origin string) string {
	u, err := url.Parse(origin)
	if err != nil || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || !strings.EqualFold(u.Scheme+"://"+u.Host, origin) {
		return "" // it has more than the three parts, even if empty
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port)
}

// hostname returns the host of a Host header, without port and brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

func loopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// preflight answers a browser that asks whether it may POST, and says whether it did. Without it no web page of an allowed
// origin could send JSON here.
func (e *Endpoint) preflight(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") != http.MethodPost {
		return false
	}
	doc, ok := e.tenants.Get(r.PathValue("tenant"))
	if !ok || r.Header.Get("Origin") == "" || !e.hostAllowed(r, doc) || !e.originAllowed(r, doc) {
		return false
	}
	h := w.Header()
	allowOrigin(h, r)
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	h.Set("Access-Control-Allow-Headers",
		"Accept, Content-Type, "+headerRevision+", "+headerMethod+", "+headerName+", "+headerCorrelation)
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// allowOrigin lets the page that sent the request, whose origin has been checked, read the response.
func allowOrigin(h http.Header, r *http.Request) {
	h.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", headerCorrelation)
	}
}
