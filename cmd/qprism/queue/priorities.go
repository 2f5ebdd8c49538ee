package queue

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/safe"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

type PrioritiesOptions struct {
	subject.Selection
	subject.JobFilter
	View    string
	pending bool
	All     bool
}

func newPriorities(d *cli.Deps) *cobra.Command {
	var opts PrioritiesOptions
	c := &cobra.Command{
		Use:   "priorities [BUNDLE]",
		Short: "Every job's priority and what it is made of, in dispatch order",
		Long: `priorities recomputes the priority of every running and pending task in the last scheduler
run: running tasks first, then pending ones in the order in which the scheduler tries
them, then those that took no part (held, in error, waiting). Jobs that came after that run
have a *, and the numbers of the next one; the order is then that of the next one.

Of PBS it lists the jobs in the order in which the next cycle tries them, with the value of
job_sort_formula and all that it reads, or without a formula what decides instead: queues,
fairshare level by level, sort keys. JSON has every factor; --view all shows the fairshare numbers.

Higher is sooner. The views have the columns of qstat -pri, -urg and -ext. Where a bundle
holds too little to recompute anything, what the master printed is shown.`,
		Example: `  qprism priorities cluster.tar.gz
  qprism priorities cluster.tar.gz --view ext
  qprism priorities cluster.tar.gz --user alice --pending
  qprism priorities --snapshot 12 --format json | jq '.jobs[] | select(.state=="qw") | .job'`,
		RunE: func(c *cobra.Command, args []string) error {
			return runPriorities(c.Context(), d, opts, args, c.OutOrStdout())
		},
	}
	subject.AddSelection(c, &opts.Selection)
	subject.AddFilter(c, &opts.JobFilter)
	c.Flags().BoolVar(&opts.pending, "pending", false, "list what waits only, not what runs")
	c.Flags().BoolVar(&opts.All, "all", false, "list every job on a terminal, as wide as it is")
	c.Flags().StringVar(&opts.View, "view", "pri", "which columns: pri, urg, ext or all")
	_ = c.RegisterFlagCompletionFunc("view", cobra.FixedCompletions([]string{"pri", "urg", "ext", "all"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runPriorities(ctx context.Context, d *cli.Deps, opts PrioritiesOptions, args []string, w io.Writer) error {
	if _, ok := views[opts.View]; !ok {
		return fmt.Errorf("unknown --view %q; use pri, urg, ext or all", opts.View)
	}
	s, err := subject.Of(ctx, d, &opts.Selection, args)
	if err != nil {
		return err
	}
	if err := opts.Check(s.Snapshot); err != nil {
		return err
	}
	return OrderingOf(s).Priorities(d, opts, w)
}

// Priorities lists the tasks of Grid Engine.
func (s geOrdering) Priorities(d *cli.Deps, opts PrioritiesOptions, w io.Writer) error {
	view := views[opts.View]
	v, moment := lastrun.Look(s.Snapshot, s.Look)
	rows, fresh := RowsOf(s.Snapshot, v)
	rows = slices.DeleteFunc(rows, func(r row) bool { return !opts.Takes(r.Job) || opts.pending && r.runs() })
	out := d.Output(w)
	if d.Format == "json" {
		return writePriorities(w, s.Snapshot, moment, v != nil, rows)
	}
	subject.PrintHeader(out, s.Subject, moment.At, moment.Source)
	hidden := ""
	if out.People() && !opts.All {
		rows, hidden = subject.FirstLines(rows, row.runs)
	}
	t := show.Sheet{Columns: view, Whole: opts.All}
	for _, r := range rows {
		t.Rows = append(t.Rows, r.cells(view, out))
	}
	if err := out.Sheet(t); err != nil {
		return err
	}
	out.More(hidden)
	if v == nil {
		out.Say("These are the master's own numbers: %s", subject.WhyUnknown(s.Snapshot))
		return nil
	}
	if fresh > 0 {
		out.Say("* %s had no priority in that run, most likely because %s later: the order, and these numbers, are of the next one.",
			show.Plural(fresh, "job"), map[bool]string{true: "it came", false: "they came"}[fresh == 1])
	}
	for _, line := range show.InWords(s.Snapshot, v) {
		out.Say("%s", line)
	}
	return nil
}

// views are the columns of qstat -pri, -urg and -ext, and all of them.
var views = map[string][]show.Column{
	"pri": show.Columns(">job", ">prio", ">nurg", ">npprior", ">ntckts", ">ppri", "name", "user", "state", "submit/start", "queue", ">slots", ">task"),
	"urg": show.Columns(">job", ">prio", ">nurg", ">urg", ">rrcontr", ">wtcontr", ">dlcontr", "name", "user", "state", "submit/start", "deadline", "queue", ">slots", ">task"),
	"ext": show.Columns(">job", ">prio", ">ntckts", "name", "user", "project", "department", "state", ">tckts", ">ovrts", ">otckt", ">ftckt", ">stckt", ">share", "queue", ">slots", ">task"),
	"all": show.Columns(">job", ">task", "state", ">prio", ">npprior", ">nurg", ">ntckts", ">ppri", ">urg", ">rrcontr", ">wtcontr", ">dlcontr",
		">tckts", ">ovrts", ">otckt", ">ftckt", ">stckt", ">share", "name", "user", "project", "department", "submit/start", "deadline", "queue", ">slots"),
}

// A row is one task of the list.
type row struct {
	Job    *model.Job
	task   *model.Task
	values lastrun.Values
	next   bool // of the next run: the job had no priority in the last one
}

// RowsOf lists all tasks: running ones, pending ones in dispatch order, and the rest by job number. Without a view the values and
// the order are those that the master printed. Where jobs that wait have no priority in the run of the view, since they came
// later, they have that of the next one, whose order counts then; fresh is how many these are.
func RowsOf(s *model.Snapshot, v *lastrun.View) (rows []row, fresh int) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			r := row{Job: j, task: &j.Tasks[k], values: lastrun.Reported(j, &j.Tasks[k])}
			if v != nil {
				r.values = v.Row(j, r.task).Computed
			}
			rows = append(rows, r)
		}
	}
	if v == nil {
		sortByPrinted(rows)
		return rows, 0
	}
	place := placesOf(v)
	if slices.ContainsFunc(rows, row.unranked) {
		next := v.Next()
		if fresh = rankNext(rows, next); fresh > 0 {
			place = placesOf(next)
		}
	}
	sortRows(rows, func(r row) int {
		switch {
		case !r.task.Started.IsZero():
			return 0
		case place[r.Job.Number] > 0 && !math.IsNaN(r.values[lastrun.Prio]):
			return place[r.Job.Number]
		}
		return math.MaxInt
	})
	return rows, fresh
}

// Waits reports whether the scheduler may start the task: it is not held, and not in error.
func (r row) Waits() bool { return r.task.Started.IsZero() && !strings.ContainsAny(r.task.State, "hE") }

// unranked reports whether the task waits without a priority.
func (r row) unranked() bool { return r.Waits() && math.IsNaN(r.values[lastrun.Prio]) }

// placesOf are the places of the jobs that wait in a run, from 1.
func placesOf(v *lastrun.View) map[uint32]int {
	place := make(map[uint32]int, len(v.Result.Pending))
	for i, j := range v.Result.Pending {
		place[j.Job.Number] = i + 1
	}
	return place
}

// rankNext gives tasks without a priority that of the next run, where they have one there, and counts their jobs.
func rankNext(rows []row, next *lastrun.View) int {
	place, jobs := placesOf(next), map[uint32]bool{}
	for i := range rows {
		if r := &rows[i]; r.unranked() && place[r.Job.Number] > 0 {
			r.values, r.next, jobs[r.Job.Number] = next.Ranked(r.Job, r.task), true, true
		}
	}
	return len(jobs)
}

// sortByPrinted sorts by the priorities that the master printed: running tasks, pending ones, and those that are held or in error.
func sortByPrinted(rows []row) {
	slices.SortStableFunc(rows, func(a, b row) int {
		if rank := cmp.Compare(a.part(), b.part()); rank != 0 || a.part() != pendingPart {
			return rank
		}
		return cmp.Or(cmp.Compare(b.values[lastrun.Prio], a.values[lastrun.Prio]), a.Job.Submitted.Compare(b.Job.Submitted))
	})
}

// The parts of the list.
const (
	runningPart = iota
	pendingPart
	asidePart
)

func (r row) part() int {
	switch {
	case !r.task.Started.IsZero():
		return runningPart
	case r.Waits():
		return pendingPart
	}
	return asidePart
}

func sortRows(rows []row, rank func(row) int) {
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Job.Number, b.Job.Number), cmp.Compare(firstTask(a.task), firstTask(b.task)))
	})
}

