package view

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"qprism/cmd/qprism/past"
)

// An Act is a change of a cluster that a user asks for on the page.
type Act struct {
	Cluster string   `json:"cluster"`
	Kind    string   `json:"kind"` // one of Allowed
	Jobs    []string `json:"jobs"` // for first
	Policy  string   `json:"policy"`
	Push    int64    `json:"push"` // for undo and resume
}

// Allowed lists the changes that the page may make on a cluster.
type Allowed struct {
	// first, policy, configured, undo, resume, release; give_back for values of drives; empty for nothing
	Kinds    []string `json:"kinds"`
	Policies []string `json:"policies"` // for policy
}

// A Plan is what an act would send.
type Plan struct {
	Commands [][]string       `json:"commands"`
	Orders   []past.JSONOrder `json:"orders"`
	Refused  string           `json:"refused"`  // why it would not be sent; empty if it would
	Snapshot int64            `json:"snapshot"` // its snapshot; 0 for an undo
}

// An Outcome is the result of an act.
type Outcome struct {
	Outcome string           `json:"outcome"`
	Orders  []past.JSONOrder `json:"orders"`
}

// An Actor changes clusters, like the commands push and drive.
type Actor interface {
	Allowed(ctx context.Context, cluster string) (Allowed, error)
	// Plan asks the cluster for its state. It sends no orders.
	Plan(ctx context.Context, act Act, by string) (*Plan, error)
	// Do sends a plan, unless the plan would now be different.
	Do(ctx context.Context, act Act, plan *Plan, by string, tell func(string)) (*Outcome, error)
}

// An actsReport is what the page may change, and what was changed through it lately.
type actsReport struct {
	Cluster string `json:"cluster"`
	May     bool   `json:"may"` // who asks may change something
	Who     string `json:"who"` // who asks; empty where no name is known
	Allowed
	CSRF string `json:"csrf"` // what X-CSRF-Token is to be; empty for who may not
	Acts []done `json:"acts"` // the newest first
}

// done is an act that was begun.
type done struct {
	ID    int64     `json:"id"`
	By    string    `json:"by"`
	Act   Act       `json:"act"`
	Said  []string  `json:"said"` // while it was done
	Begun time.Time `json:"begun"`
	Ended time.Time `json:"ended"` // null while it is not finished
	Error string    `json:"error"`
	Outcome
}

// A ticket is an act that was shown to a user. Its owner may have exactly this act sent, once.
type ticket struct {
	Ticket string `json:"ticket"`
	Act    Act    `json:"act"`
	Plan
	Until time.Time `json:"until"`

	session string // of whom it was shown to
}

// sent asks for what a ticket is for.
type sent struct {
	Ticket string `json:"ticket"`
}

// begun is an act that is done now: what becomes of it acts tells.
type begun struct {
	ID int64 `json:"id"`
}

// Bounds of acts.
const (
	ticketTime   = 2 * time.Minute // that a person has to look at a plan
	mostTickets  = 50
	mostDone     = 20
	mostActJobs  = 100
	mostActBytes = 1 << 14
	mostAMinute  = 12 // requests that somebody may make
)

const actCookie = "qprism-acts"

// acts are the changes that the page may make. A change needs a POST with a token that only the page can read.
// Only the user who has seen the plan can send it.
type acts struct {
	actor  Actor
	may    func(name string) bool
	log    *slog.Logger
	secret []byte

	mu      sync.Mutex
	tickets map[string]*ticket
	list    []*done
	busy    bool
	asked   map[string][]time.Time
	running sync.WaitGroup
	ctx     context.Context
	cancel  context.CancelFunc
}

// Let allows these users to change clusters through an actor.
func (s *Site) Let(actor Actor, may func(name string) bool, log *slog.Logger) {
	a := &acts{actor: actor, may: may, log: log, secret: []byte(rand.Text()), tickets: map[string]*ticket{},
		asked: map[string][]time.Time{}}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	s.acts = a
}

// Finish waits until acts end. After the time within it stops them.
func (s *Site) Finish(within time.Duration) {
	if s.acts == nil {
		return
	}
	late := time.AfterFunc(within, s.acts.cancel)
	defer late.Stop()
	s.acts.running.Wait()
}

