package view

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/engine/model"
)

// as lets somebody ask, as Admitted does.
func as(who string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, caller{name: who})))
	})
}

// privateSites are pages of recordings whose users see their own jobs alone; on that of a store somebody may act.
func privateSites(t *testing.T) map[string]*Site {
	t.Helper()
	sites := map[string]*Site{}
	for _, recording := range seen {
		before, after := "../../../fixtures/"+recording.bundles[0], "../../../fixtures/"+recording.bundles[1]
		site, err := Bundles(t.Context(), &cli.Deps{}, []string{before, after})
		if err != nil {
			t.Fatal(err)
		}
		sites[recording.name] = site
	}
	d := storeOf(t, starved+"start")
	fillPushes(t, d)
	sites["store"] = Stored(d, "")
	sites["store"].Let(&recorder{}, func(name string) bool {
		return name == "root"
	}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	hidden, err := Bundles(t.Context(), &cli.Deps{}, []string{hostile(t)})
	if err != nil {
		t.Fatal(err)
	}
	sites["hostile names"] = hidden
	for _, site := range sites {
		site.Hide(func(name string) bool { return name == "root" })
	}
	return sites
}

// addresses are all that a page answers to, of every view, question and form, about each of some jobs.
func addresses(jobs []string) (list []string) {
	list = []string{"/metrics", "/assets/page.js", "/api/v1/openapi.json", "/api/v1/acts", "/api/v1/nothing"}
	for _, view := range views {
		for _, job := range jobs {
			list = append(list, strings.NewReplacer("{$}", "", "{id}", url.PathEscape(job)).Replace(view))
		}
	}
	for _, e := range Endpoints() {
		for i := range jobs {
			query := url.Values{"since": {"30d"}, "push": {"1"}, "set": {"weight_urgency=3"}}
			for k, name := range e.Jobs {
				query.Set(name, jobs[(i+k)%len(jobs)])
			}
			list = append(list, "/api/v1/"+e.Name+"?"+query.Encode())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestNoAddressNamesTheJobsOfOthers asks everything of every kind of recording as each of its users, as one
// who has no job, and as a program without a name, and finds in no answer what others or their jobs are
// called.
func TestNoAddressNamesTheJobsOfOthers(t *testing.T) {
	for name, site := range privateSites(t) {
		t.Run(name, func(t *testing.T) {
			c, m, err := site.asked(t.Context(), httptest.NewRequest("GET", "/", nil))
			if err != nil {
				t.Fatal(err)
			}
			a, err := site.answers(t.Context(), c.Name, *m)
			if err != nil {
				t.Fatal(err)
			}
			s := a.deps.Held[m.heldAs()]
			h := Guarded(true, site.Handler())
			told := 0
			for _, who := range append(ownersOf(s), "", "stranger") {
				told += privately(t, as(who, h), s, who)
			}
			if told == 0 {
				t.Error("nobody is told anything of a job")
			}
			if w := get(as("root", h), "/api/v1/queue"); w.Code != 200 || !strings.Contains(w.Body.String(), s.Jobs[0].Owner) {
				t.Error("who sees everything does not:", w.Code)
			}
		})
	}
}

func ownersOf(s *model.Snapshot) []string {
	owners := map[string]bool{}
	for i := range s.Jobs {
		owners[s.Jobs[i].Owner] = true
	}
	return slices.Sorted(maps.Keys(owners))
}

// privately asks everything as somebody, and counts what is answered of their own jobs.
func privately(t *testing.T, h http.Handler, s *model.Snapshot, who string) (told int) {
	t.Helper()
	mine, others, ids := map[string]bool{who: true}, map[string]bool{}, []string{}
	seen := map[string]int{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.Owner == who {
			mine[j.Name], mine[j.Group], mine[j.Account] = true, true, true
		}
		if seen[j.Owner]++; seen[j.Owner] <= 2 { // two of each
			ids = append(ids, j.KnownAs())
		}
	}
	for i := range s.Jobs {
		for _, name := range []string{s.Jobs[i].Owner, s.Jobs[i].Name} {
			if !mine[name] && len(name) > 1 {
				others[name] = true
			}
		}
	}
	for name := range namesIn(s).words { // of users who have no job, too
		if !mine[name] && len(name) > 1 {
			others[name] = true
		}
	}
	for _, address := range addresses(ids) {
		if strings.HasPrefix(address, "/assets/") || strings.HasSuffix(address, "openapi.json") {
			continue // files of the program
		}
		w := get(h, address)
		text := w.Body.String()
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
			var v any
			if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
				t.Fatal(address, err)
			}
			text = strings.Join(texts(v), "\n") // as a program reads it
			told += len(ownJobs(v, s, who))
		}
		said := wordsIn(text)
		for name := range others {
			if said[name] || !oneWord.MatchString(name) && strings.Contains(text, name) {
				t.Errorf("%q asks %s, and is told of %q: %d %.400s", who, address, name, w.Code, text)
			}
		}
		if w.Code == 200 && (strings.Contains(address, ".csv") || strings.Contains(address, ".svg")) {
			t.Errorf("%q gets %s", who, address)
		}
	}
	return told
}

// wordsIn are the words of a text, as names of Grid Engine and PBS are made of them.
func wordsIn(text string) map[string]bool {
	all := map[string]bool{}
	for _, cut := range []string{`[A-Za-z0-9_]+`, `[A-Za-z0-9_-]+`, `[A-Za-z0-9_.-]+`} {
		for _, word := range regexp.MustCompile(cut).FindAllString(text, -1) {
			all[word] = true
		}
	}
	return all
}

// texts are all values of a document.
func texts(v any) (list []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if !ours[key] {
				list = append(list, texts(value)...)
			}
		}
	case []any:
		for _, value := range v {
			list = append(list, texts(value)...)
		}
	default:
		list = append(list, fmt.Sprint(v))
	}
	return list
}

