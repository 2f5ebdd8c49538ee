package serve

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/view"
)

func TestHealthAnswersOnlyToTheToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	yes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	h, err := view.Admitted(cadence.Endpoint{TokenFile: file}, yes, nil)
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]int{"Bearer 0123456789abcdef": 200, "": 401, "Bearer ": 401,
		"Bearer 0123456789abcdeF": 401,
		"0123456789abcdef":        401} {
		r, w := httptest.NewRequest(http.MethodGet, "/health", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", header)
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: %d", header, w.Code)
		}
	}
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := view.Admitted(cadence.Endpoint{TokenFile: file}, nil, nil); err == nil {
		t.Error("a short token is taken")
	}
	if _, err := view.Admitted(cadence.Endpoint{TokenFile: file + "x"}, nil, nil); err == nil {
		t.Error("a lacking token is taken")
	}
}

// TestStoresOfOneFolderAreServedApart: the lock of serve is a store's.
func TestStoresOfOneFolderAreServedApart(t *testing.T) {
	dir := t.TempDir()
	serving := func(store string) error {
		s := &server{Deps: &cli.Deps{Store: filepath.Join(dir, store), StoreGiven: true}}
		unlock, err := s.alone(&cadence.Config{})
		if err == nil {
			t.Cleanup(func() { _ = unlock() })
		}
		return err
	}
	if err := errors.Join(serving("a.db"), serving("b.db")); err != nil {
		t.Error(err)
	}
	if err := serving("a.db"); err == nil || !strings.Contains(err.Error(), "another qprism serve uses the store") {
		t.Error(err)
	}
}
