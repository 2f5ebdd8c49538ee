package gridengine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/antchfx/xmlquery"

	"qprism/compat/xmldoc"
	"qprism/engine/model"
	"qprism/exporter"
)

// A Look has the master's values of jobs in a drive, at one moment.
type Look struct {
	Held    map[string]model.TaskSet // tasks under an operator hold, by job
	Waiting map[string]model.TaskSet // tasks that have not started, by job
	Running map[string]model.TaskSet
	P       map[string]string // -p, by job
	// Values has details of some jobs: -l lists, -R, the reason in the context, owner and submission.
	Values map[string]map[string]string
	Whose  map[string]string
}

// value returns the value of an attribute of a job.
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
	return row{r.Text("JB_job_number"), r.Text("state"), r.Text("queue_name"), r.Text("master"),
		r.Text("tasks"), r.Text("JB_priority")}
}

// A Captured is output of a capture that was just made. With it, Look need not ask the master again.
type Captured struct {
	Listing string // qstat -u '*' -pri -xml; more columns are allowed
	Details string // qstat -u '*' -j '*' -xml
}

// lookAt asks for waiting and running jobs, for holds if there are any, and for the requests of some jobs.
func lookAt(ctx context.Context, run exporter.Runner, jobs []string, captured *Captured) (*Look, error) {
	l := &Look{Held: map[string]model.TaskSet{}, Waiting: map[string]model.TaskSet{}, Running: map[string]model.TaskSet{},
		P: map[string]string{}, Values: map[string]map[string]string{}, Whose: map[string]string{}}
	holds := false
	listing := listingOf(func(r row) error {
		holds = holds || strings.Contains(r.State, "h")
		return l.all(r)
	})
	questions := []question{{[]string{"qstat", "-u", "*", "-g", "t", "-pri", "-xml"}, listing}}
	for some := range slices.Chunk(jobs, jobsPerCall) {
		questions = append(questions, detailsOf(some, l.detailsOf(some)))
	}
	if captured == nil {
		if err := askAll(ctx, run, questions); err != nil {
			return l, err
		}
	} else if errors.Join(listing(captured.Listing), l.detailsOf(jobs)(captured.Details)) != nil {
		return lookAt(ctx, run, jobs, nil) // the output with more columns was no valid XML
	}
	if !holds {
		return l, nil
	}
	return l, askAll(ctx, run, []question{{[]string{"qstat", "-u", "*", "-s", "ho", "-xml"}, listingOf(gather(l.Held))}})
}

// A question is a command, and the function that reads its answer.
type question struct {
	argv []string
	read func(text string) error
}

// detailsOf asks for everything that the master knows of jobs.
func detailsOf(jobs []string, read func(text string) error) question {
	return question{[]string{"qstat", "-u", "*", "-j", strings.Join(jobs, ","), "-xml"}, read}
}

// askAll asks the master, and reads the answers.
func askAll(ctx context.Context, run exporter.Runner, questions []question) error {
	commands := make([][]string, len(questions))
	for i := range questions {
		commands[i] = questions[i].argv
	}
	results, err := exporter.Ask(ctx, run, commands...)
	if err != nil {
		return err
	}
	for i, q := range questions {
		if err := q.read(results[i].Out); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(q.argv, " "), err)
		}
	}
	return nil
}

// listingOf reads the rows of a listing.
func listingOf(each func(row) error) func(string) error {
	return func(text string) error {
		rows, err := listedJobs(text, rowIn)
		for i := 0; i < len(rows) && err == nil; i++ {
			err = each(rows[i])
		}
		return err
	}
}

// gather adds rows to a set of tasks.
func gather(to map[string]model.TaskSet) func(row) error {
	return func(r row) error {
		tasks, err := model.ParseTasks(r.Tasks)
		to[r.Number] = to[r.Number].With(tasks)
		return err
	}
}

// all adds a waiting or running row. A job that is being deleted counts as running as long as it has a queue.
func (l *Look) all(r row) error {
	l.P[r.Number] = r.Priority
	if r.Queue == "" {
		return gather(l.Waiting)(r)
	}
	return gather(l.Running)(r)
}

// detailsOf reads some jobs in the output of qstat -j -xml.
func (l *Look) detailsOf(jobs []string) func(text string) error {
	asked := map[string]bool{}
	for _, job := range jobs {
		asked[job] = true
	}
	return func(text string) error {
		if len(jobs) == 0 {
			return nil
		}
		return details(text, func(job string, r *xmldoc.Record) {
			if asked[job] {
				l.describe(job, r)
			}
		})
	}
}

// describe notes the values of a job.
func (l *Look) describe(job string, r *xmldoc.Record) {
	v := map[string]string{reserve: "n"}
	for name, attribute := range map[string]string{"JB_hard_resource_list": hard, "JB_soft_resource_list": soft} {
		if list := r.SelectElement(name); list != nil {
			v[attribute] = writeRequests(list.SelectElements("*"))
		}
	}
	if list := r.SelectElement("JB_jid_request_list"); list != nil {
		v[after] = predecessors(list.SelectElements("*"))
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
	noteWhose(l.Whose, job, r)
}

// predecessors writes a -hold_jid list.
func predecessors(list []*xmlquery.Node) string {
	var names []string
	for _, n := range list {
		wanted := xmldoc.Record{Node: n}
		if name := strings.TrimSpace(wanted.Text("JRE_job_name")); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// writeRequests writes a -l list from elements with any names.
func writeRequests(list []*xmlquery.Node) string {
	parts := make([]string, len(list))
	for i, n := range list {
		request := xmldoc.Record{Node: n}
		parts[i] = request.Text("CE_name") + "=" + request.Text("CE_stringval")
	}
	return strings.Join(parts, ",")
}
