package view

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

//go:embed assets
var files embed.FS

// views are the addresses of the page; what stands there is the same page, which looks at its address.
var views = []string{"/{$}", "/queue", "/job/{id}", "/compare", "/shares", "/plan", "/policy", "/diff", "/what-if", "/changes"}

// Handler answers for the page, for programs below /api/v1, and for Prometheus, which gets more figures where somebody has some.
func (s *Site) Handler(more ...prometheus.Collector) http.Handler {
	mux := http.NewServeMux()
	assets, err := fs.Sub(files, "assets")
	if err != nil {
		panic(err) // a folder of the program
	}
	page := s.pageFor(assets)
	for _, view := range views {
		mux.HandleFunc("GET "+view, page)
	}
	mux.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(assets)))
	mux.HandleFunc("GET /api/v1/clusters", s.clusters)
	mux.HandleFunc("GET /api/v1/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, assets, "openapi.json")
	})
	mux.HandleFunc("GET /api/v1/acts", s.report)
	if s.acts != nil {
		mux.HandleFunc("POST /api/v1/acts/plan", s.plan)
		mux.HandleFunc("POST /api/v1/acts/do", s.do)
	}
	mux.HandleFunc("GET /api/v1/{question}", s.question)
	mux.HandleFunc("GET /api/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound, errNoSuch) })
	mux.Handle("GET /metrics", s.metrics(more))
	return mux
}

func (s *Site) clusters(w http.ResponseWriter, r *http.Request) {
	list, err := s.Clusters(r.Context())
	if err == nil {
		err = sendJSON(w, r, list)
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
	}
}

func sendJSON(w http.ResponseWriter, r *http.Request, v any) error {
	text, err := show.Marshal(v)
	if err == nil {
		pack(text).send(w, r, "application/json")
	}
	return err
}

// A failure is what is answered in place of what was asked for.
type failure struct {
	Error string `json:"error"`
}

func refuse(w http.ResponseWriter, status int, err error) {
	text, _ := show.Marshal(failure{err.Error()})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// A question is one that is asked below /api/v1: a command, and the parameters that are its arguments.
type question struct {
	command string
	jobs    []string // names of parameters, each a job
	format  string
	before  bool     // it is about the moment before, too
	flags   []string // of a question that is about the moment before
	changes bool     // parameters say what is changed
	since   bool     // a parameter says since when: 7d
	stored  bool     // it is about what the store holds of the cluster, whatever the moment
	push    bool     // a parameter is the number of a push
}

var questions = map[string]question{
	"audit":        {command: "audit"},
	"priorities":   {command: "priorities"},
	"shares":       {command: "shares"},
	"used":         {command: "shares", since: true},
	"used.svg":     {command: "shares", since: true, format: "svg"},
	"lint":         {command: "lint"},
	"plan":         {command: "plan"},
	"forecast":     {command: "forecast"},
	"why":          {command: "why", jobs: []string{"job"}},
	"explain":      {command: "explain", jobs: []string{"job"}},
	"compare":      {command: "compare", jobs: []string{"a", "b"}},
	"plan.svg":     {command: "plan", format: "svg"},
	"forecast.svg": {command: "forecast", format: "svg"},
	"diff":         {command: "diff", before: true},
	"audit.csv":    {command: "audit", format: "csv"}, "priorities.csv": {command: "priorities", format: "csv"},
	"shares.csv": {command: "shares", format: "csv"}, "used.csv": {command: "shares", since: true, format: "csv"},
	"lint.csv": {command: "lint", format: "csv"}, "plan.csv": {command: "plan", format: "csv"},
	"forecast.csv": {command: "forecast", format: "csv"}, "diff.csv": {command: "diff", before: true, format: "csv"},
	"changes": {command: "changes", stored: true}, "changes.csv": {command: "changes", stored: true, format: "csv"},
	"change":      {command: "changes", stored: true, push: true},
	"why.csv":     {command: "why", jobs: []string{"job"}, format: "csv"},
	"explain.csv": {command: "explain", jobs: []string{"job"}, format: "csv"},
	"compare.csv": {command: "compare", jobs: []string{"a", "b"}, format: "csv"},
	"what-if":     {command: "what-if", changes: true}, "what-if.csv": {command: "what-if", changes: true, format: "csv"},
}

// jobID is what a job is asked for by: 4711, 4711.3, 12[3].server. It begins with no dash: it is never a flag.
var jobID = regexp.MustCompile(`^[0-9]{1,10}(\[[0-9]{0,10}\])?(\.[A-Za-z0-9._-]{1,200})?$`)

// period is how long ago something began.
var period = regexp.MustCompile(`^[0-9]{1,4}[hdw]$`)

// pushNumber is what a push is asked for by.
var pushNumber = regexp.MustCompile(`^[0-9]{1,10}$`)

// patience is how long an answer may take to be computed, and Patience how long until it is sent.
const (
	patience = 2 * time.Minute
	Patience = patience + 10*time.Second
)

// arguments are those that a request gives the command.
func (q *question) arguments(query url.Values) ([]string, error) {
	args := []string{q.command}
	for _, parameter := range q.jobs {
		id := query.Get(parameter)
		if !jobID.MatchString(id) {
			return nil, errors.New("give a job as " + parameter + "=4711")
		}
		args = append(args, id)
	}
	if q.push {
		if !pushNumber.MatchString(query.Get("push")) {
			return nil, errors.New("give a push as push=7")
		}
		args = append(args, query.Get("push"))
	}
	if q.since {
		if !period.MatchString(query.Get("since")) {
			return nil, errors.New("give a period as since=7d")
		}
		return append(args, "--since", query.Get("since")), nil
	}
	if !q.changes {
		return args, nil
	}
	changed, err := changes(query)
	return slices.Concat(args, []string{"--no-forecast"}, changed), err
}

var errNoSuch = errors.New("nothing is called so here; docs/how-to/share-the-page.md lists what is")

// question answers what is asked.
func (s *Site) question(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	name := r.PathValue("question")
	own := s.own(name)
	q, known := questions[name]
	if !known && own == nil {
		refuse(w, http.StatusNotFound, errNoSuch)
		return
	}
	args, err := q.arguments(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	c, m, err := s.asked(ctx, r)
	if err != nil {
		refuse(w, http.StatusNotFound, err)
		return
	}
	var p *packed
	switch {
	case !s.seesAll(r):
		p, err = s.toOwn(ctx, r, c, m, name, q, args)
	case own != nil:
		p, err = own(ctx, c, m)
	case q.stored:
		p, err = s.stored(ctx, c, q, args)
	case q.before:
		p, err = s.between(ctx, c, m, q)
	default:
		p, err = s.command(ctx, c, m, q, args)
	}
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		refuse(w, refused.status, err)
	case errors.Is(err, context.DeadlineExceeded):
		refuse(w, http.StatusServiceUnavailable, errors.New("this takes too long to compute"))
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, err)
	case q.format == "csv":
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		p.send(w, r, "text/csv; charset=utf-8")
	case q.format == "svg":
		w.Header().Set("Content-Security-Policy", picturePolicy)
		p.send(w, r, "image/svg+xml")
	default:
		p.send(w, r, "application/json")
	}
}

