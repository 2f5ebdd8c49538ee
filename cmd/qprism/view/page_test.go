package view

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
)

const starved = "../../../fixtures/gridengine/starvation-8.1.9.tar.gz/without/"

func siteOfBundles(t *testing.T, paths ...string) http.Handler {
	t.Helper()
	site, err := Bundles(t.Context(), &cli.Deps{}, paths)
	if err != nil {
		t.Fatal(err)
	}
	return Guarded(true, site.Handler())
}

// get asks as a browser on this machine does, with further headers as "Name: value".
func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://127.0.0.1:8765"+path, nil)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestAnswersAreThoseOfTheCommands asks every question, twice, of each kind of system, and holds the
// answers against commands that read the bundle themselves.
func TestAnswersAreThoseOfTheCommands(t *testing.T) {
	asked := map[string][]string{"audit": {"audit"}, "priorities": {"priorities"}, "shares": {"shares"},
		"lint": {"lint"}, "plan": {"plan"},
		"forecast": {"forecast"}, "plan.svg": {"plan"}, "forecast.svg": {"forecast"},
		"plan.csv": {"plan"}, "priorities.csv": {"priorities"}, "forecast.csv": {"forecast"},
		"audit.csv": {"audit"}, "lint.csv": {"lint"}}
	for bundle, jobs := range map[string][]string{starved + "start": {"5", "6"},
		"../../../fixtures/gridengine/9.1.4-dispatch-8.tar.gz/run2/after":           {"4", "5"},
		"../../../fixtures/pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/after": {"29.pbsvm", "31"}} {
		h := siteOfBundles(t, bundle)
		questions := map[string][]string{"why?job=" + jobs[0]: {"why", jobs[0]}, "explain?job=" +
			jobs[0]: {"explain", jobs[0]},
			"compare?a=" + jobs[0] + "&b=" + jobs[1]: {"compare", jobs[0], jobs[1]}, "explain.csv?job=" +
				jobs[0]: {"explain", jobs[0]},
			"why.csv?job=" + jobs[0]: {"why", jobs[0]}, "compare.csv?a=" + jobs[0] + "&b=" +
				jobs[1]: {"compare", jobs[0], jobs[1]}}
		for name, args := range asked {
			questions[name] = args
		}
		for range 2 {
			for name, args := range questions {
				format := "json"
				path, _, _ := strings.Cut(name, "?")
				if _, ending, named := strings.Cut(path, "."); named {
					format = ending
				}
				want, err := answer(t.Context(), cli.Deps{Format: format}, append(slices.Clone(args), bundle))
				if err != nil {
					t.Fatal(name, err)
				}
				if w := get(h, "/api/v1/"+name); w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) {
					t.Errorf("%s of %s: %d, and not what the command prints:\n%s\n%s", name, bundle, w.Code, w.Body.Bytes(), want)
				}
			}
		}
	}
}

// TestDiffIsAboutTheMomentBefore asks for the last of two moments, and for the first, before which there is none.
func TestDiffIsAboutTheMomentBefore(t *testing.T) {
	h := siteOfBundles(t, starved+"start", starved+"end")
	want, err := answer(t.Context(), cli.Deps{Format: "csv"}, []string{"diff", starved + "start", starved + "end"})
	if w := get(h, "/api/v1/diff.csv"); err != nil || w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) {
		t.Error(w.Code, err)
	}
	want, err = answer(t.Context(), cli.Deps{Format: "json"}, []string{"diff", starved + "start", starved + "end"})
	if w := get(h, "/api/v1/diff"); err != nil || w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) {
		t.Error(w.Code, err)
	}
	if w := get(h, "/api/v1/diff?at=1"); w.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(w.Body.String(), "first snapshot") {
		t.Error(w.Code, w.Body)
	}
}

// TestTheQueueListsWhatPrioritiesDo holds its rows against the rows of priorities.
func TestTheQueueListsWhatPrioritiesDo(t *testing.T) {
	h := siteOfBundles(t, starved+"start")
	var queue struct {
		Columns []string
		Rows    [][]any
		Waiting int
	}
	var ranking struct{ Jobs []map[string]any }
	for path, to := range map[string]any{"queue": &queue, "priorities": &ranking} {
		if err := json.Unmarshal(get(h, "/api/v1/"+path).Body.Bytes(), to); err != nil {
			t.Fatal(err)
		}
	}
	at := func(i int, column string) any { return queue.Rows[i][slices.Index(queue.Columns, column)] }
	if len(queue.Rows) != len(ranking.Jobs) || len(queue.Rows) != 23 || queue.Waiting != 19 {
		t.Fatal(len(queue.Rows), queue.Waiting)
	}
	for i, job := range ranking.Jobs {
		for _, name := range []string{"prio", "ntckts", "nurg", "npprior", "state", "name",
			"slots", "task", "queue", "submitted"} {
			if at(i, name) != job[name] {
				t.Errorf("line %d: %s is %v, priorities print %v", i, name, at(i, name), job[name])
			}
		}
	}
	if at(4, "job") != "5" || at(4, "place") != 1.0 || at(4, "why") != "too few slots together" {
		t.Error(queue.Rows[4])
	}
}

