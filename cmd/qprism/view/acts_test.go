package view

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/crypto/bcrypt"

	"qprism/adapters/sqlite"
	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/subject"
	"qprism/importer"
)

// A recorder is an actor that changes nothing but its own record.
type recorder struct {
	mu    sync.Mutex
	did   []Act
	by    string
	begun chan struct{} // something is under way, if this is not nil
	hold  chan struct{} // until this is closed
	moved error         // what was planned is not what would be sent any more
}

func (r *recorder) Allowed(_ context.Context, cluster string) (Allowed, error) {
	if cluster == "forbidden" {
		return Allowed{Kinds: []string{}, Policies: []string{}}, nil
	}
	return Allowed{Kinds: []string{"first", "policy", "undo", "resume", "release", "give_back"},
		Policies: []string{"fairshare"}}, nil
}

func (r *recorder) Plan(_ context.Context, act Act, _ string) (*Plan, error) {
	p := &Plan{Commands: [][]string{{"qalter", "-p", "1", "5"}},
		Orders: []past.JSONOrder{{Job: "5", Attribute: "priority", From: "0", To: "1",
			Why: hostileJob}}}
	if act.Kind == "release" {
		p.Refused = "nothing would be sent"
	}
	return p, nil
}

func (r *recorder) Do(_ context.Context, act Act, p *Plan, by string, tell func(string)) (*Outcome, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.moved != nil {
		return nil, r.moved
	}
	if tell("waiting for the next scheduler run"); r.begun != nil {
		r.begun <- struct{}{}
		<-r.hold
	}
	r.did, r.by = append(r.did, act), by
	return &Outcome{Outcome: "1 confirmed", Orders: p.Orders}, nil
}

// An office is a page on which anna may act, and ben may look.
type office struct {
	t    *testing.T
	site *Site
	h    http.Handler
	csrf string
	as   string // who asks
}

func newOffice(t *testing.T, actor Actor) *office {
	t.Helper()
	d := storeOf(t, starved+"start")
	fillPushes(t, d)
	file := filepath.Join(t.TempDir(), "users")
	text := ""
	for _, name := range []string{"anna", "ben"} {
		hash, err := bcrypt.GenerateFromPassword([]byte("secret of "+name), bcrypt.MinCost)
		if err != nil {
			t.Fatal(err)
		}
		text += name + ":" + string(hash) + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := cadence.Endpoint{UsersFile: file, Actors: []string{"anna"}}
	o := &office{t: t, site: Stored(d, ""), as: "anna"}
	o.site.Let(actor, e.MayAct, slog.New(slog.NewTextHandler(io.Discard, nil)))
	h, err := Admitted(e, o.site.Handler(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	o.h = Guarded(true, h)
	return o
}

// storeOf is a store of a bundle.
func storeOf(t *testing.T, path string) *cli.Deps {
	t.Helper()
	bundle, closer, err := importer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	s, err := subject.ReadBundle(bundle, false)
	if err != nil {
		t.Fatal(err)
	}
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "one.db")}
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Import(t.Context(), bundle, "test", s); err != nil {
		t.Fatal(err)
	}
	return d
}

// send sends something as the page does, with other headers as "Name: value".
func (o *office) send(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8765"+path, strings.NewReader(body))
	r.SetBasicAuth(o.as, "secret of "+o.as)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", actCookie+"=ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	r.Header.Set("X-CSRF-Token", o.csrf)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	o.h.ServeHTTP(w, r)
	return w
}

// report asks what may be changed, and takes the token.
func (o *office) report() (a actsReport) {
	o.t.Helper()
	w := o.send("GET", "/api/v1/acts", "")
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		o.t.Fatal(w.Code, w.Body, err)
	}
	o.csrf = a.CSRF
	return a
}

// plan asks what would be sent.
func (o *office) plan(body string) (t ticket) {
	o.t.Helper()
	if w := o.send("POST", "/api/v1/acts/plan", body); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &t) != nil {
		o.t.Fatal(w.Code, w.Body)
	}
	return t
}

func (o *office) cluster() string { return o.report().Cluster }

func firstOf(cluster string) string {
	return `{"cluster":"` + cluster + `","kind":"first","jobs":["5"]}`
}

