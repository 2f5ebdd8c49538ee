package view

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"qprism/cmd/cadence"
)

func admitted(t *testing.T, e cadence.Endpoint, log *slog.Logger) http.Handler {
	t.Helper()
	h, err := Admitted(e, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callerOf(r)
		_, _ = w.Write([]byte(c.name + map[bool]string{true: " by TLS"}[c.secured]))
	}), log)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestUsersAreReadAgainWhenTheirFileChanges: who is new is let in, who is gone is not, nor an old password;
// a file that cannot be read changes nothing, and the log says so.
func TestUsersAreReadAgainWhenTheirFileChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users")
	write := func(lines ...string) {
		text := ""
		for _, line := range lines {
			name, password, known := strings.Cut(line, " ")
			hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
			if err != nil {
				t.Fatal(err)
			}
			if text += name + ":"; known {
				text += string(hash) + "\n"
			}
		}
		next := file + ".new" // as htpasswd does not, but careful programs do
		if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, file); err != nil {
			t.Fatal(err)
		}
	}
	write("anna first", "ben his")
	var said strings.Builder
	users, err := openUsers(file, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	knows := func(name, password string) bool {
		users.asked = time.Time{} // a second has passed
		return users.now().know(name, password)
	}
	if !knows("anna", "first") || !knows("ben", "his") || knows("carl", "new") {
		t.Error("the first file")
	}
	write("anna second", "carl new")
	if knows("anna", "first") || !knows("anna", "second") || knows("ben", "his") || !knows("carl", "new") ||
		said.Len() > 0 {
		t.Error("the second file", said.String())
	}
	write("broken")
	if !knows("anna", "second") || !knows("carl", "new") || knows("broken", "") ||
		strings.Count(said.String(), "not reloaded") != 1 {
		t.Error("a broken file", said.String())
	}
	write("dora last")
	if knows("anna", "second") || !knows("dora", "last") {
		t.Error("the file is mended")
	}
}

// TestACookieIsSecureBehindAProxyThatEndsTLS: where the proxy says so in the header that the configuration
// names, and in no other case.
func TestACookieIsSecureBehindAProxyThatEndsTLS(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	proxied := cadence.Endpoint{TokenFile: token, UserHeader: "X-User", HTTPSHeader: "X-Forwarded-Proto"}
	for name, c := range map[string]struct {
		endpoint cadence.Endpoint
		said     []string
		want     string
	}{
		"over TLS":               {proxied, []string{"https"}, "anna by TLS"},
		"not over TLS":           {proxied, []string{"http"}, "anna"},
		"nothing is said":        {proxied, nil, "anna"},
		"two proxies":            {proxied, []string{"https", "http"}, "anna"},
		"a header not asked for": {cadence.Endpoint{TokenFile: token, UserHeader: "X-User"}, []string{"https"}, "anna"},
	} {
		r, w := httptest.NewRequest("GET", "http://127.0.0.1/", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", "Bearer 0123456789abcdef")
		r.Header.Set("X-User", "anna")
		for _, value := range c.said {
			r.Header.Add("X-Forwarded-Proto", value)
		}
		if admitted(t, c.endpoint, nil).ServeHTTP(w, r); w.Body.String() != c.want {
			t.Errorf("%s: %q", name, w.Body)
		}
		set := httptest.NewRecorder()
		request := r.WithContext(r.Context())
		h, err := Admitted(c.endpoint, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			(&acts{}).session(w, r)
		}), nil)
		if err != nil {
			t.Fatal(err)
		}
		h.ServeHTTP(set, request)
		if cookies := set.Result().Cookies(); len(cookies) != 1 || cookies[0].Secure != strings.HasSuffix(c.want, "TLS") {
			t.Errorf("%s: %v", name, cookies)
		}
	}
}
