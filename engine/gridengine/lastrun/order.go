package lastrun

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// The scheduler holds jobs in the order in which they were last changed, and a job that is altered (qalter)
// moves behind all others. No command prints that order. Where a policy is not in policy_hierarchy, jobs
// that it cannot tell apart get tickets in just that order, each less than the one before; so the printed
// tickets tell who was moved.

// An Implied order moves altered jobs to the places that the printed tickets imply.
type Implied struct {
	split.Order
	Unique bool // the tickets of each moved job allow no other place
}

// ImpliedOrders are the orders that the printed tickets allow, the most likely first. If several other jobs
// have the same printed tickets, a job may be after any of these jobs. most limits the number of orders from
// the tickets of one policy, and separately the number of orders from ntckts. ntckts has more digits, but
// covers all policies.
func (v *View) ImpliedOrders(most int) (list []Implied) {
	for _, ties := range []bool{false, true} {
		choices := v.choices(ties)
		orders, told := []split.Order{{}}, true
		for _, job := range slices.Sorted(maps.Keys(choices)) {
			var more []split.Order
			told = told && len(choices[job]) == 1
			for _, behind := range choices[job] {
				for _, o := range orders[:min(len(orders), max(most/len(choices[job]), 1))] {
					o = maps.Clone(o)
					o.Move(job, behind)
					more = append(more, o)
				}
			}
			orders = more[:min(len(more), most)]
		}
		for _, o := range orders {
			list = append(list, Implied{o, told})
		}
	}
	return list
}

// choices are behind which jobs each moved one may be.
func (v *View) choices(ties bool) map[uint32][]uint32 {
	p := &v.Snapshot.Policy
	choices := map[uint32][]uint32{}
	if p.ShareOverrideTickets && !strings.Contains(p.Hierarchy, "O") {
		v.imply(choices, Otckt, ties, v.overrideKey)
	}
	if p.FunctionalTickets > 0 && !strings.Contains(p.Hierarchy, "F") {
		v.imply(choices, Ftckt, ties, v.functionalKey)
	}
	return choices
}

// Unseen are the pending jobs without printed tickets, except the last one. No printed number shows their
// places.
func (v *View) Unseen() (list []uint32, last uint32) {
	for i := range v.Lists.Pending {
		j := v.Lists.Pending[i].Job
		if last = j.Number; i+1 < len(v.Lists.Pending) && !(v.printed(j, Tckts) > 0) {
			list = append(list, j.Number)
		}
	}
	return list, last
}

// A holding is a pending job at its place in the scheduler's list, with the tickets that the master printed.
type holding struct {
	job     *model.Job
	place   int
	tickets float64
}

// imply orders the jobs of each category by their printed tickets. A job that follows one which was behind it in the
// list has been moved.
func (v *View) imply(choices map[uint32][]uint32, f Field, ties bool, key func(*model.Job) (string, bool)) {
	categories := map[string][]holding{}
	for i := range v.Lists.Pending {
		j := v.Lists.Pending[i].Job
		k, ok := key(j)
		tickets := v.printed(j, f)
		if more := v.printed(j, NTckts); ties && !math.IsNaN(more) {
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
				choices[h.job.Number] = behind(list[:n], h)
			}
		}
	}
}

// behind are the jobs that one may directly follow: those with as many tickets, and the last one with more.
func behind(before []holding, h holding) (list []uint32) {
	for _, other := range slices.Backward(before) {
		list = append(list, other.job.Number)
		if other.tickets > h.tickets {
			break
		}
	}
	return list
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

// printed are the tickets that the master printed for the first task of a job that was pending: for its
// waiting tasks, or for the one that the run started; 0 where they are of another run or only a part.
func (v *View) printed(j *model.Job, f Field) float64 {
	for k := range j.Tasks {
		if t := &j.Tasks[k]; split.StartedAt(t, v.At) && len(t.Granted) == 1 && t.Reported != nil {
			return Reported(j, t)[f]
		}
	}
	for k := range j.Tasks {
		if t := &j.Tasks[k]; t.Started.IsZero() && t.Reported != nil && !v.Unranked(j.Number) {
			return Reported(j, t)[f]
		}
	}
	return 0
}

func (v *View) overrideKey(j *model.Job) (key string, ok bool) {
	s := v.Snapshot
	return v.categoryKey(j, j.OverrideTickets, func(i int) uint32 { return s.Users[i].OverrideTickets },
		func(i int) uint32 {
			return s.Projects[i].OverrideTickets
		}, func(i int) uint32 { return s.Usersets[i].OverrideTickets })
}

func (v *View) functionalKey(j *model.Job) (key string, ok bool) {
	s := v.Snapshot
	return v.categoryKey(j, j.JobShare, func(i int) uint32 { return s.Users[i].FunctionalShares },
		func(i int) uint32 {
			return s.Projects[i].FunctionalShares
		}, func(i int) uint32 { return s.Usersets[i].FunctionalShares })
}

// categoryKey names what a policy sees of a job: what the job itself has, and those of its owners that have any.
func (v *View) categoryKey(j *model.Job, own uint32, user, project, department func(int) uint32) (key string, ok bool) {
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
	key = fmt.Sprintf("%d %q %q %q", own, name(u, user, j.Owner), name(p, project, j.Project),
		name(d, department, j.Department))
	return key, ok || own > 0
}

// Ordered is the view with the most likely implied order, if more numbers agree with this order.
func (v *View) Ordered() *View {
	best, most := v, v.Agreement()
	for _, order := range v.ImpliedOrders(1) {
		if len(order.Order) == 0 || most.Whole() {
			continue
		}
		o := v.With(order.Order)
		if a := o.Agreement(); a.Better(most) {
			best, most = o, a
		}
	}
	return best
}

// With recomputes the view with altered jobs after others.
func (v *View) With(order split.Order) *View {
	assumed := v.assumed
	assumed.Order = order
	return Recompute(v.Snapshot, v.At, v.quirks, assumed)
}
