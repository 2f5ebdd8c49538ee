package audit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// The scheduler holds jobs in the order in which they were last changed, and a job that is altered (qalter) moves behind
// all others. No command prints that order. Where a policy is not in policy_hierarchy, jobs that it cannot tell apart get
// tickets in just that order, each less than the one before; so the printed tickets tell who was moved.

// A view is the run, as a search sees it.
type view struct{ *lastrun.View }

// impliedOrder reads the places of moved jobs from the tickets that the master printed; ties says to go by ntckts, which
// has more digits but is of all policies, where those print alike.
func (v view) impliedOrder(ties bool) split.Order {
	p := &v.Snapshot.Policy
	order := split.Order{}
	if p.ShareOverrideTickets && !strings.Contains(p.Hierarchy, "O") {
		v.imply(order, lastrun.Otckt, ties, v.overrideKey)
	}
	if p.FunctionalTickets > 0 && !strings.Contains(p.Hierarchy, "F") {
		v.imply(order, lastrun.Ftckt, ties, v.functionalKey)
	}
	return order
}

// A holding is a pending job at its place in the scheduler's list, with the tickets that the master printed.
type holding struct {
	job     *model.Job
	place   int
	tickets float64
}

// imply orders the jobs of each category by their printed tickets. A job that follows one which was behind it in the
// list has been moved.
func (v view) imply(order split.Order, f lastrun.Field, ties bool, key func(*model.Job) (string, bool)) {
	categories := map[string][]holding{}
	for i := range v.Lists.Pending {
		j := v.Lists.Pending[i].Job
		k, ok := key(j)
		tickets := v.printed(j, f)
		if more := v.printed(j, lastrun.NTckts); ties && !math.IsNaN(more) {
			tickets += more / 2 // less than one ticket
		}
		if ok && tickets > 0 {
			categories[k] = append(categories[k], holding{job: j, place: i, tickets: tickets})
		}
	}
	for _, list := range categories {
		slices.SortStableFunc(list, func(a, b holding) int { return cmp.Compare(b.tickets, a.tickets) })
		overtaken := overtaken(list)
		slices.SortStableFunc(list, func(a, b holding) int {
			return cmp.Or(cmp.Compare(b.tickets, a.tickets), cmp.Compare(overtaken[a.job], overtaken[b.job]))
		})
		for n, h := range list {
			if n > 0 && overtaken[h.job] > 0 {
				order.Move(h.job.Number, list[n-1].job.Number)
			}
		}
	}
}

// overtaken are the jobs of a list, sorted by tickets, that got less than one which was behind them; 1 for each.
func overtaken(list []holding) map[*model.Job]int {
	jobs := map[*model.Job]int{}
	last, above := -1, -1 // the furthest place of those with more tickets, and of all so far
	for n, h := range list {
		if n > 0 && h.tickets < list[n-1].tickets {
			last = above
		}
		if h.place < last {
			jobs[h.job] = 1
		}
		above = max(above, h.place)
	}
	return jobs
}

// printed are the tickets that the master printed for the first task of a job that was pending: for its waiting tasks, or
// for the one that the run started; 0 where they are of another run or only a part.
func (v view) printed(j *model.Job, f lastrun.Field) float64 {
	for k := range j.Tasks {
		if t := &j.Tasks[k]; split.StartedAt(t, v.At) && len(t.Granted) == 1 && t.Reported != nil {
			return lastrun.Reported(j, t)[f]
		}
	}
	for k := range j.Tasks {
		if t := &j.Tasks[k]; t.Started.IsZero() && t.Reported != nil && !v.Unranked(j.Number) {
			return lastrun.Reported(j, t)[f]
		}
	}
	return 0
}

func (v view) overrideKey(j *model.Job) (key string, ok bool) {
	s := v.Snapshot
	return v.categoryKey(j, j.OverrideTickets, func(i int) uint32 { return s.Users[i].OverrideTickets },
		func(i int) uint32 { return s.Projects[i].OverrideTickets }, func(i int) uint32 { return s.Usersets[i].OverrideTickets })
}

func (v view) functionalKey(j *model.Job) (key string, ok bool) {
	s := v.Snapshot
	return v.categoryKey(j, j.JobShare, func(i int) uint32 { return s.Users[i].FunctionalShares },
		func(i int) uint32 { return s.Projects[i].FunctionalShares }, func(i int) uint32 { return s.Usersets[i].FunctionalShares })
}

