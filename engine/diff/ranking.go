package diff

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// A place is one task in an expected order, or several of one job that stand there together.
type place struct {
	task Task
	rest []model.Range // the tasks, the first with them; nil for one task
	at   time.Time     // expected start
	last bool          // no start is expected: it comes last, with others
}

// ranking lists the waiting tasks of a snapshot in the order in which a run at a moment tries them; of the
// tasks of an array that have no rank of their own, the first. Tasks that are held and the like are not in
// it.
func ranking(s *model.Snapshot, at time.Time, quirks model.Quirks, m *memory) []place {
	if s.PBS != nil {
		return places(cycle.Order(s, cycle.Options{At: at, Memory: m.at(s, at)}))
	}
	s = split.WithEndedTasks(s, at)
	lists := split.Jobs(s, at, quirks, split.Assumed{Coming: true})
	return byPriority(priority.Rank(s, lists, at, quirks), lists.Pending)
}

// places are the tasks of decisions, in their order.
func places(decisions []model.Decision) (list []place) {
	for _, d := range decisions {
		list = append(list, group(d.Job, d.Tasks))
	}
	return list
}

// expectedOf is the order that a plan expects: what it starts, what it reserves for by time, and the rest.
func expectedOf(p *model.Plan) (list []place) {
	var later, never []place
	for _, d := range p.Decisions {
		g := group(d.Job, d.Tasks)
		switch d.Verdict {
		case model.Now:
			g.at = p.RunAt
			list = append(list, g)
		case model.Later:
			g.at = d.Start
			later = append(later, g)
		default:
			g.last = true
			never = append(never, g)
		}
	}
	slices.SortStableFunc(later, func(a, b place) int { return a.at.Compare(b.at) })
	for i := range later {
		later[i].at = time.Time{} // not by this run
	}
	return slices.Concat(list, later, never)
}

// A ranked place has the priority that it is tried by.
type ranked struct {
	place
	job  *model.Job
	prio float64
}

// byPriority is the order in which a Grid Engine run tries tasks. It tries the tasks of a job one after the
// other, by number, and ignores their own priorities.
func byPriority(r *priority.Result, pending []split.Entry) (list []place) {
	entries := make(map[uint32]*split.Entry, len(pending))
	for i := range pending {
		entries[pending[i].Job.Number] = &pending[i]
	}
	var all []ranked
	for _, j := range r.Pending {
		if e := entries[j.Job.Number]; e != nil {
			all = append(all, rankTasks(r, j, e)...)
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.prio, a.prio), cmp.Compare(a.job.Submitted.Unix(), b.job.Submitted.Unix()),
			cmp.Compare(a.job.Number, b.job.Number))
	})
	for _, k := range all {
		list = append(list, k.place)
	}
	return list
}

// rankTasks ranks the tasks of one job: rescheduled ones, new ones that have priorities of their own, and
// the rest together.
func rankTasks(r *priority.Result, j *priority.Job, e *split.Entry) (list []ranked) {
	prio := j.Prio
	add := func(g place, own float64) {
		prio = min(prio, own)
		list = append(list, ranked{g, j.Job, prio})
	}
	for _, t := range j.Pending() {
		add(place{task: Task{j.Job.Number, t.Number}}, t.Prio)
	}
	known := map[uint32]bool{}
	for _, t := range j.Waiting() {
		own := j.Prio
		if len(list) > 0 { // ranked anew by the run itself
			own = r.Weights.Reblend(j.Urgency.Norm, urgency.Normalize(t.Total, 0, r.Tickets.Maximum), j.NPPrior)
		}
		known[t.Number] = true
		add(place{task: Task{j.Job.Number, t.Number}}, own)
	}
	if rest := leftOut(e.Waiting, known); len(rest) > 0 {
		add(group(j.Job.Number, rest), prio)
	}
	return list
}

// leftOut are the ranges behind the last number that is known: tasks are known from the first on.
func leftOut(ranges []model.Range, known map[uint32]bool) (rest []model.Range) {
	for _, r := range ranges {
		for number := range r.All() {
			if !known[number] {
				rest = append(rest, model.Range{Min: number, Max: r.Max, Step: r.Step})
				break
			}
		}
	}
	return rest
}

// group is the place of one task or of several; a job without task numbers has task 1.
func group(job uint32, tasks []model.Range) place {
	g := place{task: Task{job, 1}}
	if number, ok := model.First(tasks); ok {
		g.task.Number = number
	}
	if model.CountOf(tasks) > 1 {
		g.rest = tasks
	}
	return g
}

// single takes out of groups the tasks that started; of the others the first stands for all.
func single(list []place, started map[Task]*start) (out []place) {
	for _, p := range list {
		if p.rest == nil {
			out = append(out, p)
			continue
		}
		waits := false
		for _, t := range startedOf(p, started) {
			one := p
			one.task, one.rest = t, nil
			out = append(out, one)
		}
		for _, r := range p.rest {
			for number := range r.All() {
				if t := (Task{p.task.Job, number}); started[t] == nil && !waits {
					one := p
					one.task, one.rest, waits = t, nil, true
					out = append(out, one)
				}
				if waits {
					break
				}
			}
		}
	}
	return out
}

// startedOf are the tasks of a group that started, by number.
func startedOf(p place, started map[Task]*start) (list []Task) {
	for t := range started {
		if t.Job == p.task.Job && holds(p.rest, t.Number) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b Task) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// holds reports whether a number is in one of the ranges.
func holds(ranges []model.Range, number uint32) bool {
	return slices.ContainsFunc(ranges, func(r model.Range) bool { return r.Holds(number) })
}
