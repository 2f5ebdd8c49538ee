package act

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"qprism/cmd/qprism/view"
)

func TestHealthAnswersOnlyToTheToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := view.WithToken(file, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]int{"Bearer 0123456789abcdef": 200, "": 401, "Bearer ": 401, "Bearer 0123456789abcdeF": 401,
		"0123456789abcdef": 401} {
		r, w := httptest.NewRequest(http.MethodGet, "/health", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", header)
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: %d", header, w.Code)
		}
	}
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := view.WithToken(file, nil); err == nil {
		t.Error("a short token is taken")
	}
	if _, err := view.WithToken(file+"x", nil); err == nil {
		t.Error("a lacking token is taken")
	}
}
