package view

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy lets the page load nothing but its own files: no script, style or frame in a text can do anything.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src " +
	"'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// picturePolicy is the content policy of a picture, which has its styles inside.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

// most limits the requests that are served or wait at the same time. Others must come back later.
const most = 256

// changing is the path of requests that change something.
const changing = "/api/v1/acts/"

// Guarded refuses three kinds of requests: changes that the page does not offer, requests that other sites
// cause, and too many requests at once.
func Guarded(local bool, next http.Handler) http.Handler {
	room, origins := make(chan struct{}, most), http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		changes := r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, changing)
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !changes:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "this page is read-only", http.StatusMethodNotAllowed)
			return
		case local && !localName(r.Host): // a name of elsewhere that was made to lead here
			http.Error(w, "open it as localhost or by its address", http.StatusMisdirectedRequest)
			return
		case foreign(r) || origins.Check(r) != nil: // for a change, even a link from another site is refused
			http.Error(w, "the request came from another site", http.StatusForbidden)
			return
		}
		select {
		case room <- struct{}{}:
			defer func() { <-room }()
			next.ServeHTTP(w, r)
		default:
			h.Set("Retry-After", "1")
			http.Error(w, "too many requests at once", http.StatusServiceUnavailable)
		}
	})
}

// localName reports whether a request names this machine by its own names.
func localName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// foreign reports whether a page of another site made the browser ask, unless somebody followed a link from there.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}