var errNothing = errors.New("there is no such cluster, or nothing of it at that moment")

// asked is the cluster and the moment that a request names: the first, and its last, where it names none.
func (s *Site) asked(ctx context.Context, r *http.Request) (*Cluster, *Moment, error) {
	list, err := s.Clusters(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, m := find(list, r.URL.Query().Get("cluster"), r.URL.Query().Get("at"))
	if m == nil {
		return nil, nil, errNothing
	}
	return c, m, nil
}

func (s *Site) command(ctx context.Context, c *Cluster, m *Moment, q question, args []string) (*packed, error) {
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	return a.command(ctx, cmp.Or(q.format, "json"), args...)
}

// stored is what a command says of a cluster in the store, as it is now.
func (s *Site) stored(ctx context.Context, c *Cluster, q question, args []string) (*packed, error) {
	if s.bundles != nil {
		return nil, errors.New("a bundle holds nothing of it: the page shows it of the store, with qprism view or serve")
	}
	d := *s.deps
	d.Called, d.Format = nil, cmp.Or(q.format, "json")
	text, err := answer(ctx, d, append(args, "--cluster", c.Name))
	if err != nil {
		return nil, err
	}
	return pack(text), nil
}

// between is what a command says of a moment and the one before it.
func (s *Site) between(ctx context.Context, c *Cluster, m *Moment, q question) (*packed, error) {
	before := c.before(m)
	if before == nil {
		return nil, errors.New("this is the first moment that is known: there is none before it")
	}
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	args := append([]string{q.command}, q.flags...)
	return a.of(ctx, q.format+strings.Join(args, " "), func() ([]byte, error) {
		d := a.deps
		d.Format = cmp.Or(q.format, "json")
		return answer(ctx, d, append(args, "--", before.path(), m.path()))
	})
}

// own answers a question that no command answers; nil for others.
func (s *Site) own(name string) func(context.Context, *Cluster, *Moment) (*packed, error) {
	return map[string]func(context.Context, *Cluster, *Moment) (*packed, error){"agreement": s.agreement, "queue": s.queue,
		"settings": s.settings}[name]
}

// ask answers a question about a moment that takes no parameters.
func (s *Site) ask(ctx context.Context, c *Cluster, m *Moment, name string) (*packed, error) {
	if own := s.own(name); own != nil {
		return own(ctx, c, m)
	}
	return s.command(ctx, c, m, questions[name], []string{name})
}

// An agreement is what an audit counts: its answer has every number of every job.
type agreement struct {
	Fields map[string]map[string]int `json:"fields"` // as audit has them
}

// agreement is what the audit of a moment counts.
func (s *Site) agreement(ctx context.Context, c *Cluster, m *Moment) (*packed, error) {
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	audit, err := a.command(ctx, "json", "audit")
	if err != nil {
		return nil, err
	}
	return a.of(ctx, "agreement", func() ([]byte, error) {
		var counts agreement
		if err := json.NewDecoder(audit.open()).Decode(&counts); err != nil {
			return nil, err
		}
		return show.Marshal(counts)
	})
}

// prepare answers what the page asks first of the cluster and the moment that it shows first, before anybody asks.
func (s *Site) prepare(ctx context.Context) {
	list, err := s.Clusters(ctx)
	if err != nil || len(list) == 0 {
		return
	}
	c, m := find(list, "", "")
	if m == nil {
		return
	}
	for _, name := range []string{"queue", "agreement", "lint", "shares"} {
		_, _ = s.ask(ctx, c, m, name) // what has no answer is said to who asks for it
	}
}

// queue lists the queue.
func (s *Site) queue(ctx context.Context, c *Cluster, m *Moment) (*packed, error) {
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	return a.of(ctx, "queue", func() ([]byte, error) {
		d := a.deps
		sel, args := m.selection()
		about, err := subject.Of(ctx, &d, &sel, args)
		if err != nil {
			return nil, err
		}
		list, err := listed(about)
		if err != nil {
			return nil, err
		}
		return show.Marshal(list)
	})
}