// report answers which changes are allowed on a cluster, and which were made.
func (s *Site) report(w http.ResponseWriter, r *http.Request) {
	a, who := s.acts, whoAsks(r)
	report := actsReport{Who: who, Allowed: Allowed{Kinds: []string{}, Policies: []string{}}, Acts: []done{}}
	if a == nil || !a.may(who) {
		_ = sendJSON(w, r, report)
		return
	}
	c, _, err := s.asked(r.Context(), r)
	if err == nil {
		report.Allowed, err = a.actor.Allowed(r.Context(), c.Name)
	}
	if err != nil {
		refuse(w, http.StatusNotFound, err)
		return
	}
	report.Cluster, report.May, report.CSRF = c.Name, len(report.Kinds) > 0, a.csrf(a.session(w, r), who)
	a.mu.Lock()
	for _, d := range a.list {
		if d.Act.Cluster == c.Name {
			copied := *d
			copied.Said = slices.Clone(d.Said)
			report.Acts = append(report.Acts, copied)
		}
	}
	a.mu.Unlock()
	_ = sendJSON(w, r, report)
}

// session returns the session of a browser. If there is none, it makes one.
func (a *acts) session(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(actCookie); err == nil && len(c.Value) == len(rand.Text()) {
		return c.Value
	}
	id := rand.Text()
	http.SetCookie(w, &http.Cookie{Name: actCookie, Value: id, Path: "/api/v1/acts", HttpOnly: true,
		Secure:   callerOf(r).secured,
		SameSite: http.SameSiteStrictMode})
	return id
}

// csrf returns the token that requests of a session must have. Other sites cannot read it.
func (a *acts) csrf(session, who string) string {
	mac := hmac.New(sha256.New, a.secret)
	fmt.Fprintf(mac, "%q %q", session, who)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// A refusal has a status.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

// admitted returns the session of a request that may ask for a change, and the name of the user.
func (a *acts) admitted(w http.ResponseWriter, r *http.Request, to any) (session string, err error) {
	who := whoAsks(r)
	if !a.may(who) {
		return "", &refusal{http.StatusForbidden, "the configuration does not let you change anything: the " +
			"key acts lists who may"}
	}
	if r.Header.Get("Content-Type") != "application/json" {
		return "", &refusal{http.StatusUnsupportedMediaType, "send JSON"}
	}
	c, err := r.Cookie(actCookie)
	if err != nil || !hmac.Equal([]byte(r.Header.Get("X-CSRF-Token")), []byte(a.csrf(c.Value, who))) {
		return "", &refusal{http.StatusForbidden, "X-CSRF-Token does not match this session " +
			"(/api/v1/acts): load the page again"}
	}
	if !a.slowly(who) {
		w.Header().Set("Retry-After", "60")
		return "", &refusal{http.StatusTooManyRequests, fmt.Sprintf("at most %d such requests a minute", mostAMinute)}
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostActBytes))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return "", &refusal{http.StatusBadRequest, "the request is not valid: " + err.Error()}
	}
	return c.Value, nil
}

// slowly reports whether somebody asks slowly enough, and counts this time.
func (a *acts) slowly(who string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := time.Now().Add(-time.Minute)
	a.asked[who] = slices.DeleteFunc(a.asked[who], func(t time.Time) bool { return t.Before(before) })
	if len(a.asked[who]) >= mostAMinute {
		return false
	}
	a.asked[who] = append(a.asked[who], time.Now())
	return true
}

// refused sends why nothing is done, and keeps it.
func (a *acts) refused(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusUnprocessableEntity
	if known, is := errors.AsType[*refusal](err); is {
		status = known.status
	}
	a.log.Warn("refused on the page", "by", by(r), "path", r.URL.Path, "why", err.Error())
	refuse(w, status, err)
}

// by says who asks, for people who wonder who changed something.
func by(r *http.Request) string {
	if name := whoAsks(r); name != "" {
		return name + " (page)"
	}
	return "who has the token (page)"
}

