package gridengine

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/order"
)

// Views are the columns of qstat -pri, -urg and -ext, and a view with all columns.
var Views = map[string][]batch.Column{
	"pri": columns(">job", ">prio", ">nurg", ">npprior", ">ntckts", ">ppri", "name", "user", "state", "submit/start",
		"queue", ">slots", ">task"),
	"urg": columns(">job", ">prio", ">nurg", ">urg", ">rrcontr", ">wtcontr", ">dlcontr", "name", "user",
		"state", "submit/start", "deadline", "queue", ">slots", ">task"),
	"ext": columns(">job", ">prio", ">ntckts", "name", "user", "project", "department", "state",
		">tckts", ">ovrts", ">otckt", ">ftckt",
		">stckt", ">share", "queue", ">slots", ">task"),
	"all": columns(">job", ">task", "state", ">prio", ">npprior", ">nurg", ">ntckts", ">ppri", ">urg",
		">rrcontr", ">wtcontr", ">dlcontr", ">tckts", ">ovrts", ">otckt", ">ftckt", ">stckt", ">share",
		"name", "user", "project", "department", "submit/start", "deadline", "queue", ">slots"),
}

// heads are columns that qstat heads otherwise than their values are called in JSON.
var heads = map[string]string{"job": ">job-ID", "prio": ">prior", "task": ">ja-task-ID"}

func columns(names ...string) []batch.Column {
	list := batch.Columns(names...)
	for i := range list {
		list[i].Title = cmp.Or(heads[list[i].Name], list[i].Title)
	}
	return list
}

// Ranking lists the tasks of a snapshot with the numbers of a recomputed run, see lastrun.Look. Without a run
// it shows the numbers that the master printed.
func Ranking(s *model.Snapshot, v *lastrun.View, m lastrun.Moment) *batch.Ranking {
	recomputed := v != nil
	a := &batch.Ranking{Cluster: s.Cluster, Release: s.Release.String(), RunAt: batch.Time{Time: m.At}, Source: m.Source,
		Recomputed: &recomputed}
	rows, fresh := rowsOf(s, v)
	for _, r := range rows {
		a.Jobs = append(a.Jobs, batch.Ranked{Job: r.job, Runs: r.runs(), Waits: r.waits(), Next: r.next, Numbers: r})
	}
	a.Fresh = fresh
	return a
}

// A row is one task of the list.
type row struct {
	job    *model.Job
	task   *model.Task
	values lastrun.Values
	next   bool // of the next run: the job had no priority in the last one
	listed int  // its place among the tasks of the snapshot
}

// rowsOf lists all tasks: running ones, pending ones in dispatch order, and the rest by job number. Without
// a view the values and the order are those that the master printed. Where jobs that wait have no priority
// in the run of the view, since they came later, they have that of the next one, whose order counts then;
// fresh is how many these are.
func rowsOf(s *model.Snapshot, v *lastrun.View) (rows []row, fresh int) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			r := row{job: j, task: &j.Tasks[k], values: lastrun.Reported(j, &j.Tasks[k]), listed: len(rows)}
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
	rank := func(r row) uint64 {
		switch {
		case !r.task.Started.IsZero():
			return 0
		case place[r.job.Number] > 0 && !math.IsNaN(r.values[lastrun.Prio]):
			return uint64(place[r.job.Number])
		}
		return math.MaxUint64
	}
	order.Sort(rows, rank, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.job.Number, b.job.Number), cmp.Compare(model.FirstTask(a.task.IDs), model.FirstTask(b.task.IDs)),
			cmp.Compare(a.listed, b.listed))
	})
	return rows, fresh
}

// Waits reports whether the scheduler may start the task: it is not held, and not in error.
func (r row) waits() bool { return r.task.Started.IsZero() && !strings.ContainsAny(r.task.State, "hE") }

// unranked reports whether the task waits without a priority.
func (r row) unranked() bool { return r.waits() && math.IsNaN(r.values[lastrun.Prio]) }

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
		if r := &rows[i]; r.unranked() && place[r.job.Number] > 0 {
			r.values, r.next, jobs[r.job.Number] = next.Ranked(r.job, r.task), true, true
		}
	}
	return len(jobs)
}

