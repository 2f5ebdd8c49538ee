package view

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// How often the store is asked for new snapshots, and how long a stream may be without a word.
const (
	lookEvery      = 3 * time.Second
	keepAliveEvery = 30 * time.Second
)

// mostStreams limits the pages that wait for new snapshots at the same time. Other pages see new snapshots when
// they are loaded again.
const mostStreams = 64

// events reports new snapshots to the page as server-sent events. Each names a cluster's last moment.
func (s *Site) events(w http.ResponseWriter, r *http.Request) {
	defer s.streams.Add(-1)
	if s.streams.Add(1) > mostStreams || s.bundles != nil {
		w.WriteHeader(http.StatusNoContent) // the browser does not ask again
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	known, out := map[string]string{}, http.NewResponseController(w)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for spoke := time.Now(); ; {
		said, err := s.newSnapshots(w, r, known)
		switch {
		case err != nil:
			return
		case said:
			spoke = time.Now()
		case time.Since(spoke) >= keepAliveEvery:
			spoke = time.Now()
			fmt.Fprint(w, ": still here\n\n")
		}
		_ = out.SetWriteDeadline(time.Now().Add(Patience))
		if out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-look.C:
		}
	}
}

// A newest has the last moment of each cluster in the store, for all waiting pages.
type newest struct {
	sync.Mutex
	asked time.Time
	list  []Cluster
}

// lasts returns the clusters with their last moments. The store lists all snapshots, so one call serves many
// pages.
func (s *Site) lasts(ctx context.Context) ([]Cluster, error) {
	n := &s.newest
	n.Lock()
	defer n.Unlock()
	if time.Since(n.asked) < lookEvery/2 {
		return n.list, nil
	}
	list, err := s.Clusters(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		c := &list[i]
		c.Moments = slices.Clone(c.Moments[len(c.Moments)-1:])
	}
	n.asked, n.list = time.Now(), list
	return list, nil
}

// newSnapshots names the last moments of clusters that are not the known ones.
func (s *Site) newSnapshots(w http.ResponseWriter, r *http.Request, known map[string]string) (said bool, err error) {
	list, err := s.lasts(r.Context())
	if err != nil {
		return false, err
	}
	first := len(known) == 0
	for i := range list {
		c := &list[i]
		last := c.Moments[0].ID
		if known[c.Name] == last {
			continue
		}
		known[c.Name] = last
		if !first {
			said = true
			name, _ := json.Marshal(c.Name) // a text always has a form
			fmt.Fprintf(w, "data: %s\n\n", name)
		}
	}
	if first {
		fmt.Fprint(w, "retry: 10000\n: hello\n\n")
	}
	return said, nil
}
