// Package steer finds changes that give PBS jobs a wanted order. Package engine/assign chooses as few changes
// as possible. After each change, package steer computes again how a cycle sorts the jobs.
//
// Its files:
//   - cycle.go: amounts of a resource, if job_sort_formula contains only this resource
//   - priorities.go: priorities of qalter -p, if a higher job_priority raises the value of job_sort_formula
//   - places.go: the order after jobs exchange places in their queues, qorder(1B)
package steer

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"qprism/engine/assign"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// A Cycle is a PBS cycle with a formula that qprism can steer. Either job_sort_formula is a resource: its
// amount is the value, and a job that does not ask for it has 0. Or the formula rises with -p of qalter
// (NewPriorities).
type Cycle struct {
	snapshot *model.Snapshot // with the resource as its formula
	resource string          // empty for -p
	at       time.Time
	scale    assign.Scale

	now  map[uint32]int     // priorities as they are
	even map[uint32]int64   // places where all priorities are equal: they decide between jobs of one priority
	base map[uint32]float64 // see stages

	terms map[uint32]float64 // what the formula adds to the priorities; nil for nothing
}

// NewCycle is the cycle at a moment, with the resource as job_sort_formula.
func NewCycle(s *model.Snapshot, at time.Time, resource string) *Cycle {
	own := *s.WithFormula(resource)
	own.Resources = slices.Clone(own.Resources)
	if !slices.ContainsFunc(own.Resources, func(r model.Resource) bool { return r.Name == resource }) {
		own.Resources = append(own.Resources, model.Resource{Name: resource, Type: model.TypePBSLong})
	}
	c := &Cycle{snapshot: &own, resource: resource, at: at, scale: scaleOf(s)}
	c.survey(0)
	for i := range own.Jobs {
		c.now[own.Jobs[i].Number] = priorityOf(&own.Jobs[i], resource)
	}
	return c
}

// survey finds the order with equal priorities, and the stages, between which no sum of priorities and
// other terms comes.
func (c *Cycle) survey(widest float64) {
	c.now, c.even = map[uint32]int{}, map[uint32]int64{}
	order := c.order(nil, true)
	for i, job := range order {
		c.even[job] = int64(i)
	}
	c.base = stages(order, c.order(reversed(order), true), 1<<26+widest)
}

// scaleOf is the scale of priorities at which jobs start: at the threshold of the formula and below they do not.
func scaleOf(s *model.Snapshot) assign.Scale {
	scale := assign.Whole
	if t, ok := s.PBS.Scheduler().FormulaThreshold(); ok {
		scale.Min = max(scale.Min, int(t)+1)
	}
	return scale
}

// Steer finds the values that give the wanted order, as far as the formula decides. The jobs form groups that
// follow each other; each group gets the wanted order. groups is their number.
func (c *Cycle) Steer(wanted []uint32) (st *assign.Steering, groups int, err error) {
	possible, groups := inStages(wanted, c.Native(nil), c.base)
	st, err = assign.Steer(possible, c.scale, c.Native)
	return st, groups, err
}

// Native are the waiting jobs in the order of the cycle after the changes.
func (c *Cycle) Native(changes []assign.Change) (list []assign.Waiting) {
	for _, job := range c.order(changes, false) {
		list = append(list, assign.Waiting{Job: job, P: c.now[job], Base: c.base[job] + c.terms[job], Submitted: c.even[job]})
	}
	return list
}

// order is the order in which the cycle takes jobs after changes, with even all others having no priority;
// subjobs stand for their array.
func (c *Cycle) order(changes []assign.Change, even bool) (list []uint32) {
	seen := map[uint32]bool{}
	for _, d := range cycle.Order(c.leveled(changes, even), cycle.Options{At: c.at}) {
		if !seen[d.Job] {
			seen[d.Job] = true
			list = append(list, d.Job)
		}
	}
	return list
}

// leveled is the snapshot after changes, with even all other jobs having no priority.
func (c *Cycle) leveled(changes []assign.Change, even bool) *model.Snapshot {
	to := map[uint32]int{}
	for _, change := range changes {
		to[change.Job] = change.To
	}
	own := *c.snapshot
	own.Jobs = slices.Clone(own.Jobs)
	for i := range own.Jobs {
		j := &own.Jobs[i]
		priority, changed := to[j.Number]
		if !changed && !even {
			continue
		}
		if c.resource == "" {
			j.PosixPriority = priority
			continue
		}
		j.Hard = slices.DeleteFunc(slices.Clone(j.Hard), func(r model.Request) bool { return r.Resource == c.resource })
		j.Hard = append(j.Hard, model.Request{Resource: c.resource, Value: strconv.Itoa(priority), Amount: float64(priority)})
	}
	return &own
}

// priorityOf is the amount of a resource that a job asks for, 0 for none.
func priorityOf(j *model.Job, resource string) int {
	for _, r := range j.Hard {
		if r.Resource == resource {
			return int(r.Amount)
		}
	}
	return 0
}

// reversed are priorities that turn an order around.
func reversed(order []uint32) []assign.Change {
	list := make([]assign.Change, len(order))
	for i, job := range order {
		list[i] = assign.Change{Job: job, To: i}
	}
	return list
}

// stages are what jobs have besides their levels: a cycle takes some before others whatever their formula
// says, by preempt level, by_queue. Jobs that priorities bring past each other are of one stage. The orders
// are those with equal priorities, and with the reverse ones; apart is more than all sums of a stage.
func stages(even, reverse []uint32, apart float64) map[uint32]float64 {
	base := make(map[uint32]float64, len(even))
	open := map[uint32]bool{} // jobs that one order has had so far, and the other not
	stage := 0.0
	for i := range even {
		for _, job := range []uint32{even[i], reverse[i]} {
			if open[job] {
				delete(open, job)
			} else {
				open[job] = true
			}
		}
		base[even[i]] = stage
		if len(open) == 0 {
			stage -= apart
		}
	}
	return base
}

// inStages is a wanted order of all jobs that priorities can bring about: stage by stage, in each first
// those that are wanted somewhere. It says how many stages of more than one order there are, with those
// between them.
func inStages(wanted []uint32, now []assign.Waiting, stage map[uint32]float64) (order []uint32, stages int) {
	place := make(map[uint32]int, len(wanted))
	for i, job := range wanted {
		if _, twice := place[job]; !twice {
			place[job] = i - len(wanted)
		}
	}
	jobs := slices.Clone(now)
	slices.SortStableFunc(jobs, func(a, b assign.Waiting) int {
		return cmp.Or(cmp.Compare(stage[b.Job], stage[a.Job]), cmp.Compare(place[a.Job], place[b.Job]))
	})
	waits := map[uint32]bool{}
	for i, j := range jobs {
		order = append(order, j.Job)
		waits[j.Job] = true
		if i == 0 || stage[j.Job] != stage[jobs[i-1].Job] {
			stages++
		}
	}
	for _, job := range wanted { // the others do not wait, which is told
		if !waits[job] {
			order = append(order, job)
		}
	}
	return order, stages
}
