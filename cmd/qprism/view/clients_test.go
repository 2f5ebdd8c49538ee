package view

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var clientsFor = flag.Duration("view.for", 0, "how long two hundred clients ask at once; else each asks "+
	"everything once")

// asks are what the page asks for when it is opened, and led through.
var asks = []string{"/", "/assets/page.js", "/assets/page.css", "/api/v1/clusters", "/api/v1/queue",
	"/api/v1/audit", "/api/v1/lint",
	"/api/v1/shares", "/api/v1/plan", "/api/v1/forecast.svg", "/api/v1/why?job=5", "/api/v1/explain?job=5",
	"/api/v1/compare?a=4&b=5"}

// TestTwoHundredClientsAreAnswered has two hundred clients, each with connections of its own, look at one
// page at the same time.
func TestTwoHundredClientsAreAnswered(t *testing.T) {
	const clients = 200
	server := httptest.NewServer(Guarded(true, siteOfBundles(t, starved+"start")))
	defer server.Close()
	begun := time.Now()
	var answered, bytes atomic.Int64
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}, Timeout: Patience}
			defer client.CloseIdleConnections()
			for first := true; first || time.Since(begun) < *clientsFor; first = false {
				for i := range asks {
					got, err := ask(client, server.URL+asks[(i+n)%len(asks)])
					if err != nil {
						t.Error(err)
						return
					}
					answered.Add(1)
					bytes.Add(got)
				}
			}
		})
	}
	all.Wait()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d answers, %d MB in %.1f s; the heap has %d MB, %d MB were asked of the system",
		answered.Load(), bytes.Load()>>20,
		time.Since(begun).Seconds(), m.HeapAlloc>>20, m.Sys>>20)
	if least := int64(clients * len(asks)); answered.Load() < least {
		t.Errorf("%d answers, of at least %d", answered.Load(), least)
	}
}

// ask reads an answer whole.
func ask(client *http.Client, address string) (int64, error) {
	r, err := client.Get(address)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	n, err := io.Copy(io.Discard, r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", address, r.Status)
	}
	return n, err
}
