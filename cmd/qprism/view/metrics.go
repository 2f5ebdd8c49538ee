package view

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"qprism/cmd/qprism/past"
)

// Metrics tell Prometheus of each cluster's last moment.
func (s *Site) metrics(more []prometheus.Collector) http.Handler {
	whole, own := s.metricsOf(more, false), s.metricsOf(more, true)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.seesAll(r) {
			whole.ServeHTTP(w, r)
			return
		}
		own.ServeHTTP(w, r)
	})
}

// metricsOf are figures with all labels, or without those that name users.
func (s *Site) metricsOf(more []prometheus.Collector, own bool) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(slices.Concat(more, []prometheus.Collector{newFigures(s, own)})...)
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 2, ErrorHandling: promhttp.ContinueOnError})
}

// A figure is one metric for Prometheus.
func figure(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("qprism_"+name, help, append([]string{"cluster"}, labels...), nil)
}

var (
	snapshotTime = figure("snapshot_timestamp_seconds", "Time of the last snapshot.")
	auditNumbers = figure("audit_numbers", "Numbers of the master in the last audit, by result.", "outcome")
	queueLength  = figure("queue_length", "Running tasks, and waiting jobs that can start.", "state")
	waitingJobs  = figure("waiting_jobs", "Waiting lines of the queue, by first reason.", "reason")
	waitedTime   = figure("waited_seconds", "Total waiting time of these lines.", "reason")
	longestWait  = figure("longest_wait_seconds", "Waiting time of the first of these lines.", "reason")
	findings     = figure("lint_findings", "Policy warnings, and jobs that can never run.", "kind")
	shareTarget  = figure("share_target_ratio", "Target share of a node of the share tree.", "node")
	shareActual  = figure("share_actual_ratio", "Part of the total usage by a node of the share tree.", "node")
	orderDrift   = figure("order_tau_b", "Rank correlation (Kendall's tau-b) of the expected order and "+
		"the starts since the snapshot before; 1 = same order.")
	startError = figure("forecast_error_seconds",
		"Forecast error of the starts since the snapshot before.", "quantile")
	unanswered = figure("questions_failed", "Questions about the last snapshot without an answer.")
	every      = []*prometheus.Desc{snapshotTime, auditNumbers, queueLength, waitingJobs,
		waitedTime, longestWait, findings, shareTarget,
		shareActual, orderDrift, startError, unanswered}
)

// figures are made when they are asked for, once for each snapshot: a scrape costs little. The site keeps the answers
// about a few snapshots only, and a scrape asks about all clusters.
type figures struct {
	site *Site
	own  bool // no label names a user

	mu   sync.Mutex
	made map[string]madeFigures // by cluster
}

// madeFigures are those of the last moment of a cluster.
type madeFigures struct {
	moment  string
	metrics []prometheus.Metric
}

func newFigures(s *Site, own bool) *figures {
	return &figures{site: s, own: own, made: map[string]madeFigures{}}
}

func (f *figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range every {
		to <- d
	}
}

func (f *figures) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	list, err := f.site.Clusters(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(snapshotTime, err)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range list {
		c := &list[i]
		if len(c.Moments) == 0 {
			continue
		}
		m := &c.Moments[len(c.Moments)-1]
		made := f.made[c.Name]
		if made.moment != m.ID {
			made = f.make(ctx, c, m)
		}
		for _, metric := range made.metrics {
			to <- metric
		}
	}
}

// make makes the figures of a moment. It forgets the snapshot afterwards, unless the page has read it: so the memory is
// enough for one.
func (f *figures) make(ctx context.Context, c *Cluster, m *Moment) (made madeFigures) {
	made.moment = m.ID
	_ = f.site.turn(ctx, func() error { // an error leaves out the cluster: the time is over
		unread := f.site.unread(c, m)
		complete := false
		if made.metrics, complete = f.of(ctx, c, m); complete {
			f.made[c.Name] = made
		}
		if unread {
			f.site.drop(c, m)
		}
		return nil
	})
	return made
}

// of are the figures of a moment, and whether there was time for all.
func (f *figures) of(ctx context.Context, c *Cluster, m *Moment) (metrics []prometheus.Metric, complete bool) {
	send := func(d *prometheus.Desc, v float64, labels ...string) {
		for i := range labels {
			labels[i] = strings.ToValidUTF8(labels[i], "\uFFFD")
		}
		metrics = append(metrics, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v,
			append([]string{strings.ToValidUTF8(c.Name, "\uFFFD")}, labels...)...))
	}
	hide := func(text string) string { return text }
	if f.own {
		a, err := f.site.answers(ctx, c.Name, *m)
		if err != nil {
			send(unanswered, float64(len(every)))
			return metrics, false
		}
		hide = a.mine("", m).hidden
	}
	failed := 0.0
	f.drift(ctx, c, m, send)
	for question, tell := range map[string]func(*json.Decoder, addMetric, hider) error{
		"agreement": tellAudit, "lint": tellLint, "shares": tellShares, "queue": tellQueue} {
		p, err := f.site.ask(ctx, c, m, question)
		if err == nil {
			err = tell(json.NewDecoder(p.open()), send, hide)
		}
		if err != nil {
			failed++
		}
	}
	if !m.TakenAt.IsZero() {
		send(snapshotTime, float64(m.TakenAt.UnixMilli())/1000)
	}
	send(unanswered, failed)
	return metrics, ctx.Err() == nil
}

