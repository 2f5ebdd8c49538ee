package view

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
)

//go:embed assets
var files embed.FS

// views are the addresses of the page. All have the same page, which reads its address.
var views = []string{"/{$}", "/cluster", "/mine", "/why", "/moments", "/queue", "/job/{id}", "/compare", "/shares", "/plan", "/policy",
	"/diff", "/what-if", "/changes"}

// Handler answers requests for the page, for programs below /api/v1, and for Prometheus. The collectors add
// figures for Prometheus.
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
	mux.HandleFunc("GET /assets/", sendAsset)
	mux.HandleFunc("GET /events", s.events)
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

// unread are comments on lines of their own, and indentation: a browser needs neither.
var unread = regexp.MustCompile(`(?m)^\s*(//.*|/\*(?s:.*?)\*/)\n|^[ \t]+`)

// asset returns a file of the page.
func asset(name string) ([]byte, error) {
	text, err := files.ReadFile(name)
	if ours := !strings.Contains(name, "/vendor/"); ours && slices.Contains([]string{".js", ".css"}, path.Ext(name)) {
		text = unread.ReplaceAll(text, nil)
	}
	return text, err
}

func sendAsset(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	text, err := asset(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// Open sets the function that chooses the first view of a user: cluster, mine or why.
func (s *Site) Open(first func(name string) string) { s.opens = first }

// pageFor is the page for who asks: it knows the user's name and first view, and asks nothing that is refused.
func (s *Site) pageFor(assets fs.FS) http.HandlerFunc {
	text, err := fs.ReadFile(assets, "page.html")
	if err != nil {
		panic(err) // a file of the program
	}
	const root = `<html lang="en">`
	return func(w http.ResponseWriter, r *http.Request) {
		who, first, flags := whoAsks(r), "cluster", ""
		if s.opens != nil {
			first = s.opens(who)
		}
		if !s.seesAll(r) {
			flags = " data-own"
		}
		if s.bundles == nil {
			flags += " data-store"
		}
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.Replace(string(text), root,
			fmt.Sprintf(`<html lang="en" data-opens="%s" data-user="%s"%s>`, first, html.EscapeString(who), flags), 1))
	}
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

// A failure is the answer to a question that has no answer.
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

// patience is the time limit to compute an answer, Patience the limit until it is sent.
const (
	patience = 2 * time.Minute
	Patience = patience + 10*time.Second
)

var errNoSuch = errors.New("there is no such address here; docs/how-to/share-the-page.md lists the addresses")

// question answers a question.
func (s *Site) question(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	name := r.PathValue("question")
	q, known := questions[name]
	if !known {
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
		p, err = s.toOwn(ctx, r, c, m, q, args)
	case q.Stored:
		p, err = s.stored(ctx, c, q, append(args, q.month(m)...))
	case q.WithBefore:
		p, err = s.between(ctx, c, m, q)
	default:
		p, err = s.told(ctx, c, m, q, args)
	}
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		refuse(w, refused.status, err)
	case errors.Is(err, context.DeadlineExceeded):
		refuse(w, http.StatusServiceUnavailable, errors.New("this takes too long to compute"))
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, err)
	case q.Table:
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		p.send(w, r, "text/csv; charset=utf-8")
	case q.Picture:
		w.Header().Set("Content-Security-Policy", picturePolicy)
		p.send(w, r, "image/svg+xml")
	default:
		p.send(w, r, "application/json")
	}
}

var errNothing = errors.New("there is no such cluster, or it has no snapshot from that time")

// asked returns the cluster and the moment of a request. By default these are the first cluster and its last
// moment.
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

// told returns the answer of a command or of the page about a moment.
func (s *Site) told(ctx context.Context, c *Cluster, m *Moment, q Endpoint, args []string) (*packed, error) {
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	if q.own != nil {
		return q.own(s, ctx, a, c, m)
	}
	return a.command(ctx, q.format(), args...)
}

// stored returns the answer of a command about a cluster in the store, as it is now.
func (s *Site) stored(ctx context.Context, c *Cluster, q Endpoint, args []string) (*packed, error) {
	if s.bundles != nil {
		return nil, errors.New("a single bundle has no history: use the page of a store, with qprism view or serve")
	}
	d := *s.deps
	d.Called, d.Format = nil, q.format()
	text, err := answer(ctx, d, append(args, "--cluster", c.Name))
	if err != nil {
		return nil, err
	}
	return pack(text), nil
}

// between returns the answer of a command about a moment and the previous moment.
func (s *Site) between(ctx context.Context, c *Cluster, m *Moment, q Endpoint, flags ...string) (*packed, error) {
	before := c.before(m)
	if before == nil {
		return nil, errors.New("this is the first snapshot; there is none before it")
	}
	a, err := s.answers(ctx, c.Name, *m)
	if err != nil {
		return nil, err
	}
	args := append([]string{q.Command}, flags...)
	return a.of(ctx, "between "+q.format()+strings.Join(args, " "), func() ([]byte, error) {
		d := a.deps
		d.Format = q.format()
		return answer(ctx, d, append(args, "--", before.path(), m.path()))
	})
}

// ask answers a question about a moment that takes no parameters.
func (s *Site) ask(ctx context.Context, c *Cluster, m *Moment, name string) (*packed, error) {
	return s.told(ctx, c, m, questions[name], []string{name})
}

// An agreement has the counts of an audit. The audit itself has every number of every job.
type agreement struct {
	Fields map[string]map[string]int `json:"fields"` // as audit has them
}

// agreement returns the counts of the audit of a moment.
func (s *Site) agreement(ctx context.Context, a *Answers, c *Cluster, m *Moment) (*packed, error) {
	return a.of(ctx, "agreement", func() ([]byte, error) {
		d := a.deps
		sel, args := m.selection()
		counts, err := queue.CountsOf(ctx, &d, c.Name, sel, args)
		if err != nil {
			return nil, err
		}
		return show.Marshal(struct {
			Fields batch.Fields `json:"fields"`
		}{counts})
	})
}

// prepare computes the first answers that the page needs, before a user asks.
func (s *Site) prepare(ctx context.Context) {
	list, err := s.Clusters(ctx)
	if err != nil || len(list) == 0 {
		return
	}
	c, m := find(list, "", "")
	if m == nil {
		return
	}
	for _, name := range []string{"queue", "agreement", "lint", "shares", "load", "consumables"} {
		_, _ = s.ask(ctx, c, m, name) // a later request gets the error
	}
}
