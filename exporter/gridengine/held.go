package gridengine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/antchfx/xmlquery"

	"qprism/compat/xmldoc"
	"qprism/engine/model"
	"qprism/exporter"
)

// A Look is what the master says of jobs that are driven, at one moment.
type Look struct {
	Held    map[string]model.TaskSet // under an operator hold, by job
	Other   map[string]model.TaskSet // under a hold of another kind
	Waiting map[string]model.TaskSet // that have not started
	Running map[string]model.TaskSet
	P       map[string]string // -p, by job
	// Of the jobs that were asked about in full: their -l lists ("mem=1G,h_rt=3600"), whether slots are reserved (y or n), the reason that
	// their context holds; and whose they are.
	Values map[string]map[string]string
	Whose  map[string]string
}

// value is what a job has.
func (l *Look) value(job, attribute string) string {
	if attribute == priority {
		return l.P[job]
	}
	return l.Values[job][attribute]
}

// there reports whether the master still knows a job.
func (l *Look) there(job string) bool { return len(l.Waiting[job]) > 0 || len(l.Running[job]) > 0 }

// A row is a job_list element of qstat -g t -pri -xml.
type row struct{ Number, State, Queue, Role, Tasks, Priority string }

func rowIn(r *xmldoc.Record) row {
	return row{r.Text("JB_job_number"), r.Text("state"), r.Text("queue_name"), r.Text("master"), r.Text("tasks"), r.Text("JB_priority")}
}

// lookAt asks the master for holds, for what waits and runs, and for the requests of some jobs.
func lookAt(ctx context.Context, run exporter.Runner, jobs []string) (*Look, error) {
	commands := [][]string{
		{"qstat", "-u", "*", "-g", "t", "-pri", "-xml"},
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
		Running: map[string]model.TaskSet{}, P: map[string]string{}, Values: map[string]map[string]string{}, Whose: map[string]string{}}
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
	l.P[r.Number] = r.Priority
	if r.Queue == "" {
		return gather(l.Waiting)(r)
	}
	return gather(l.Running)(r)
}

// details reads jobs in the output of qstat -j -xml.
func (l *Look) details(text string) error {
	return details(text, func(job string, r *xmldoc.Record) {
		v := map[string]string{reserve: "n"}
		for name, attribute := range map[string]string{"JB_hard_resource_list": hard, "JB_soft_resource_list": soft} {
			if list := r.SelectElement(name); list != nil {
				v[attribute] = writeRequests(list.SelectElements("*"))
			}
		}
		if text := r.Text("JB_reserve"); text == "true" || text == "1" {
			v[reserve] = "y"
		}
		if list := r.SelectElement("JB_context"); list != nil {
			for _, n := range list.SelectElements("*") {
				if variable := (xmldoc.Record{Node: n}); variable.Text("VA_variable") == model.DecidedContext {
					v[why] = variable.Text("VA_value")
				}
			}
		}
		l.Values[job] = v
		if owner := r.Text("JB_owner"); owner != "" {
			l.Whose[job] = exporter.Whose(owner, seconds(r.Text("JB_submission_time")))
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