// ownJobs are the objects of a document that are about jobs of somebody.
func ownJobs(v any, s *model.Snapshot, who string) (list []any) {
	switch v := v.(type) {
	case map[string]any:
		if v["owner"] == who && who != "" {
			list = append(list, v)
		}
		for _, value := range v {
			list = append(list, ownJobs(value, s, who)...)
		}
	case []any:
		for _, value := range v {
			list = append(list, ownJobs(value, s, who)...)
		}
	}
	return list
}

// TestOthersInTheQueueArePlacesAlone holds each row that somebody sees against whose it is; of the jobs of
// others no request is told.
func TestOthersInTheQueueArePlacesAlone(t *testing.T) {
	site, err := Bundles(t.Context(), &cli.Deps{}, []string{starved + "start"})
	if err != nil {
		t.Fatal(err)
	}
	site.Hide(func(string) bool { return false })
	h := as("alice", Guarded(true, site.Handler()))
	var queue struct {
		Columns []string
		Rows    [][]any
	}
	if err := json.Unmarshal(get(h, "/api/v1/queue").Body.Bytes(), &queue); err != nil || len(queue.Rows) != 23 {
		t.Fatal(err, len(queue.Rows))
	}
	whole := 0
	for _, row := range queue.Rows {
		if row[0] == "5" {
			whole++
			continue
		}
		for i, cell := range row {
			if name := queue.Columns[i]; name != "state" && name != "place" && cell != "" && cell != nil && cell != false {
				t.Errorf("%s of another's job is %v", name, cell)
			}
		}
	}
	if whole != 1 {
		t.Errorf("alice sees %d jobs of her own", whole)
	}
	var why struct {
		Holders []map[string]any
		Ahead   map[string]any
	}
	if err := json.Unmarshal(get(h, "/api/v1/why?job=5").Body.Bytes(), &why); err != nil || len(why.Holders) == 0 {
		t.Fatal(err, why)
	}
	for _, holder := range why.Holders {
		if holder["job"] != nil || holder["owner"] != "" || holder["amount"] != nil || holder["until"] == nil {
			t.Errorf("%v", holder)
		}
	}
	for _, job := range []string{"1", "6", "4711", "6.1", "06", "5x", "%35"} {
		want := map[string]int{"5x": 400, "%35": 200}[job]
		if w := get(h, "/api/v1/why?job="+job); w.Code != max(want, 200) && !(want == 0 && w.Code == 403) {
			t.Errorf("%s: %d %s", job, w.Code, w.Body)
		}
	}
}

// TestABrowserOfOneUserAsksForNothingThatIsRefused leads through the views of somebody who sees own jobs alone.
func TestABrowserOfOneUserAsksForNothingThatIsRefused(t *testing.T) {
	b := newBrowser(t)
	site, err := Bundles(t.Context(), &cli.Deps{}, []string{starved + "start"})
	if err != nil {
		t.Fatal(err)
	}
	site.Hide(func(string) bool { return false })
	server := httptest.NewServer(as("alice", Guarded(true, site.Handler())))
	t.Cleanup(server.Close)
	p := &page{b, *site.deps, []string{starved + "start"}, server.URL}
	for _, path := range []string{"/", "/queue", "/job/5", "/shares", "/plan", "/?job=5"} {
		p.look(path, "#main h2")
		if text := strings.Join(p.texts("body"), ""); strings.Contains(text, "bob") {
			t.Errorf("%s tells of bob", path)
		}
		p.photographActs("own-" + strings.Trim(strings.NewReplacer("/", "-", "?", "", "=", "").Replace(path), "-"))
	}
	said := strings.Join(p.texts("#answer"), "")
	if !strings.Contains(said, "Not running because too few slots together") || !strings.Contains(said, "Place 1 of 19") {
		t.Errorf("alice is told %q", said)
	}
	b.quiet()
}
