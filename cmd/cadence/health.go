package cadence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"qprism/cmd/safe"
)

// A Status is the state of a task.
type Status struct {
	Cluster  string     `json:"cluster"`
	Task     string     `json:"task"`
	Line     string     `json:"cron,omitempty"`
	Deadline float64    `json:"deadline_seconds"`
	Running  bool       `json:"running"`
	Start    *time.Time `json:"last_start"`
	End      *time.Time `json:"last_end"`
	Success  *time.Time `json:"last_success"`
	Outcome  Outcome    `json:"outcome,omitempty"` // of the last ended run
	Error    string     `json:"error,omitempty"`
	Runs     int        `json:"runs"`
	Failures int        `json:"failures_in_a_row"`
	Next     *time.Time `json:"next"`
	Problem  string     `json:"problem,omitempty"` // why the daemon is not healthy

	allowed time.Duration // how late it may begin, because other tasks of its group run first
}

// taskStates has the known state of every task.
type taskStates struct {
	mu    sync.Mutex
	begun time.Time
	tasks map[[2]string]*Status
}

func newBoard(groups []Group, now time.Time, earlier *taskStates) *taskStates {
	b := &taskStates{begun: now, tasks: map[[2]string]*Status{}}
	if earlier != nil {
		earlier.mu.Lock()
		defer earlier.mu.Unlock()
		b.begun = earlier.begun
	}
	for _, g := range groups {
		allowed := g.Jitter + time.Minute
		for _, t := range g.Tasks {
			allowed += t.Deadline
		}
		for _, t := range g.Tasks {
			s := &Status{Cluster: g.Name, Task: t.Name}
			if earlier != nil && earlier.tasks[key(g.Name, t.Name)] != nil {
				*s = *earlier.tasks[key(g.Name, t.Name)]
				s.Running = false
			}
			s.Line, s.Deadline, s.allowed = t.Line, t.Deadline.Seconds(), allowed
			b.tasks[key(g.Name, t.Name)] = s
		}
	}
	return b
}

func key(group, task string) [2]string { return [2]string{group, task} }

func (b *taskStates) change(group, task string, do func(*Status)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do(b.tasks[key(group, task)])
}

func (b *taskStates) due(group, task string, at time.Time) {
	b.change(group, task, func(s *Status) {
		s.Next = nil
		if !at.IsZero() {
			s.Next = &at
		}
	})
}

func (b *taskStates) begin(group, task string, at time.Time) {
	b.change(group, task, func(s *Status) { s.Running, s.Start = true, &at })
}

func (b *taskStates) end(group, task string, at time.Time, o Outcome, err error) {
	b.change(group, task, func(s *Status) {
		s.Running, s.End, s.Outcome, s.Error = false, &at, o, ""
		s.Runs++
		if err != nil {
			s.Error = err.Error()
		}
		switch o {
		case OK:
			s.Failures, s.Success = 0, &at
		case Failed, Late:
			s.Failures++
		}
	})
}

// afterDeadline is how long a task may go on after its deadline before it hangs. What it sends, it sends to the
// end.
const afterDeadline = 10 * time.Minute

// Hangs reports whether a task still runs long after its deadline.
func (d *Daemon) Hangs(now time.Time) bool {
	return slices.ContainsFunc(d.status.statuses(now), func(s Status) bool {
		return s.Running && s.Start != nil && now.Sub(*s.Start).Seconds() > s.Deadline+afterDeadline.Seconds()
	})
}

// running names the tasks that run.
func (b *taskStates) running() (list []string) {
	for _, s := range b.statuses(time.Now()) {
		if s.Running {
			list = append(list, s.Cluster+" "+s.Task)
		}
	}
	return list
}

// statuses are copies, in order, each with its problem.
func (b *taskStates) statuses(now time.Time) []Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]Status, 0, len(b.tasks))
	for _, s := range slices.SortedFunc(maps.Values(b.tasks), func(a, b *Status) int {
		return cmp.Or(strings.Compare(a.Cluster, b.Cluster), strings.Compare(a.Task, b.Task))
	}) {
		own := *s
		own.Problem = own.problem(now)
		list = append(list, own)
	}
	return list
}

// problem describes the problem of a task: it does not end, does not begin, or failed.
func (s *Status) problem(now time.Time) string {
	deadline := time.Duration(s.Deadline * float64(time.Second))
	switch {
	case s.Running && now.Sub(*s.Start) > deadline+grace:
		return fmt.Sprintf("has run for %v; its deadline is %v", now.Sub(*s.Start).Round(time.Second), deadline)
	case !s.Running && s.Next != nil && now.Sub(*s.Next) > s.allowed:
		return fmt.Sprintf("was due %v ago", now.Sub(*s.Next).Round(time.Second))
	case s.Failures > 0:
		return fmt.Sprintf("failed %s: %s", times(s.Failures), s.Error)
	}
	return ""
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times in a row", n)
}

// Health is the state of the daemon.
type Health struct {
	Healthy bool      `json:"healthy"`
	Since   time.Time `json:"since"`
	Tasks   []Status  `json:"tasks"`
	Process Process   `json:"process"`
}

// Process is the program's use of resources.
type Process struct {
	Goroutines  int    `json:"goroutines"`
	Descriptors int    `json:"open_descriptors"` // 0 if not known
	Heap        uint64 `json:"heap_bytes"`       // in use, with garbage that is not yet collected
}

// Health returns the state of the daemon. The daemon is healthy if no task has a problem.
func (d *Daemon) Health() Health {
	h := Health{Healthy: true, Since: d.status.begun, Tasks: d.status.statuses(d.now()), Process: process()}
	for _, s := range h.Tasks {
		h.Healthy = h.Healthy && s.Problem == ""
	}
	return h
}

func process() Process {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p := Process{Goroutines: runtime.NumGoroutine(), Heap: m.HeapAlloc}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		p.Descriptors = len(open)
	}
	return p
}

// ServeHTTP answers GET /health with the state as JSON. The HTTP status is 200 for a healthy daemon, otherwise
// 503.
func (h Health) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !h.Healthy {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	e := json.NewEncoder(safe.NewJSONWriter(w))
	e.SetIndent("", "  ")
	_ = e.Encode(h) // who asked has gone
}
