package usage

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
)

// A Report has usage, target and difference of each user, project or department in a period.
type Report struct {
	By       string    // batch.ByUser, …
	Policy   string    // the policy whose shares are the targets; empty for none
	From, To time.Time // the period
	Known    time.Time // the first end in the accounting file: ends are known since then; zero for none
	Total    float64   // usage of all, in slot seconds
	Rows     []Row     // the greatest usage first
	Steps    []time.Time
}

// A Row is one user, project or department. Unknown values are NaN.
type Row struct {
	Name    string
	Target  float64 // its target, as a fraction of the usage of all
	Got     float64 // its usage, as a fraction of the usage of all
	Used    float64 // its usage in slot seconds
	Owed    float64 // target minus usage, in slot seconds
	Ended   int     // tasks that ended in the period
	Running int     // running tasks
	Waiting int     // waiting tasks
	Steps   []float64
}

// A Query says what to report.
type Query struct {
	By       string
	From, To time.Time
	Steps    int // number of parts of the period
	Due      func(by string, active []batch.Party) batch.Due
}

// Of computes the usage of a period from a snapshot and from ended tasks.
func Of(s *model.Snapshot, ended []model.EndedTask, q Query) *Report {
	r := &Report{By: q.By, From: q.From, To: q.To, Known: FirstEnd(ended)}
	for i := range q.Steps {
		r.Steps = append(r.Steps, q.From.Add(q.To.Sub(q.From)*time.Duration(i+1)/time.Duration(q.Steps)))
	}
	rows, active := map[string]*Row{}, map[batch.Party]bool{}
	row := func(p batch.Party) *Row {
		name := p.Name(q.By)
		if rows[name] == nil {
			rows[name] = &Row{Name: name, Target: math.NaN(), Owed: math.NaN(), Got: math.NaN(), Steps: make([]float64, q.Steps)}
		}
		active[p] = true
		return rows[name]
	}
	spans := spansOf(s, ended)
	for i := range spans {
		if used := spans[i].within(q.From, q.To); used > 0 {
			row(spans[i].Party).add(&spans[i], used, r)
		}
	}
	for i := range s.Jobs {
		if n := waiting(&s.Jobs[i]); n > 0 {
			row(partyOf(&s.Jobs[i])).Waiting += n
		}
	}
	r.Rows = sorted(rows)
	r.judge(q.Due(q.By, parties(active)))
	return r
}

// add adds what a task had in the period.
func (w *Row) add(s *span, used float64, r *Report) {
	w.Used += used
	r.Total += used
	switch {
	case s.runs:
		w.Running++
	case !s.to.After(r.To):
		w.Ended++
	}
	from := r.From
	for i, to := range r.Steps {
		w.Steps[i] += s.within(from, to)
		from = to
	}
}

// judge says what is due and owed.
func (r *Report) judge(d batch.Due) {
	r.Policy = d.Policy
	for i := range r.Rows {
		w := &r.Rows[i]
		if r.Total > 0 {
			w.Got = w.Used / r.Total
		}
		if part, known := d.Parts[w.Name]; known {
			w.Target, w.Owed = part, part*r.Total-w.Used
		}
	}
}

// StepTotals are the usage of all in each part of the period.
func (r *Report) StepTotals() []float64 {
	totals := make([]float64, len(r.Steps))
	for i := range r.Rows {
		for k, used := range r.Rows[i].Steps {
			totals[k] += used
		}
	}
	return totals
}

// FirstEnd is the earliest end in the accounting file; zero for none.
func FirstEnd(ended []model.EndedTask) (first time.Time) {
	for i := range ended {
		if at := ended[i].Ended; !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// waiting counts the tasks of a job that wait.
func waiting(j *model.Job) (n int) {
	if j.PBS != nil {
		if j.Waits() {
			return 1
		}
		return 0
	}
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Pending() {
			n += max(int(model.CountOf(t.IDs)), 1)
		}
	}
	return n
}

func sorted(rows map[string]*Row) (list []Row) {
	for _, w := range rows {
		list = append(list, *w)
	}
	slices.SortFunc(list, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Used, a.Used), strings.Compare(a.Name, b.Name))
	})
	return list
}

// parties are sorted, because the order of a map is random.
func parties(active map[batch.Party]bool) (list []batch.Party) {
	for p := range active {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b batch.Party) int {
		return cmp.Or(strings.Compare(a.Project, b.Project), strings.Compare(a.User, b.User),
			strings.Compare(a.Department, b.Department))
	})
	return list
}
