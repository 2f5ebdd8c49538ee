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
	l, scheme, err := view.Listen(e)
	if err != nil {
		return nil, fmt.Errorf("health endpoint: %w", err)
	}
	handler, err := view.Admitted(e, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d := s.daemon.Load(); d != nil {
			d.Health().ServeHTTP(w, r)
			return
		}
		http.Error(w, "not started yet", http.StatusServiceUnavailable)
	}), s.log)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("health endpoint: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /health", handler)
	h := view.Server(mux, 10*time.Second)
	s.log.Info("health", "url", fmt.Sprintf("%s://%s/health", scheme, l.Addr()))
	go func() { _ = h.Serve(l) }() // ends with Close
	return h, nil
}