func (r row) runs() bool { return !r.task.Started.IsZero() }

func firstTask(t *model.Task) uint32 {
	if len(t.IDs) == 0 {
		return 1
	}
	return t.IDs[0].Min
}

// fieldColumns are the columns that hold recomputed numbers.
var fieldColumns = func() map[string]lastrun.Field {
	m := map[string]lastrun.Field{}
	for f := lastrun.Field(0); f < lastrun.Fields; f++ {
		m[f.String()] = f
	}
	return m
}()

// cells prints the columns of a row.
func (r row) cells(view []show.Column, out show.Output) []string {
	list := make([]string, len(view))
	for i, c := range view {
		if f, ok := fieldColumns[c.Name]; ok {
			list[i] = show.Dash(f.Print(r.values[f]))
			if f == lastrun.Prio && r.next && out.People() {
				list[i] += "*"
			}
		} else {
			list[i] = r.cell(c.Name, out)
		}
	}
	return list
}

func (r row) cell(name string, out show.Output) string {
	j, t := r.Job, r.task
	switch name {
	case "job":
		return show.Number32(j.Number)
	case "task":
		return model.TaskText(t.IDs)
	case "state":
		return t.State
	case "ppri":
		return show.Dash(wholeText(r.ppri()))
	case "ovrts":
		return show.Dash(wholeText(r.ovrts()))
	case "name":
		return j.Name
	case "user":
		return j.Owner
	case "project":
		return j.Project
	case "department":
		return j.Department
	case "submit/start":
		return out.Moment(began(j, t))
	case "deadline":
		return out.Moment(j.Deadline)
	case "queue":
		return queueOf(t)
	case "slots":
		return strconv.Itoa(t.Slots)
	}
	return ""
}