// TestWhatWasShownIsSentOnce by whom it was shown to, and the trail says who.
func TestWhatWasShownIsSentOnce(t *testing.T) {
	r := &recorder{}
	o := newOffice(t, r)
	cluster := o.cluster()
	p := o.plan(firstOf(cluster))
	if len(r.did) > 0 || !reflect.DeepEqual(p.Commands, [][]string{{"qalter", "-p", "1", "5"}}) {
		t.Fatalf("%+v, %v", p, r.did)
	}
	do := `{"ticket":"` + p.Ticket + `"}`
	if w := o.send("POST", "/api/v1/acts/do", do); w.Code != http.StatusAccepted {
		t.Fatal(w.Code, w.Body)
	}
	o.site.Finish(time.Minute)
	if len(r.did) != 1 || r.did[0].Jobs[0] != "5" || r.by != "anna (page)" {
		t.Errorf("%+v by %s", r.did, r.by)
	}
	if a := o.report(); len(a.Acts) != 1 || a.Acts[0].Outcome.Outcome != "1 confirmed" ||
		a.Acts[0].By != "anna (page)" || a.Acts[0].Ended.IsZero() {
		t.Errorf("%+v", a.Acts)
	}
	if w := o.send("POST", "/api/v1/acts/do", do); w.Code != http.StatusGone || len(r.did) != 1 {
		t.Error("a second time:", w.Code, r.did)
	}
}

// TestOnlyThePageOfWhoMayActActs attacks: each request is one that another site, a link or somebody else
// could have sent.
func TestOnlyThePageOfWhoMayActActs(t *testing.T) {
	r := &recorder{}
	o := newOffice(t, r)
	cluster := o.cluster()
	p := o.plan(firstOf(cluster))
	do, plan := `{"ticket":"`+p.Ticket+`"}`, firstOf(cluster)
	for name, attack := range map[string]struct {
		method, path, body string
		headers            []string
		want               int
	}{
		"by GET":             {"GET", "/api/v1/acts/do?ticket=" + p.Ticket, "", nil, 404},
		"by PUT":             {"PUT", "/api/v1/acts/do", do, nil, 405},
		"without a token":    {"POST", "/api/v1/acts/do", do, []string{"X-CSRF-Token: "}, 403},
		"with another token": {"POST", "/api/v1/acts/do", do, []string{"X-CSRF-Token: " + strings.ToUpper(o.csrf)}, 403},
		"of another session": {"POST", "/api/v1/acts/do", do,
			[]string{"Cookie: " + actCookie + "=ZBCDEFGHIJKLMNOPQRSTUVWXYZ"}, 403},
		"without a cookie": {"POST", "/api/v1/acts/do", do, []string{"Cookie: x=y"}, 403},
		"of another site": {"POST", "/api/v1/acts/do", do,
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}, 403},
		"of another port": {"POST", "/api/v1/acts/do", do,
			[]string{"Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate"}, 403},
		"of an old browser": {"POST", "/api/v1/acts/do", do,
			[]string{"Sec-Fetch-Site: ", "Origin: http://evil.example"}, 403},
		"as a form":               {"POST", "/api/v1/acts/do", do, []string{"Content-Type: text/plain"}, 415},
		"with a wrong password":   {"POST", "/api/v1/acts/do", do, []string{"Authorization: Basic YW5uYTp4"}, 401},
		"with a guessed ticket":   {"POST", "/api/v1/acts/do", `{"ticket":"AAAAAAAAAAAAAAAAAAAAAAAAAA"}`, nil, 410},
		"with more than is taken": {"POST", "/api/v1/acts/plan", `{"cluster":"x","kind":"first","force":true}`, nil, 400},
		"of a cluster without":    {"POST", "/api/v1/acts/plan", firstOf("forbidden"), nil, 403},
		"with a flag for a job":   {"POST", "/api/v1/acts/plan", strings.Replace(plan, `"5"`, `"--apply"`, 1), nil, 400},
		"of an unknown policy": {"POST", "/api/v1/acts/plan",
			`{"cluster":"` + cluster + `","kind":"policy","policy":"external /bin/sh"}`, nil, 400},
		"of an unknown kind": {"POST", "/api/v1/acts/plan", `{"cluster":"` + cluster + `","kind":"drive"}`, nil, 403},
		"of too much": {"POST", "/api/v1/acts/plan", `{"cluster":"` + strings.Repeat("x", 1<<15) +
			`"}`, nil, 400},
		"through a question below": {"POST", "/api/v1/queue", "", nil, 405},
	} {
		o.site.acts.asked = map[string][]time.Time{} // how often is another test's
		if w := o.send(attack.method, attack.path, attack.body, attack.headers...); w.Code != attack.want {
			t.Errorf("%s: %d, not %d: %s", name, w.Code, attack.want, w.Body)
		}
	}
	own := o.csrf
	o.as = "ben"
	if a := o.report(); a.May || a.CSRF != "" || len(a.Kinds)+len(a.Acts) > 0 {
		t.Errorf("ben is told %+v", a)
	}
	o.csrf = own
	if w := o.send("POST", "/api/v1/acts/do", do); w.Code != 403 {
		t.Error("ben with anna's ticket and token:", w.Code, w.Body)
	}
	o.site.Finish(time.Minute)
	if len(r.did) > 0 {
		t.Errorf("it was done: %+v", r.did)
	}
}

