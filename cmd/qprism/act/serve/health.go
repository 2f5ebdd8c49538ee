package serve

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/view"
)

func (s *server) listen(e cadence.Endpoint) (io.Closer, error) {
	if e.Address == "" {
		return io.NopCloser(nil), nil
	}
	handler, err := view.Admitted(e, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d := s.daemon.Load(); d != nil {
			d.Health().ServeHTTP(w, r)
			return
		}
		http.Error(w, "not started yet", http.StatusServiceUnavailable)
	}), s.log)
	if err != nil {
		return nil, fmt.Errorf("health endpoint: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /health", handler)
	h := view.Server(mux, 10*time.Second)
	if err := s.answer(e, h, "health", "/health"); err != nil {
		return nil, fmt.Errorf("health endpoint: %w", err)
	}
	return h, nil
}

// answer listens, prints the address, and answers until the server is closed.
func (s *server) answer(e cadence.Endpoint, h *http.Server, name, path string) error {
	l, scheme, err := view.Listen(e)
	if err != nil {
		return err
	}
	s.log.Info(name, "url", fmt.Sprintf("%s://%s%s", scheme, l.Addr(), path))
	go func() { _ = h.Serve(l) }() // ends with Close
	return nil
}