// TestOnlyWhatIsMeantIsAnswered sends what no page of ours sends.
func TestOnlyWhatIsMeantIsAnswered(t *testing.T) {
	h := siteOfBundles(t, starved+"start")
	for path, want := range map[string]int{
		"/": 200, "/queue": 200, "/job/5": 200, "/assets/page.js": 200, "/api/v1/clusters": 200,
		"/nothing": 404, "/assets/page.go": 404, "/api/v1/push": 404, "/api/v1/capture": 404,
		"/api/v1/changes/5": 404,
		"/api/v1/why":       400, "/api/v1/why?job=--policy=/etc/passwd": 400, "/api/v1/why?job=5%20/etc/passwd": 400,
		"/api/v1/why?job=__complete": 400,
		"/api/v1/why?job=4711":       422, "/api/v1/queue?cluster=other": 404, "/api/v1/queue?at=17": 404,
		"/api/v1/queue?at=../x": 404,
	} {
		w := get(h, path)
		if w.Code != want {
			t.Errorf("%s: %d, not %d", path, w.Code, want)
		}
		if strings.HasPrefix(path, "/api/") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: no JSON: %s", path, w.Body)
		}
		for name, value := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY"} {
			if w.Header().Get(name) != value || w.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s: %s is %q", path, name, w.Header().Get(name))
			}
		}
	}
	for want, header := range map[int]string{http.StatusMisdirectedRequest: "Host: cluster.attacker.example",
		http.StatusForbidden: "Sec-Fetch-Site: cross-site"} {
		if w := get(h, "/api/v1/queue", header); w.Code != want {
			t.Errorf("%s: %d", header, w.Code)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "http://127.0.0.1/api/v1/queue", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Error(w.Code)
	}
}

// TestManyAtOnceAreToldToComeBack fills the server with requests that wait.
func TestManyAtOnceAreToldToComeBack(t *testing.T) {
	hold, in := make(chan struct{}), make(chan struct{}, most)
	h := Guarded(true, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { in <- struct{}{}; <-hold }))
	for range most {
		go get(h, "/")
	}
	for range most {
		<-in
	}
	if w := get(h, "/"); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Error(w.Code)
	}
	close(hold)
}

// TestAnswersAreCompressedForWhoAsks opens what was sent.
func TestAnswersAreCompressedForWhoAsks(t *testing.T) {
	h := siteOfBundles(t, starved+"start")
	plain, small := get(h, "/api/v1/queue"), get(h, "/api/v1/queue", "Accept-Encoding: gzip")
	r, err := gzip.NewReader(small.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, plain.Body.Bytes()) {
		t.Error(len(text), err)
	}
}

