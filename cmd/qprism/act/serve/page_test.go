package serve

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/subject"
)

// TestServeShowsThePageOfItsStore asks for the queue of a stored snapshot, and for figures of it and of tasks.
func TestServeShowsThePageOfItsStore(t *testing.T) {
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "q.db")}
	store, err := subject.MakeStore(d)
	if err != nil {
		t.Fatal(err)
	}
	const bundle = "../../../../fixtures/gridengine/starvation-8.1.9.tar.gz/without/start"
	if _, err := keep.KeepBundle(t.Context(), store, keep.ImportOptions{}, bundle, "test"); err != nil {
		t.Fatal(err)
	}
	store.Close()
	var log bytes.Buffer
	s := &server{Deps: d, log: NewLog(&log, "text")}
	done := cadence.Task{Name: "capture", Do: nil}
	s.daemon.Store(cadence.New([]cadence.Group{{Name: "bonn", Tasks: []cadence.Task{done}}}, 0, s.log, nil))
	page, err := s.showPage(&cadence.Config{Page: cadence.Endpoint{Address: "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	address := regexp.MustCompile(`http://[0-9.:]+/`).FindString(log.String())
	for path, want := range map[string]string{"": "<title>qprism</title>", "api/v1/queue": `"too few slots together"`,
		"api/v1/clusters": `"cluster":"qmaster/default"`,
		"metrics":         `qprism_task_runs_total{cluster="bonn",task="capture"} 0`} {
		if text := fetched(t, address+path); !strings.Contains(text, want) {
			t.Errorf("%s does not hold %s: %.300s", path, want, text)
		}
	}
}

func fetched(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(address, answer.StatusCode, err)
	}
	return string(text)
}
