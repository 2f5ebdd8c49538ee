package gridengine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antchfx/xmlquery"

	"qprism/compat/xmldoc"
	"qprism/engine/model"
	"qprism/exporter"
)

// The attributes of claims.
const (
	held = "hold" // an operator hold, -h o, of the tasks that the claim names
	hard = "hard" // the hard -l list
	soft = "soft" // the soft -l list
	left = "left" // tasks that somebody else released: they are left alone
)

// A Look is what the master says of jobs that are driven, at one moment.
type Look struct {
	Held    map[string]model.TaskSet // under an operator hold, by job
	Other   map[string]model.TaskSet // under a hold of another kind
	Waiting map[string]model.TaskSet // that have not started
	Running map[string][]Running
	// Requests are the -l lists of the jobs that were asked about, by job and attribute: "mem=1G,h_rt=3600".
	Requests map[string]map[string]string
}

// Running is a task that has started.
type Running struct {
	Task    uint32
	Slots   map[string]int // rows of qstat -g t, by queue instance
	Master  string         // the queue instance of the master task
	Counted bool           // some row is a slave's: then the master's row may be none of its slots
}

// there reports whether the master still knows a job.
func (l *Look) there(job string) bool { return len(l.Waiting[job]) > 0 || len(l.Running[job]) > 0 }

// running are the tasks of a job that have started.
func (l *Look) running(job string) model.TaskSet {
	s := model.TaskSet{}
	for _, r := range l.Running[job] {
		s[r.Task] = true
	}
	return s
}

// A row is a job_list element of qstat -g t -xml.
type row struct{ Number, State, Queue, Role, Tasks string }

func rowIn(r *xmldoc.Record) row {
	return row{r.Text("JB_job_number"), r.Text("state"), r.Text("queue_name"), r.Text("master"), r.Text("tasks")}
}

// lookAt asks the master for holds, for what waits and runs, and for the requests of some jobs.
func lookAt(ctx context.Context, run exporter.Runner, jobs []string) (*Look, error) {
	commands := [][]string{
		{"qstat", "-u", "*", "-g", "t", "-xml"},
		{"qstat", "-u", "*", "-s", "ho", "-xml"},
		{"qstat", "-u", "*", "-s", "huhshd", "-xml"},
	}
	for some := range slices.Chunk(jobs, jobsPerCall) {
		commands = append(commands, []string{"qstat", "-u", "*", "-j", strings.Join(some, ","), "-xml"})
	}
	results, err := run.Run(ctx, commands)
	if err != nil {
		return nil, err
	}
	for i, argv := range commands {
		if i >= len(results) || results[i].Exit != 0 {
			return nil, exporter.Failure(argv, results[min(i, len(results)):]...)
		}
	}
	l := &Look{Held: map[string]model.TaskSet{}, Other: map[string]model.TaskSet{}, Waiting: map[string]model.TaskSet{},
		Running:  map[string][]Running{},
		Requests: map[string]map[string]string{}}
	for i, read := range []func(row) error{l.all, gather(l.Held), gather(l.Other)} {
		rows, err := listedJobs(results[i].Out, rowIn)
		for k := 0; k < len(rows) && err == nil; k++ {
			err = read(rows[k])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(commands[i], " "), err)
		}
	}
	for i := 3; i < len(commands); i++ {
		if err := l.details(results[i].Out); err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(commands[i], " "), err)
		}
	}
	return l, nil
}

// gather adds rows to a set of tasks.
func gather(to map[string]model.TaskSet) func(row) error {
	return func(r row) error {
		tasks, err := model.ParseTasks(r.Tasks)
		to[r.Number] = to[r.Number].With(tasks)
		return err
	}
}

// all adds a row of what waits or runs. A job that is about to be deleted counts as running where it has a queue.
func (l *Look) all(r row) error {
	if r.Queue == "" {
		return gather(l.Waiting)(r)
	}
	tasks, err := model.ParseTasks(r.Tasks)
	if err != nil {
		return err
	}
	for _, task := range tasks.Numbers() {
		l.start(r, task)
	}
	return nil
}

func (l *Look) start(r row, task uint32) {
	list := l.Running[r.Number]
	at := slices.IndexFunc(list, func(o Running) bool { return o.Task == task })
	if at < 0 {
		at = len(list)
		list = append(list, Running{Task: task, Slots: map[string]int{}})
		l.Running[r.Number] = list
	}
	list[at].Slots[r.Queue]++
	if r.Role == "MASTER" {
		list[at].Master = r.Queue
	} else {
		list[at].Counted = true
	}
}

// At reports whether a task runs where it was decided: "all.q@node01=4 all.q@node02=2". Where a parallel environment does not count
// the job's first task, the master has a row besides its slots.
func (r *Running) At(places string) bool {
	if writePlaces(r.Slots) == places {
		return true
	}
	own := maps.Clone(r.Slots)
	if own[r.Master]--; own[r.Master] == 0 {
		delete(own, r.Master)
	}
	return r.Counted && writePlaces(own) == places
}

func writePlaces(slots map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(slots)) {
		parts = append(parts, fmt.Sprintf("%s=%d", name, slots[name]))
	}
	return strings.Join(parts, " ")
}

// details reads the -l lists of jobs in the output of qstat -j -xml.
func (l *Look) details(text string) error {
	return details(text, func(job string, r *xmldoc.Record) {
		l.Requests[job] = map[string]string{}
		for name, attribute := range map[string]string{"JB_hard_resource_list": hard, "JB_soft_resource_list": soft} {
			if list := r.SelectElement(name); list != nil {
				l.Requests[job][attribute] = writeRequests(list.SelectElements("*"))
			}
		}
	})
}

// writeRequests writes a -l list, whatever its elements are called.
func writeRequests(list []*xmlquery.Node) string {
	parts := make([]string, len(list))
	for i, n := range list {
		request := xmldoc.Record{Node: n}
		parts[i] = request.Text("CE_name") + "=" + request.Text("CE_stringval")
	}
	return strings.Join(parts, ",")
}