// ppri is the -p value; NaN where the bundle does not hold it.
func (r row) ppri() show.Number {
	if j := r.Job; j.Detailed || j.Reported != nil && !math.IsNaN(j.Reported.NPPrior) {
		return show.Number(j.PosixPriority)
	}
	return show.Number(math.NaN())
}

// ovrts is the -ot value; NaN where the bundle does not hold it.
func (r row) ovrts() show.Number {
	if t := r.task; r.Job.Detailed || t.Reported != nil && !math.IsNaN(t.Reported.Tckts) {
		return show.Number(r.Job.OverrideTickets)
	}
	return show.Number(math.NaN())
}

func wholeText(n show.Number) string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// began is when a running task started, or when a waiting one was submitted.
func began(j *model.Job, t *model.Task) time.Time {
	if t.Started.IsZero() {
		return j.Submitted
	}
	return t.Started
}

func queueOf(t *model.Task) string {
	if len(t.Granted) == 0 {
		return ""
	}
	return t.Granted[0].Instance
}

// jsonRow is a task in JSON, with Grid Engine's own column names.
type jsonRow struct {
	Job        uint32      `json:"job"`
	Task       string      `json:"task"`
	State      string      `json:"state"`
	Name       string      `json:"name"`
	Owner      string      `json:"owner"`
	Project    string      `json:"project"`
	Department string      `json:"department"`
	Prio       show.Number `json:"prio"`
	NPPrior    show.Number `json:"npprior"`
	NUrg       show.Number `json:"nurg"`
	NTckts     show.Number `json:"ntckts"`
	PPri       show.Number `json:"ppri"`
	Urg        show.Number `json:"urg"`
	RRContr    show.Number `json:"rrcontr"`
	WTContr    show.Number `json:"wtcontr"`
	DLContr    show.Number `json:"dlcontr"`
	Tckts      show.Number `json:"tckts"`
	Ovrts      show.Number `json:"ovrts"`
	Otckt      show.Number `json:"otckt"`
	Ftckt      show.Number `json:"ftckt"`
	Stckt      show.Number `json:"stckt"`
	Share      show.Number `json:"share"`
	Submitted  *string     `json:"submitted"`
	Started    *string     `json:"started"`
	Deadline   *string     `json:"deadline"`
	Queue      string      `json:"queue"`
	Slots      int         `json:"slots"`
	Next       bool        `json:"next_run"` // it had no priority in the last one: the numbers are of the next one
}

func (r row) json() jsonRow {
	v := func(f lastrun.Field) show.Number { return show.Number(r.values[f]) }
	j, t := r.Job, r.task
	return jsonRow{Job: j.Number, Task: model.TaskText(t.IDs), State: t.State, Name: j.Name, Owner: j.Owner, Project: j.Project, Department: j.Department,
		Prio: v(lastrun.Prio), NPPrior: v(lastrun.NPPrior), NUrg: v(lastrun.NUrg), NTckts: v(lastrun.NTckts), PPri: r.ppri(),
		Urg: v(lastrun.Urg), RRContr: v(lastrun.RRContr), WTContr: v(lastrun.WTContr), DLContr: v(lastrun.DLContr),
		Tckts: v(lastrun.Tckts), Ovrts: r.ovrts(), Otckt: v(lastrun.Otckt), Ftckt: v(lastrun.Ftckt), Stckt: v(lastrun.Stckt), Share: v(lastrun.Share),
		Submitted: show.Rfc3339(j.Submitted), Started: show.Rfc3339(t.Started), Deadline: show.Rfc3339(j.Deadline), Queue: queueOf(t), Slots: t.Slots, Next: r.next}
}

// writePriorities writes the list as JSON, job by job, so that memory does not grow with the text.
func writePriorities(w io.Writer, s *model.Snapshot, m lastrun.Moment, recomputed bool, rows []row) error {
	b := bufio.NewWriter(w)
	head, err := json.Marshal(struct {
		Cluster    string  `json:"cluster"`
		Release    string  `json:"release"`
		RunAt      *string `json:"run_at"`
		Recomputed bool    `json:"recomputed"`
	}{s.Cluster, s.Release.String(), show.Rfc3339(m.At), recomputed})
	if err != nil {
		return err
	}
	b.Write(safe.JSON(head[:len(head)-1]))
	b.WriteString(`,"jobs":[`)
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		line, err := json.Marshal(r.json())
		if err != nil {
			return err
		}
		b.Write(safe.JSON(line))
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}