// TestOtherMachinesNeedATokenAndTLS: what everybody could reach is refused before anything is read.
func TestOtherMachinesNeedATokenAndTLS(t *testing.T) {
	for _, at := range []cadence.Endpoint{{Address: "0.0.0.0:0"}, {Address: ":0", TokenFile: "t"},
		{Address: "192.0.2.1:0", Certificate: "c", Key: "k"}} {
		err := runView(t.Context(), &cli.Deps{}, options{at: at, noBrowser: true}, []string{starved + "start"}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "other machines can reach") {
			t.Errorf("%+v: %v", at, err)
		}
	}
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := Admitted(cadence.Endpoint{TokenFile: file}, siteOfBundles(t, starved+"start"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]int{"": 401, "Authorization: Bearer 0123456789abcdeX": 401,
		"Authorization: Bearer 0123456789abcdef":            200,
		"Authorization: Basic YW55OjAxMjM0NTY3ODlhYmNkZWY=": 200, "Authorization: Basic YW55Ojw=": 401} {
		if w := get(h, "/", header); w.Code != want {
			t.Errorf("%q: %d, not %d", header, w.Code, want)
		}
	}
}

// TestViewSaysWhereItIsAndEnds runs the command until it is told to stop.
func TestViewSaysWhereItIsAndEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		opts := options{at: cadence.Endpoint{Address: "127.0.0.1:0"}, noBrowser: true}
		done <- runView(ctx, &cli.Deps{}, opts, []string{starved + "start"}, w)
	}()
	line := make([]byte, 200)
	n, err := r.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(line[:n]), " at ")
	address, _, _ := strings.Cut(rest, " ")
	answer, err := http.Get(address + "api/v1/clusters")
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestMetricsAreThoseOfTheAnswers holds figures against the answers that they are made of.
func TestMetricsAreThoseOfTheAnswers(t *testing.T) {
	h := siteOfBundles(t, starved+"start", "../../../fixtures/pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/after")
	text := get(h, "/metrics").Body.String()
	for _, line := range []string{
		`qprism_audit_numbers{cluster="qmaster/default",outcome="agree"} 299`,
		`qprism_audit_numbers{cluster="qmaster/default",outcome="unexplained"} 0`,
		`qprism_queue_length{cluster="qmaster/default",state="waiting"} 19`,
		`qprism_queue_length{cluster="qmaster/default",state="running"} 4`,
		`qprism_waiting_jobs{cluster="qmaster/default",reason="no slot free"} 18`,
		`qprism_waiting_jobs{cluster="qmaster/default",reason="too few slots together"} 1`,
		`qprism_lint_findings{cluster="qmaster/default",kind="trap"} 1`,
		`qprism_share_target_ratio{cluster="pbsvm",node="TREEROOT/group1"} 0.4`,
		`qprism_questions_failed{cluster="pbsvm"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

// TestMetricsOfASnapshotAreMadeOnce, in their turn, and what is read for them is not kept.
func TestMetricsOfASnapshotAreMadeOnce(t *testing.T) {
	s, err := Bundles(t.Context(), &cli.Deps{}, []string{starved + "start"})
	if err != nil {
		t.Fatal(err)
	}
	clear(s.read)
	s.order = nil
	turns := 0
	s.Queue(func(_ context.Context, do func() error) error {
		turns++
		return do()
	})
	h := Guarded(true, s.Handler())
	first := get(h, "/metrics").Body.String()
	if again := get(h, "/metrics").Body.String(); turns != 1 || again != first || !strings.Contains(again, "qprism_audit") {
		t.Errorf("they were made %d times; they are\n%s\nand were\n%s", turns, again, first)
	}
	if len(s.read)+len(s.order) > 0 {
		t.Errorf("%d snapshots were kept", len(s.read))
	}
}

// TestMetricsTellHowStartsAgree: what diff says of the last two moments.
func TestMetricsTellHowStartsAgree(t *testing.T) {
	runs := "../../../fixtures/gridengine/8.1.9-backfill-large-parallel.tar.gz/run2/"
	h := siteOfBundles(t, runs+"before", runs+"after")
	text := get(h, "/metrics").Body.String()
	for _, line := range []string{`qprism_order_tau_b{cluster="vm/default"} -0.5976`,
		`qprism_forecast_error_seconds{cluster="vm/default",quantile="0.5"} 2`,
		`qprism_forecast_error_seconds{cluster="vm/default",quantile="0.9"} 2`} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

// TestWhatIfTakesOnlyChangesOfThePolicy asks as the sliders do, and as somebody who wants more.
func TestWhatIfTakesOnlyChangesOfThePolicy(t *testing.T) {
	h := siteOfBundles(t, starved+"start")
	var settings struct{ Settings []slider }
	if err := json.Unmarshal(get(h, "/api/v1/settings").Body.Bytes(), &settings); err != nil ||
		len(settings.Settings) < 8 {
		t.Fatalf("%+v: %v", settings, err)
	}
	for _, k := range settings.Settings {
		if w := get(h, "/api/v1/what-if?"+k.Set+"="+url.QueryEscape(
			fmt.Sprintf("%s=%v", k.Key, k.Most))); w.Code != http.StatusOK {
			t.Errorf("%+v: %d %s", k, w.Code, w.Body)
		}
	}
	want, err := answer(t.Context(), cli.Deps{Format: "json"},
		[]string{"what-if", "--no-forecast", "--set=weight_ticket=3", starved + "start"})
	if got := get(h, "/api/v1/what-if?set=weight_ticket%3D3"); err != nil || got.Body.String() != string(want) {
		t.Errorf("%s\n%s\n%v", got.Body, want, err)
	}
	for _, bad := range []string{"set=--policy=/etc/passwd", "set=-x=1", "shares=user/../x=1",
		"shares=user/a=-1", "set=weight_ticket",
		"set=a=\n",
		strings.Repeat("set=weight_ticket=1&", mostChanges+1)} {
		query := strings.ReplaceAll(bad, "\n", "%0A")
		if w := get(h, "/api/v1/what-if?"+query); w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d %s", bad, w.Code, w.Body)
		}
	}
}
