package serve

import (
	"fmt"
	"io"

	"github.com/prometheus/client_golang/prometheus"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/view"
)

func (s *server) showPage(config *cadence.Config) (io.Closer, error) {
	e := config.Page
	if e.Address == "" {
		return io.NopCloser(nil), nil
	}
	site := view.Stored(DepsFor(s.Deps, config), "")
	site.Queue(inTurn)
	actor := &pageActor{server: s, stop: make(chan struct{})}
	if e.Acts() {
		site.Let(actor, actor.may, s.log)
	}
	now := func() *cadence.Endpoint {
		if now := s.config.Load(); now != nil && now.Page.Address == e.Address { // else the page begins when serve restarts
			return &now.Page
		}
		return &e
	}
	site.Hide(func(name string) bool { return now().SeesAll(name) })
	site.Open(func(name string) string { return now().First(name) })
	handler, err := view.Admitted(e, site.Handler(&taskFigures{s}), s.log)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	h := view.Server(view.Guarded(e.Local(), handler), view.Patience)
	if err := s.answer(e, h, "page", "/"); err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return closing(func() error {
		err := h.Close()
		close(actor.stop)
		site.Finish(config.StopWithin)
		return err
	}), nil
}

// closing is a way to close something.
type closing func() error

func (f closing) Close() error { return f() }

// taskFigures are the figures of tasks for Prometheus.
type taskFigures struct{ *server }

func taskFigure(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("qprism_task_"+name, help, []string{"cluster", "task"}, nil)
}

var (
	taskSuccess  = taskFigure("last_success_timestamp_seconds", "When the task last succeeded.")
	taskTime     = taskFigure("last_run_seconds", "How long its last run took.")
	taskRuns     = taskFigure("runs_total", "How often it ran.")
	taskFailures = taskFigure("failures_in_a_row", "How often it failed since it last succeeded.")
	taskProblem  = taskFigure("unhealthy", "1 if it fails, does not end, or is overdue.")
)

func (f *taskFigures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{taskSuccess, taskTime, taskRuns, taskFailures, taskProblem} {
		to <- d
	}
}

func (f *taskFigures) Collect(to chan<- prometheus.Metric) {
	d := f.daemon.Load()
	if d == nil {
		return
	}
	for _, t := range d.Health().Tasks {
		send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64) {
			to <- prometheus.MustNewConstMetric(d, kind, v, t.Cluster, t.Task)
		}
		if t.Success != nil {
			send(taskSuccess, prometheus.GaugeValue, float64(t.Success.UnixMilli())/1000)
		}
		if !t.Running && t.Start != nil && t.End != nil {
			send(taskTime, prometheus.GaugeValue, t.End.Sub(*t.Start).Seconds())
		}
		send(taskRuns, prometheus.CounterValue, float64(t.Runs))
		send(taskFailures, prometheus.GaugeValue, float64(t.Failures))
		send(taskProblem, prometheus.GaugeValue, map[bool]float64{true: 1}[t.Problem != ""])
	}
}