// plan shows what an act would send.
func (s *Site) plan(w http.ResponseWriter, r *http.Request) {
	a := s.acts
	var act Act
	session, err := a.admitted(w, r, &act)
	if err == nil {
		err = s.check(r.Context(), &act)
	}
	var p *Plan
	if err == nil {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		p, err = a.actor.Plan(ctx, act, by(r))
	}
	if err != nil {
		a.refused(w, r, err)
		return
	}
	t := &ticket{Ticket: rand.Text(), Act: act, Plan: *p, Until: time.Now().Add(ticketTime),
		session: a.csrf(session, whoAsks(r))}
	a.mu.Lock()
	if len(a.tickets) >= mostTickets {
		clear(a.tickets)
	}
	a.tickets[t.Ticket] = t
	a.mu.Unlock()
	_ = sendJSON(w, r, t)
}

// check fails unless the configuration allows the act.
func (s *Site) check(ctx context.Context, act *Act) error {
	allowed, err := s.acts.actor.Allowed(ctx, act.Cluster)
	if err != nil {
		return err
	}
	bad := func(why string) error { return &refusal{http.StatusBadRequest, why} }
	switch {
	case !slices.Contains(allowed.Kinds, act.Kind):
		return &refusal{http.StatusForbidden, "the configuration does not allow this: it needs allow: " +
			"push for the cluster, or allow: drive to take back what drives changed"}
	case act.Kind == "policy" && !slices.Contains(allowed.Policies, act.Policy):
		return bad("there is no such policy")
	case act.Kind == "first" && (len(act.Jobs) == 0 || len(act.Jobs) > mostActJobs):
		return bad("name jobs, at most " + strconv.Itoa(mostActJobs))
	case act.Kind == "undo" || act.Kind == "resume":
		if act.Push <= 0 {
			return bad("name a push")
		}
	}
	for _, job := range act.Jobs {
		if !jobID.MatchString(job) {
			return bad("name jobs by their numbers")
		}
	}
	return nil
}

// do sends a plan that was shown: once, for the user who saw it, and never two at the same time.
func (s *Site) do(w http.ResponseWriter, r *http.Request) {
	a := s.acts
	var asked sent
	session, err := a.admitted(w, r, &asked)
	if err == nil {
		var d *done
		if d, err = a.begin(asked.Ticket, a.csrf(session, whoAsks(r)), by(r)); err == nil {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusAccepted)
			_ = json.NewEncoder(w).Encode(begun{d.ID})
			return
		}
	}
	a.refused(w, r, err)
}

// begin begins the act of a ticket.
func (a *acts) begin(id, session, by string) (*done, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.tickets[id]
	switch {
	case t == nil || t.session != session || time.Now().After(t.Until):
		return nil, &refusal{http.StatusGone, "this preview is no longer valid: look again"}
	case t.Refused != "":
		return nil, &refusal{http.StatusConflict, t.Refused}
	case a.busy:
		return nil, &refusal{http.StatusConflict, "another act is running: wait until it ends"}
	case a.ctx.Err() != nil:
		return nil, &refusal{http.StatusServiceUnavailable, "qprism is stopping"}
	}
	delete(a.tickets, id)
	d := &done{ID: 1, By: by, Act: t.Act, Said: []string{}, Begun: time.Now(),
		Outcome: Outcome{Orders: []past.JSONOrder{}}}
	if len(a.list) > 0 {
		d.ID = a.list[0].ID + 1
	}
	a.list = append([]*done{d}, a.list[:min(len(a.list), mostDone-1)]...)
	a.busy = true
	a.running.Go(func() { a.send(t, d, by) })
	return d, nil
}

// send carries out the act, and notes its result.
func (a *acts) send(t *ticket, d *done, by string) {
	a.log.Info("asked for on the page", "by", by, "cluster", t.Act.Cluster, "act", t.Act.Kind,
		"push", t.Act.Push, "jobs", t.Act.Jobs, "commands", len(t.Commands))
	o, err := a.actor.Do(a.ctx, t.Act, &t.Plan, by, func(text string) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if len(d.Said) == 0 || d.Said[len(d.Said)-1] != text { // it waits for the next run in the same words each time
			d.Said = append(d.Said, text)
		}
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.busy, d.Ended = false, time.Now()
	if o != nil {
		d.Outcome = *o
	}
	if err != nil {
		d.Error = err.Error()
	}
	a.log.Info("done on the page", "by", by, "cluster", t.Act.Cluster, "act", t.Act.Kind, "outcome",
		d.Outcome.Outcome, "error", d.Error)
}