// drift compares the starts since the last moment with the order and the forecast that were expected then, if both
// snapshots allow it.
func (f *figures) drift(ctx context.Context, c *Cluster, m *Moment, tell addMetric) {
	before := c.before(m)
	if before == nil {
		return
	}
	a, err := f.site.answers(ctx, c.Name, *m)
	if err != nil {
		return
	}
	d := a.deps // they hold the snapshot
	drift, err := past.DriftOf(ctx, &d, before.path(), m.path())
	if err != nil {
		return // one of the two lacks something
	}
	if !math.IsNaN(drift.TauB) {
		tell(orderDrift, drift.TauB)
	}
	if !math.IsNaN(drift.P50) {
		tell(startError, drift.P50, "0.5")
		tell(startError, drift.P90, "0.9")
	}
}

type addMetric = func(d *prometheus.Desc, v float64, labels ...string)

// hider makes a label of a text: it may hide names.
type hider = func(string) string

func tellAudit(text *json.Decoder, tell addMetric, _ hider) error {
	var a agreement
	if err := text.Decode(&a); err != nil {
		return err
	}
	for _, outcome := range []string{"agree", "stale", "input_missing", "unexplained"} {
		sum := 0
		for _, f := range a.Fields {
			sum += f[outcome]
		}
		tell(auditNumbers, float64(sum), outcome)
	}
	return nil
}

func tellLint(text *json.Decoder, tell addMetric, _ hider) error {
	var l struct{ Traps, Never []json.RawMessage }
	if err := text.Decode(&l); err != nil {
		return err
	}
	tell(findings, float64(len(l.Traps)), "trap")
	tell(findings, float64(len(l.Never)), "never")
	return nil
}

// mostNodes limits the nodes of a tree in the metrics. The first ones count; in a PBS tree they are near the
// root.
const mostNodes = 500

func tellShares(text *json.Decoder, tell addMetric, hide hider) error {
	var s struct {
		Nodes []struct {
			Node   string   `json:"node_name"`
			Path   string   `json:"path"`
			Target *float64 `json:"long_target_share"`
			Actual *float64 `json:"actual_share"`
			Perc   *float64 `json:"fairshare_perc"`
			Usage  float64  `json:"usage"`
		}
	}
	if err := text.Decode(&s); err != nil {
		return err
	}
	for i, n := range s.Nodes[:min(len(s.Nodes), mostNodes)] {
		switch {
		case i == 0: // the root has and is due everything
		case hide(n.Node) != n.Node || hide(n.Path) != n.Path: // a user's
		case n.Target != nil && n.Actual != nil:
			tell(shareTarget, *n.Target, n.Node)
			tell(shareActual, *n.Actual, n.Node)
		case n.Perc != nil && s.Nodes[0].Usage > 0:
			tell(shareTarget, *n.Perc, n.Path)
			tell(shareActual, n.Usage/s.Nodes[0].Usage, n.Path)
		}
	}
	return nil
}

// placesCounted matches the number of places of a reason. It changes with every run, so it is not part of a
// label.
var placesCounted = regexp.MustCompile(` \(\d+\)$`)

// mostReasons limits the number of different reasons.
const mostReasons = 40

func tellQueue(text *json.Decoder, tell addMetric, hide hider) error {
	var q struct {
		TakenAt          time.Time `json:"taken_at"`
		Waiting, Running float64
		Rows             [][]any
	}
	if err := text.Decode(&q); err != nil {
		return err
	}
	tell(queueLength, q.Waiting, "waiting")
	tell(queueLength, q.Running, "running")
	jobs, waited, longest := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, row := range q.Rows {
		why, _ := row[columnWhy].(string)
		if why == "" {
			continue
		}
		reason, _, _ := strings.Cut(why, "; ")
		reason = hide(placesCounted.ReplaceAllString(reason, ""))
		if row[columnNever] == true {
			reason = "can never run"
		}
		if jobs[reason] == 0 && len(jobs) >= mostReasons {
			reason = "other"
		}
		jobs[reason]++
		if at, err := time.Parse(time.RFC3339Nano, textOf(row[columnSubmitted])); err == nil {
			wait := max(0, q.TakenAt.Sub(at).Seconds())
			waited[reason] += wait
			longest[reason] = max(longest[reason], wait)
		}
	}
	for reason, n := range jobs {
		tell(waitingJobs, n, reason)
		tell(waitedTime, waited[reason], reason)
		tell(longestWait, longest[reason], reason)
	}
	return nil
}

func textOf(v any) string {
	text, _ := v.(string)
	return text
}
