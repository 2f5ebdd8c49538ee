package view

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"qprism/cmd/qprism/cli"
	"qprism/fixtures/generate"
	"qprism/importer"
)

// largeBundle writes a bundle of so many jobs and hosts into a folder.
func largeBundle(t testing.TB, jobs, hosts int) (dir string) {
	t.Helper()
	recording, closer, err := importer.Open("../../../fixtures/gridengine/8.1.9-share-2.tar.gz/run2/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	e, err := generate.Evolve(recording, hosts, jobs, 1)
	if err != nil {
		t.Fatal(err)
	}
	files, err := e.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(path, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// BenchmarkPage measures the page of 50,000 jobs in Debian's Chromium: what view computes as it starts,
// then until the queue is seen, how many frames a second the browser draws while somebody scrolls through
// the queue and chooses among its lines, and the longest it does not answer meanwhile (both by the
// browser's own trace).
func BenchmarkPage(b *testing.B) {
	const jobs = 50000
	dir := largeBundle(b, jobs, 1000)
	for range b.N {
		browser := newBrowser(b)
		site, err := Bundles(b.Context(), &cli.Deps{}, []string{dir})
		if err != nil {
			b.Fatal(err)
		}
		begin := time.Now()
		site.prepare(b.Context())
		b.ReportMetric(time.Since(begin).Seconds(), "prepare-s")
		server := httptest.NewServer(Guarded(true, site.Handler()))
		p := &page{browser, *site.deps, []string{dir}, server.URL}
		for _, view := range []struct{ path, name, until string }{
			{"/", "overview-s", ".figures .figure"}, {"/queue", "queue-s", ".list .body .row"}} {
			begin = time.Now()
			run(browser, chromedp.Navigate(p.at+view.path))
			p.await(view.until) // nothing that is seen is waited for any more
			b.ReportMetric(time.Since(begin).Seconds(), view.name)
		}
		p.await(".list .body .row")
		frames, longest := browser.traced(b, `new Promise(done => {
			const list = document.querySelector(".list"), user = document.querySelector(".filters select")
			let n = 0
			const frame = () => {
				if (n === 180) return done(true)
				if (n % 60 === 59) {
					user.selectedIndex = 1 + n % 7
					user.dispatchEvent(new Event("change"))
				} else list.scrollTop = (list.scrollTop + 3210) % list.scrollHeight
				n++
				requestAnimationFrame(frame)
			}
			requestAnimationFrame(frame)
		})`)
		b.ReportMetric(frames, "frames/s")
		b.ReportMetric(longest, "longest-task-ms")
		server.Close()
	}
}

// traced runs a script, and returns how many frames the page drew a second, and the longest task of its
// thread in milliseconds.
func (b *browser) traced(t testing.TB, script string) (frames, longest float64) {
	t.Helper()
	type traceEvent struct {
		Name string
		TS   float64 // microseconds
		Dur  float64
	}
	var events []traceEvent
	complete := make(chan bool)
	if err := chromedp.Listen(b.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, text := range e.Value {
				var v traceEvent
				if json.Unmarshal(text, &v) == nil {
					events = append(events, v)
				}
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	}); err != nil {
		t.Fatal(err)
	}
	call(b, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		IncludedCategories: []string{"devtools.timeline", "disabled-by-default-devtools.timeline"}}})
	run(b, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
	call(b, tracing.End, cdp.Empty{})
	<-complete
	var drawn []float64
	for _, e := range events {
		switch e.Name {
		case "FireAnimationFrame":
			drawn = append(drawn, e.TS)
		case "RunTask":
			longest = max(longest, e.Dur/1000)
		}
	}
	if len(drawn) < 2 {
		t.Fatalf("only %d frames are in the trace of %d events", len(drawn), len(events))
	}
	first, last := drawn[0], drawn[0]
	for _, at := range drawn {
		first, last = min(first, at), max(last, at)
	}
	return float64(len(drawn)-1) / (last - first) * 1e6, longest
}
