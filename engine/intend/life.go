package intend

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
)

// A life is a task over time, as snapshots and accounting tell of it.
type life struct {
	job       *model.Job
	task      uint32    // 0 of all tasks of a job that wait
	started   time.Time // zero while it waits
	ended     time.Time // zero while it runs, or where nothing tells
	last      time.Time // of the last snapshot that has it
	slots     float64
	unrelated bool // the record does not tell what it asked for
}

// A lifeKey tells tasks apart; numbers come again.
type lifeKey struct {
	job, task uint32
	submitted int64
}

// lives are the tasks of a period.
type lives map[lifeKey]*life

// at is the life of a task, which begins where there is none.
func (l lives) at(j *model.Job, task uint32) *life {
	key := lifeKey{j.Number, task, j.Submitted.Unix()}
	if l[key] == nil {
		l[key] = &life{job: brief(j), task: task}
	}
	return l[key]
}

// add adds the tasks of a snapshot, and those that had ended by then.
func (l lives) add(s *model.Snapshot, ended []model.EndedTask) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.Waits() {
			l.at(j, 0).last = s.TakenAt
		}
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Pending() && !t.Started.IsZero() {
				l.run(j, t, s.TakenAt)
			}
		}
	}
	for i := range ended {
		if e := &ended[i]; !e.Started.IsZero() {
			l.end(e)
		}
	}
}

func (l lives) run(j *model.Job, t *model.Task, seen time.Time) {
	number := uint32(1)
	if len(t.IDs) > 0 {
		number = t.IDs[0].Min
	}
	x := l.at(j, number)
	x.started, x.last, x.slots = t.Started, seen, float64(max(t.Slots, 1))
}

// end adds a record of accounting. What a job asks for is better known from a snapshot that has it.
func (l lives) end(e *model.EndedTask) {
	job := e.AsJob()
	j := &job
	known := l[lifeKey{j.Number, e.Task, j.Submitted.Unix()}]
	waited := l[lifeKey{j.Number, 0, j.Submitted.Unix()}]
	x := cmp.Or(known, l.at(j, e.Task))
	if known == nil {
		if x.unrelated = e.Category == ""; waited != nil {
			x.job, x.unrelated = waited.job, false
		}
	}
	x.started, x.ended, x.slots = e.Started, e.Ended, float64(max(e.Slots, 1))
}

// brief is what selectors ask of a job, without its snapshot.
func brief(j *model.Job) *model.Job {
	own := model.Job{Number: j.Number, Owner: j.Owner, Project: j.Project, Department: j.Department,
		Submitted: j.Submitted, Hard: j.Hard,
		PE: j.PE, PERange: j.PERange}
	if j.PBS != nil {
		own.PBS = &model.PBSJob{ID: j.PBS.ID}
	}
	return &own
}

// tasksOf are the lives of tasks that a selector means; unrelated is how many are left out because nothing
// tells what they asked for.
func (l lives) tasksOf(s Selector) (list []*life, unrelated int) {
	asks := slices.ContainsFunc(s, func(t Term) bool { return t.Kind == asking })
	for _, x := range l {
		switch {
		case asks && x.unrelated:
			unrelated++
		case s.Selects(x.job):
			list = append(list, x)
		}
	}
	slices.SortFunc(list, compareLives)
	return list, unrelated
}

func compareLives(a, b *life) int {
	return cmp.Or(cmp.Compare(a.job.Number, b.job.Number), cmp.Compare(a.task, b.task),
		a.job.Submitted.Compare(b.job.Submitted))
}

// until is when a task ended, or until when it is known to run.
func (x *life) until() time.Time {
	if x.ended.IsZero() {
		return x.last
	}
	return x.ended
}

// A stretch is a piece of time.
type stretch struct{ from, to time.Time }

// awaited is the time between two moments in which any of some tasks waited, in pieces.
func awaited(list []*life, from, to time.Time) (pieces []stretch) {
	for _, x := range list {
		end := x.started
		if end.IsZero() {
			end = x.last
		}
		if p := (stretch{model.Latest(x.job.Submitted, from), model.Earliest(end, to)}); p.to.After(p.from) {
			pieces = append(pieces, p)
		}
	}
	slices.SortFunc(pieces, func(a, b stretch) int { return a.from.Compare(b.from) })
	joined := pieces[:0]
	for _, p := range pieces {
		if n := len(joined); n > 0 && !p.from.After(joined[n-1].to) {
			joined[n-1].to = model.Latest(joined[n-1].to, p.to)
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// held is what tasks held in pieces of time, in seconds of a slot.
func held(list []*life, pieces []stretch) (sum float64) {
	for _, x := range list {
		if x.started.IsZero() {
			continue
		}
		first, _ := slices.BinarySearchFunc(pieces, x.started, func(p stretch, at time.Time) int { return p.to.Compare(at) })
		for _, p := range pieces[first:] {
			if !p.from.Before(x.until()) {
				break
			}
			sum += max(model.Earliest(p.to, x.until()).Sub(model.Latest(p.from, x.started)).Seconds(), 0) * x.slots
		}
	}
	return sum
}