// categoryKey names what a policy sees of a job: what the job itself has, and those of its owners that have any.
func (v view) categoryKey(j *model.Job, own uint32, user, project, department func(int) uint32) (key string, ok bool) {
	s := v.Snapshot
	name := func(i int, of func(int) uint32, name string) string {
		if i < 0 || of(i) == 0 {
			return ""
		}
		ok = true
		return name
	}
	u := slices.IndexFunc(s.Users, func(x model.User) bool { return x.Name == j.Owner })
	p := slices.IndexFunc(s.Projects, func(x model.Project) bool { return x.Name == j.Project })
	d := slices.IndexFunc(s.Usersets, func(x model.Userset) bool { return x.Department && x.Name == j.Department })
	key = fmt.Sprintf("%d %q %q %q", own, name(u, user, j.Owner), name(p, project, j.Project), name(d, department, j.Department))
	return key, ok || own > 0
}

// searchOrder moves jobs that may have been altered back in the scheduler's list, one by one, as long as that leaves fewer
// numbers unexplained: where waiting tasks print no tickets, or print alike, only others' numbers tell.
func (r *Report) searchOrder(q model.Quirks, best *Report, assumed split.Assumed, candidates func(*Report) []move) (*Report, split.Assumed) {
	for range mostMoves {
		from := best
		moves := candidates(from)
		if from.Sum().Unexplained == 0 || len(moves)*len(r.View.Snapshot.Jobs) > mostWork {
			break
		}
		chosen := assumed
		for _, m := range moves {
			if r.budget.spent() {
				break
			}
			try := assumed
			try.Order = split.Order{}
			maps.Copy(try.Order, assumed.Order)
			try.Order.Move(m.job, m.behind)
			if under := r.under(q, try); under.leavesLess(best) {
				best, chosen = under, try
			}
		}
		if best == from {
			break
		}
		assumed = chosen
	}
	return best, assumed
}

// A move puts a job behind another one.
type move struct {
	job, behind uint32
}

// likelyMoves are what altering and starting jobs may have done: jobs that show signs of the former moved to the end, or one of the
// jobs whose numbers are unexplained behind another one, or behind one that started in the same second.
func (r *Report) likelyMoves() []move {
	list := view{r.View}.toEnd(view{r.View}.maybeAltered())
	var open []uint32
	for _, d := range r.Disagreements {
		if d.Class == batch.Unexplained && !slices.Contains(open, d.Job.Number) && len(open) < mostOpen {
			open = append(open, d.Job.Number)
		}
	}
	for _, job := range open {
		for _, behind := range open {
			if job != behind {
				list = append(list, move{job, behind})
			}
		}
		for _, behind := range (view{r.View}).startedWith(job) {
			list = append(list, move{job, behind})
		}
	}
	return list
}

// allMoves move any one pending job to the end: of -js, -ot and -P no sign is left, and it is the job that no longer comes
// first of which another one's numbers tell. Where the order is known there are none.
func (r *Report) allMoves() []move {
	if n := len(r.View.Lists.Pending); r.View.Assumed().Sequence != nil || n*n > mostWork/4 {
		return nil
	}
	var jobs []uint32
	for i := range r.View.Lists.Pending {
		jobs = append(jobs, r.View.Lists.Pending[i].Job.Number)
	}
	return view{r.View}.toEnd(jobs)
}

// toEnd are the moves of pending jobs to the end of the scheduler's list.
func (v view) toEnd(jobs []uint32) (list []move) {
	if len(v.Lists.Pending) == 0 {
		return nil
	}
	last := v.Lists.Pending[len(v.Lists.Pending)-1].Job.Number
	for _, job := range jobs {
		if job != last {
			list = append(list, move{job, last})
		}
	}
	return list
}

// startedWith are running jobs that an earlier run last started tasks of in the same second as of this one, which puts them
// behind each other in an order that only that run's schedule file shows.
func (v view) startedWith(number uint32) (list []uint32) {
	second := int64(-1)
	for _, e := range v.Lists.Running {
		if e.Job.Number == number {
			second = split.Changed(e.Job, v.At)
		}
	}
	for _, e := range v.Lists.Running {
		if e.Job.Number != number && len(list) < mostOpen && split.Changed(e.Job, v.At) == second {
			list = append(list, e.Job.Number)
		}
	}
	return list
}

// maybeAltered are the pending jobs that show signs of having been altered: changed since submission, or a -p of their own.
func (v view) maybeAltered() []uint32 {
	var list []uint32
	for i := range v.Lists.Pending {
		if j := v.Lists.Pending[i].Job; j.Version > 0 || j.PosixPriority != 0 {
			list = append(list, j.Number)
		}
	}
	return list
}
