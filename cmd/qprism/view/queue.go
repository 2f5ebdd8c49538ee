package view

import (
	"slices"
	"time"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/model"
)

// A queueList is the queue as the page lists it: what "priorities" and "plan" say of each job, in few
// bytes, since a queue can be long.
type queueList struct {
	Cluster string    `json:"cluster"`
	Release string    `json:"release"`
	System  string    `json:"system"`
	RunAt   time.Time `json:"run_at"`
	TakenAt time.Time `json:"taken_at"`
	Note    string    `json:"note"` // what the bundle says of itself; empty for nothing
	Bars    []bar     `json:"bars"` // what prio is the sum of; none where it is no sum
	Columns []string  `json:"columns"`
	Rows    [][]any   `json:"rows"` // in dispatch order; values as in columns
	Waiting int       `json:"waiting"`
	Running int       `json:"running"`
	Order   []string  `json:"order"`     // what orders the jobs, in words
	Lacks   string    `json:"lacks"`     // why nothing says what a job waits for; empty where it does
	Assumed []string  `json:"assumed"`   // of PBS: what the snapshot does not say and is taken for granted
	Sorted  []string  `json:"sorted_by"` // of PBS: the further columns, by which jobs are sorted

	further []string  // columns of the ranking behind the first
	waits   []waiting // jobs that wait in turn and say since when
}

// A bar is a part of prio: a normalized number with its weight.
type bar struct {
	Name   string  `json:"name"`
	Number string  `json:"number"` // the column of priorities
	Weight float64 `json:"weight"`
}

// columns are the first of a row; the normalized numbers of the bars come behind them, or what PBS sorts by.
var columns = []string{"job", "task", "name", "user", "project", "state", "slots", "submitted",
	"queue", "place", "never", "why", "prio"}

// Indices of some columns.
const columnSubmitted, columnPlace, columnNever, columnWhy = 7, 9, 10, 11

// bars are the parts of prio by the policy.
func bars(p *model.Policy) []bar {
	return []bar{{"tickets", "ntckts", p.WeightTicket}, {"urgency", "nurg", p.WeightUrgency},
		{"-p", "npprior", p.WeightPriority}}
}

func (a *Answers) listed(s *subject.Subject) (*queueList, error) {
	r, err := s.Batch.Ranking("all")
	if err != nil {
		return nil, err
	}
	q := &queueList{Cluster: s.Cluster, Release: s.Release.String(), System: s.Batch.Product(),
		RunAt: r.RunAt.Time, TakenAt: s.TakenAt,
		Note: s.Note, Columns: columns, Order: r.Notes, Assumed: r.Assumed}
	if r.Recomputed != nil {
		q.Bars = bars(&s.Policy)
	}
	for _, b := range q.Bars {
		q.further = append(q.further, b.Number)
	}
	q.Columns = slices.Concat(columns, q.further)
	for _, c := range sortedBy(r) {
		q.Sorted, q.further = append(q.Sorted, c.Title[1:]), append(q.further, c.Name)
	}
	q.Columns = append(q.Columns, q.Sorted...)
	why := q.reasons(a, s)
	places := map[*model.Job]int{}
	for _, j := range r.Jobs {
		first := j.Waits && !j.Runs && places[j.Job] == 0
		switch {
		case j.Runs:
			q.Running++
		case first:
			q.Waiting++
			places[j.Job] = q.Waiting
		}
		row := q.row(s, j, places[j.Job], why)
		if q.Rows = append(q.Rows, row); first && !j.Submitted.IsZero() {
			q.waits = append(q.waits, waitingOf(j.Job, row, s.TakenAt))
		}
	}
	return q, nil
}

func waitingOf(j *model.Job, row []any, at time.Time) waiting {
	return waiting{Job: j.KnownAs(), User: j.Owner, Wait: max(at.Sub(j.Submitted).Seconds(), 0),
		Never: row[columnNever].(bool), Why: row[columnWhy].(string), job: j}
}

// sortedBy returns the columns that decide the order of PBS.
func sortedBy(r *batch.Ranking) (list []batch.Column) {
	if r.Recomputed != nil {
		return nil
	}
	for _, c := range r.Columns {
		if c.Title[0] == '>' && c.Name != "rank" {
			list = append(list, c)
		}
	}
	return list
}

// reasons reads what jobs wait for from a plan of the next run.
func (q *queueList) reasons(a *Answers, s *subject.Subject) map[string]string {
	p, err := a.nextRun(s)
	if err != nil {
		q.Lacks = err.Error()
		return nil
	}
	text, why := next.WaitText(s, p), map[string]string{}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		id := subject.JobText(d)
		if d.Verdict == model.Now {
			why[id] = "starts in the next run"
		} else if _, known := why[id]; !known {
			why[id] = text(d)
		}
	}
	return why
}

func (q *queueList) row(s *subject.Subject, r batch.Ranked, place int, why map[string]string) []any {
	j, reason := r.Job, ""
	if !r.Runs {
		reason = why[j.KnownAs()]
	}
	row := []any{j.KnownAs(), r.Cell("task"), j.Name, j.Owner, j.Project, r.Cell("state"),
		r.Cell("slots"), show.Rfc3339(j.Submitted),
		r.Cell("queue"), place, !r.Runs && s.NeverRuns(j), reason, r.Cell("prio")}
	for _, name := range q.further {
		row = append(row, r.Cell(name))
	}
	return row
}
