package gridengine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/compat/xmldoc"
	"qprism/engine/model"
	"qprism/exporter"
)

// listing is qstat -xml -pri of all jobs. It lists pending jobs in the order in which the scheduler last ranked them.
var listing = []string{"qstat", "-xml", "-pri", "-u", "*"}

// A listed job is a job_list element of qstat -xml -pri.
type listed struct{ Number, Prio, Posix, Urgency, Tickets, Priority, State string }

func listedIn(r *xmldoc.Record) listed {
	return listed{r.Text("JB_job_number"), r.Text("JAT_prio"), r.Text("JB_nppri"), r.Text("JB_nurg"), r.Text("JAT_ntix"),
		r.Text("JB_priority"), r.Text("state")}
}

// Read asks the master for every job's -p and for the order of pending jobs. A job is Taken if npprior shows
// that the scheduler has used its -p.
func (Priorities) Read(ctx context.Context, r exporter.Runner) (*exporter.Live, error) {
	var jobs []listed
	read := func(text string) (err error) {
		jobs, err = listedJobs(text, listedIn)
		return err
	}
	if err := askAll(ctx, r, []question{{listing, read}}); err != nil {
		return nil, err
	}
	return liveOf(jobs)
}

// listedJobs reads the job_list elements of a listing.
func listedJobs[T any](text string, read func(*xmldoc.Record) T) (jobs []T, err error) {
	root := false
	err = records(text, func(_ int, name string) bool {
		root = root || name == "job_info"
		return name == "job_list"
	}, func(r *xmldoc.Record) { jobs = append(jobs, read(r)) })
	if err == nil && !root {
		err = errors.New("no job_info in the output")
	}
	return jobs, err
}

// records reads what a command printed as XML.
func records(text string, is func(depth int, name string) bool, each func(*xmldoc.Record)) error {
	_, err := xmldoc.Each(strings.NewReader(strings.Map(printing, text)), is, func(r *xmldoc.Record) error {
		each(r)
		return nil
	})
	return err
}

// details reads the jobs of qstat -j -xml, one element for each.
func details(text string, each func(job string, r *xmldoc.Record)) error {
	return records(text, func(depth int, _ string) bool { return depth == 3 }, func(r *xmldoc.Record) {
		if job := r.Text("JB_job_number"); job != "" {
			each(job, r)
		}
	})
}

// printing replaces characters that XML does not allow, but that job names may have.
func printing(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return '?'
	}
	return r
}

// liveOf returns the facts of a listing that orders need. Tasks of an array are one job: it waits if one of
// them waits.
func liveOf(jobs []listed) (*exporter.Live, error) {
	live := &exporter.Live{Jobs: make(map[string]exporter.LiveJob, len(jobs))}
	listed := map[string]bool{}
	for _, j := range jobs {
		p, err := strconv.Atoi(j.Priority)
		if err != nil {
			return nil, fmt.Errorf("job %s: JB_priority %q is not a number", j.Number, j.Priority)
		}
		was := live.Jobs[j.Number]
		now := exporter.LiveJob{Values: map[string]string{Priority: j.Priority}, Waiting: was.Waiting || waits(j.State),
			Taken: was.Taken || strings.TrimSpace(j.Posix) == strconv.FormatFloat(
				float64(p+1024)/2048, 'f', 5, 64), Terms: was.Terms}
		if pending(j.State) && !listed[j.Number] {
			listed[j.Number] = true
			now.Terms = termsOf(j)
			live.Order = append(live.Order, j.Number)
		}
		live.Jobs[j.Number] = now
	}
	return live, nil
}

// termsOf returns the terms that a listing prints.
func termsOf(j listed) *exporter.Terms {
	urgency, err := strconv.ParseFloat(strings.TrimSpace(j.Urgency), 64)
	tickets, bad := strconv.ParseFloat(strings.TrimSpace(j.Tickets), 64)
	if err != nil || bad != nil {
		return nil
	}
	return &exporter.Terms{Urgency: urgency, Tickets: tickets}
}

// waits reports whether a task in this state has not started.
func waits(state string) bool {
	return strings.ContainsRune(state, 'q') || strings.ContainsRune(state, 'E')
}

// pending reports whether the scheduler ranks tasks in this state. It does not rank held tasks and tasks in
// error.
func pending(state string) bool { return waits(state) && !strings.ContainsAny(state, "hEd") }

// Whose calls qstat -j, the only command that prints the second of a submission.
func (Priorities) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	whose := map[string]string{}
	var questions []question
	for some := range slices.Chunk(jobs, jobsPerCall) {
		questions = append(questions, detailsOf(some, func(text string) error { return readWhose(text, whose) }))
	}
	if err := askAll(ctx, r, questions); err != nil {
		return nil, err
	}
	return whose, nil
}

// readWhose reads owners and submission times out of qstat -j -xml.
func readWhose(text string, whose map[string]string) error {
	return details(text, func(job string, r *xmldoc.Record) { noteWhose(whose, job, r) })
}

func noteWhose(whose map[string]string, job string, r *xmldoc.Record) {
	if owner := r.Text("JB_owner"); owner != "" {
		whose[job] = exporter.Whose(owner, seconds(r.Text("JB_submission_time")))
	}
}

// seconds returns a time in seconds. Some releases print milliseconds.
func seconds(at string) string {
	at = strings.TrimSpace(at)
	if len(at) > len("9999999999") {
		return at[:len(at)-3]
	}
	return at
}

// Rights asks for managers and operators. Only they may raise -p and change jobs of others.
func (Priorities) Rights(ctx context.Context, r exporter.Runner, _ []model.Order) (missing string, err error) {
	commands := [][]string{{"id", "-un"}, {"qconf", "-sm"}, {"qconf", "-so"}}
	results, err := r.Run(ctx, commands)
	if err != nil {
		return "", err
	}
	if len(results) != len(commands) {
		return "", fmt.Errorf("%d commands, %d results", len(commands), len(results))
	}
	if results[0].Exit != 0 {
		return "", exporter.Failure(commands[0], results[0])
	}
	if results[1].Exit != 0 {
		return "", exporter.Failure(commands[1], results[1])
	}
	user := strings.TrimSpace(results[0].Out) // qconf -so fails if there is no operator
	if slices.Contains(exporter.Lines(results[1].Out), user) || slices.Contains(exporter.Lines(results[2].Out), user) {
		return "", nil
	}
	return fmt.Sprintf("%s is not a manager or operator (qconf -sm, -so): only they can raise -p or "+
		"change jobs of other users; as a manager: qconf -ao %s", user, user), nil
}
