package view

import (
	"bufio"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/importer"
)

// TestTheSummaryIsThatOfTheQueue holds the first jobs and the waits against the whole queue.
func TestTheSummaryIsThatOfTheQueue(t *testing.T) {
	for _, recording := range seen {
		h := siteOfBundles(t, "../../../fixtures/"+recording.bundles[1])
		var short summary
		var whole queueList
		for address, to := range map[string]any{"summary": &short, "queue": &whole} {
			if err := json.Unmarshal(get(h, "/api/v1/"+address).Body.Bytes(), to); err != nil {
				t.Fatal(err)
			}
		}
		var waits []float64
		next := 0
		for _, row := range whole.Rows {
			place := row[columnPlace].(float64)
			if place == 0 {
				continue
			}
			if next < mostNext && !slices.Equal(short.Rows[next], row) {
				t.Errorf("%s: the next job is %v, the queue has %v", recording.name, short.Rows[next], row)
			}
			next++
			at, err := time.Parse(time.RFC3339, row[columnSubmitted].(string))
			if err != nil {
				t.Fatal(err)
			}
			if int(place) == len(waits)+1 { // the first line of a job
				waits = append(waits, max(whole.TakenAt.Sub(at).Seconds(), 0))
			}
		}
		slices.Sort(waits)
		if n := len(waits); n != short.Waiting || short.Waits.All.Jobs != n || short.Waits.All.Longest != waits[n-1] ||
			short.Waits.All.Median != waits[n-1-n/2] {
			t.Errorf("%s: %+v, but jobs have waited %v", recording.name, short.Waits.All, waits)
		}
		for _, groups := range [][]spread{short.Waits.Groups, short.Waits.Sizes} {
			sum := 0
			for _, g := range groups {
				sum += g.Jobs
			}
			if sum != len(waits) {
				t.Errorf("%s: %+v are not %d jobs", recording.name, groups, len(waits))
			}
		}
	}
}

// TestThePageKnowsWhatOpensFirst reads it from the page, for a user and for nobody.
func TestThePageKnowsWhatOpensFirst(t *testing.T) {
	site, err := Bundles(t.Context(), &cli.Deps{}, []string{"../../../fixtures/" + seen[0].bundles[1]})
	if err != nil {
		t.Fatal(err)
	}
	site.Open(func(name string) string { return map[string]string{"": "why", "anna": "mine"}[name] })
	for user, want := range map[string]string{"": `data-opens="why" data-user=""`,
		"anna": `data-opens="mine" data-user="anna"`} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
		site.Handler().ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, caller{name: user})))
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q gets no page with %s", user, want)
		}
	}
}

// TestBundlesHaveNoNews: a page of bundles does not wait for snapshots that never come.
func TestBundlesHaveNoNews(t *testing.T) {
	if w := get(siteOfBundles(t, "../../../fixtures/"+seen[0].bundles[1]), "/events"); w.Code != http.StatusNoContent {
		t.Error(w.Code)
	}
}

// TestANewSnapshotIsToldToThePage imports a snapshot while a page waits: the page hears of its cluster once.
func TestANewSnapshotIsToldToThePage(t *testing.T) {
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db")}
	bundle := func(name string) fs.FS {
		files, closer, err := importer.Open("../../../fixtures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closer.Close() })
		return files
	}
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	imported := func(name string) {
		files := bundle(name)
		s, err := subject.ReadBundle(files, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Import(t.Context(), files, name, s); err != nil {
			t.Fatal(err)
		}
	}
	imported(seen[0].bundles[0])
	server := httptest.NewServer(Stored(d, "").Handler())
	defer server.Close()
	answer, err := http.Get(server.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() && lines.Text() != ": hello" {
	}
	imported(seen[0].bundles[1])
	for lines.Scan() {
		if name, is := strings.CutPrefix(lines.Text(), "data: "); is {
			if !strings.HasPrefix(name, `"`) || len(name) < 4 {
				t.Errorf("the event names %s", name)
			}
			return
		}
	}
	t.Errorf("the stream ended: %v", lines.Err())
}