// sortByPrinted sorts by the priorities that the master printed: running tasks, pending ones, and those
// that are held or in error.
func sortByPrinted(rows []row) {
	slices.SortStableFunc(rows, func(a, b row) int {
		if rank := cmp.Compare(a.part(), b.part()); rank != 0 || a.part() != pendingPart {
			return rank
		}
		return cmp.Or(cmp.Compare(b.values[lastrun.Prio], a.values[lastrun.Prio]), a.job.Submitted.Compare(b.job.Submitted))
	})
}

// The parts of the list.
const (
	runningPart = iota
	pendingPart
	blockedPart
)

func (r row) part() int {
	switch {
	case !r.task.Started.IsZero():
		return runningPart
	case r.waits():
		return pendingPart
	}
	return blockedPart
}

func (r row) runs() bool { return !r.task.Started.IsZero() }

// columnOf is the field that a column of that name holds.
var columnOf = func() map[string]lastrun.Field {
	m := map[string]lastrun.Field{}
	for f := lastrun.Field(0); f < lastrun.Fields; f++ {
		m[f.String()] = f
	}
	return m
}()

// Cell is the value of a column; a number that is not known is a dash.
func (r row) Cell(name string) batch.Value {
	if f, ok := columnOf[name]; ok {
		return orDash(printed(f, r.values[f]))
	}
	switch j, t := r.job, r.task; name {
	case "job":
		return whole(j.Number)
	case "task":
		return text(model.TaskText(t.IDs))
	case "state":
		return text(t.State)
	case "ppri":
		return orDash(wholeNumber(r.ppri()))
	case "ovrts":
		return orDash(wholeNumber(r.ovrts()))
	case "name":
		return text(j.Name)
	case "user", "owner":
		return text(j.Owner)
	case "project":
		return text(j.Project)
	case "department":
		return text(j.Department)
	case "submit/start":
		return at(began(j, t))
	case "submitted":
		return at(j.Submitted)
	case "started":
		return at(t.Started)
	case "deadline":
		return at(j.Deadline)
	case "queue":
		return text(queueOf(t))
	case "slots":
		return whole(t.Slots)
	case "next_run":
		return batch.Value{Is: r.next}
	}
	return batch.Value{}
}

// numbers are all values of a task, by Grid Engine's own column names.
var numbers = []string{"job", "task", "state", "name", "owner", "project", "department", "prio", "npprior",
	"nurg", "ntckts", "ppri", "urg", "rrcontr", "wtcontr", "dlcontr", "tckts", "ovrts", "otckt", "ftckt",
	"stckt", "share", "submitted", "started", "deadline", "queue", "slots", "next_run"}

// Row is all values of the task.
func (r row) Row() batch.Row {
	list := make(batch.Row, 0, len(numbers))
	for _, name := range numbers {
		list = append(list, batch.Cell{Name: name, Value: r.Cell(name)})
	}
	return list
}

func text(s string) batch.Value  { return batch.Value{Is: s, Text: s} }
func at(t time.Time) batch.Value { return batch.Value{Is: batch.Time{Time: t}} }

func wholeNumber(v float64) batch.Value {
	if math.IsNaN(v) {
		return batch.Value{}
	}
	return batch.Value{Is: v, Text: strconv.FormatInt(int64(v), 10)}
}

func orDash(v batch.Value) batch.Value {
	if v.Text == "" {
		v.Text = "-"
	}
	return v
}

// ppri is the -p value; NaN where the bundle does not hold it.
func (r row) ppri() float64 {
	if j := r.job; j.Detailed || j.Reported != nil && !math.IsNaN(j.Reported.NPPrior) {
		return float64(j.PosixPriority)
	}
	return math.NaN()
}

// ovrts is the -ot value; NaN where the bundle does not hold it.
func (r row) ovrts() float64 {
	if t := r.task; r.job.Detailed || t.Reported != nil && !math.IsNaN(t.Reported.Tckts) {
		return float64(r.job.OverrideTickets)
	}
	return math.NaN()
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