// TestActsAreDoneOneAtATimeAndSlowly: two at once, what was refused when it was shown, a cluster that has
// moved on, and too many requests.
func TestActsAreDoneOneAtATimeAndSlowly(t *testing.T) {
	r := &recorder{begun: make(chan struct{}), hold: make(chan struct{})}
	o := newOffice(t, r)
	cluster := o.cluster()
	one, two, none := o.plan(firstOf(cluster)), o.plan(firstOf(cluster)),
		o.plan(`{"cluster":"`+cluster+`","kind":"release"}`)
	do := func(t ticket) int { return o.send("POST", "/api/v1/acts/do", `{"ticket":"`+t.Ticket+`"}`).Code }
	if code := do(one); code != http.StatusAccepted {
		t.Fatal(code)
	}
	<-r.begun
	if code := do(two); code != http.StatusConflict {
		t.Error("a second one at once:", code)
	}
	close(r.hold)
	o.site.Finish(time.Minute)
	if code := do(none); code != http.StatusConflict || len(r.did) != 1 {
		t.Error("what is refused:", code, r.did)
	}
	r.begun, r.moved = nil, errors.New("it would not be what was shown")
	if code := do(two); code != http.StatusAccepted {
		t.Error("the second one afterwards:", code)
	}
	o.site.Finish(time.Minute)
	if a := o.report(); len(r.did) != 1 || a.Acts[0].Error == "" {
		t.Errorf("%+v", a.Acts)
	}
	late := o.plan(firstOf(cluster))
	o.site.acts.tickets[late.Ticket].Until = time.Now().Add(-time.Second)
	if code := do(late); code != http.StatusGone {
		t.Error("too late:", code)
	}
	for range mostAMinute {
		do(late)
	}
	if code := do(late); code != http.StatusTooManyRequests {
		t.Error("too often:", code)
	}
}

// TestViewChangesNothing: without a configuration that lets somebody, there is no address that does.
func TestViewChangesNothing(t *testing.T) {
	h := siteOfBundles(t, starved+"start")
	if w := get(h, "/api/v1/acts"); w.Code != 200 || !strings.Contains(w.Body.String(), `"may":false`) ||
		w.Header().Get("Set-Cookie") != "" {
		t.Error(w.Code, w.Body)
	}
	for _, path := range []string{"plan", "do"} {
		r, w := httptest.NewRequest("POST", "http://127.0.0.1/api/v1/acts/"+path, strings.NewReader("{}")),
			httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed {
			t.Error(path, w.Code)
		}
	}
}

// TestABrowserShowsWhatIsSentAndSendsIt: jobs are put first, and a push is taken back, through the page;
// what is shown are the commands.
func TestABrowserShowsWhatIsSentAndSendsIt(t *testing.T) {
	b := newBrowser(t)
	r := &recorder{}
	o := newOffice(t, r)
	h := Guarded(true, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.SetBasicAuth("anna", "secret of anna") // as the browser does after it has asked for a password
		o.h.ServeHTTP(w, req)
	}))
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	p := &page{b, *o.site.deps, nil, server.URL}
	p.look("/changes", "#first")
	click := func(what string) {
		run(b, chromedp.Evaluate[chromedp.Void](
			`[...document.querySelectorAll("#main button")].find(b => b.textContent.startsWith(`+what+`)).click()`))
	}
	run(b, chromedp.Evaluate[chromedp.Void](`document.getElementById("first").value = "5"`))
	click(`"Show"`)
	p.await("#send")
	p.accessible("/changes with a plan")
	if shown := strings.Join(p.texts("#plan"), ""); !strings.Contains(shown, "qalter -p 1 5") ||
		!strings.Contains(shown, hostileJob) ||
		len(r.did) > 0 {
		t.Errorf("it shows %q, and did %v", shown, r.did)
	}
	p.photographActs("acts-plan")
	click(`"Send this"`)
	p.await("#plan .good")
	run(b, chromedp.Evaluate[chromedp.Void]("document.querySelector('#main details').open = true"))
	p.await("#main details td")
	click(`"Finish this interrupted push"`)
	p.await("#send")
	click(`"Not now"`)
	click(`"Take back the changes to these jobs"`)
	p.await("#send")
	if shown := strings.Join(p.texts("#plan h3"), ""); !strings.HasPrefix(shown, "Take back the changes of qprism drive") {
		t.Errorf("it shows %q", shown)
	}
	click(`"Not now"`)
	if said := strings.Join(p.texts("#plan"), ""); said != "" {
		t.Errorf("%q is left", said)
	}
	if len(r.did) != 1 || r.did[0].Kind != "first" || r.by != "anna (page)" {
		t.Errorf("%+v by %s", r.did, r.by)
	}
	b.quiet()
}
