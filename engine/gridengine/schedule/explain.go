package schedule

import (
	"fmt"
	"slices"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// What is said in one run is bounded: of categories beyond the many reasons, only a few are kept.
const (
	manyReasons = 500_000
	fewReasons  = 20
)

// learn keeps why the first job of a category does not start: it holds for all of them.
func (r *run) learn(c *category, why []model.Reason) {
	if len(c.why) > 0 || r.quiet > 0 {
		return
	}
	why = distinct(append(c.metBefore(why), why...))
	if r.said > manyReasons {
		why = slices.Clone(why[:min(len(why), fewReasons)])
	}
	c.why = why
	r.said += len(why)
}

// remember keeps what a task met that found its place: what it ruled out for its category is not looked at again.
func (c *category) remember(why []model.Reason) {
	for _, r := range why {
		if (r.Level == levelHost || r.Level == levelQueue) && !c.met[r.Object] && len(c.earlier) < mostReasons {
			if c.met == nil {
				c.met = map[string]bool{}
			}
			c.met[r.Object] = true
			c.earlier = append(c.earlier, r)
		}
	}
}

// metBefore is what is remembered of places that a task did not look at again.
func (c *category) metBefore(why []model.Reason) (list []model.Reason) {
	if len(c.earlier) == 0 {
		return nil
	}
	seen := make(map[string]bool, len(why))
	for _, r := range why {
		seen[r.Object] = true
	}
	for _, r := range c.earlier {
		if !seen[r.Object] {
			list = append(list, r)
		}
	}
	return list
}

// distinct leaves out reasons that were given before: a place can be looked at several times.
func distinct(why []model.Reason) []model.Reason {
	seen := make(map[model.Reason]bool, len(why))
	return slices.DeleteFunc(why, func(r model.Reason) bool {
		again := seen[r]
		seen[r] = true
		return again
	})
}

// whyNot is why a job does not start: what is known of its category, and why it is not reserved for.
func (r *run) whyNot(j *waiting) []model.Reason {
	c := j.cat
	if r.quiet > 0 {
		return nil
	}
	if len(c.why) == 0 {
		c.why = r.whyNowhere(j.job())
	}
	switch {
	case r.maxReserved == 0 || !j.job().Reserve:
		return c.why
	case r.reserved >= r.maxReserved:
		return c.with(&c.whyLimit, model.Reason{Kind: model.ReasonReservations, Offered: itoa(r.maxReserved)})
	case c.noReservation:
		return c.with(&c.whyForGood, model.Reason{Kind: model.ReasonReservations, Object: "category"})
	}
	return c.why
}

// with is what is known of a category and one reason more, made once.
func (c *category) with(made *[]model.Reason, more model.Reason) []model.Reason {
	if *made == nil {
		*made = append(c.why[:len(c.why):len(c.why)], more)
	}
	return *made
}

// explainRest says of all other waiting tasks why they took no part in the run.
func (r *run) explainRest() {
	for j := r.next(); j != nil; j = r.next() {
		r.wait(j, []model.Reason{{Kind: model.ReasonStopped}})
	}
	if r.pending.entries == nil {
		r.explainIdle()
	}
	for i := range r.lists.Aside {
		e := &r.lists.Aside[i]
		r.explainAside(e)
	}
}

// explainIdle says why pending jobs were not tried at all: no queue instance could take them.
func (r *run) explainIdle() {
	entries := r.pendingEntries()
	because := r.newIdleness()
	for _, j := range r.ranked.Pending {
		if e := entries[j.Job.Number]; e != nil {
			r.plan.Decisions = append(r.plan.Decisions,
				model.Decision{Job: e.Job.Number, Tasks: tasksOf(e), Verdict: model.Never, Why: because.of(e.Job, r.categoryOf(e.Job))})
		}
	}
}

// whyNowhere is why a job found no place though nothing that it looked at refused it: no queue instance was open any more. Of those
// that are full it names what would keep the job out for good.
func (r *run) whyNowhere(j *model.Job) []model.Reason {
	why := r.closedNow()
	if len(why) == 0 {
		return []model.Reason{{Kind: model.ReasonFull, Resource: slotsName, Later: true}}
	}
	if r.idleChecks += len(why); r.idleChecks <= manyReasons {
		r.nameBars(why, j)
	}
	return why
}

// nameBars puts what would keep a job out for good in the place of that a queue instance is full. The key tells which were put in.
func (r *run) nameBars(why []model.Reason, j *model.Job) (key []byte) {
	barred := r.barrier(j)
	for i := range why {
		q := r.world.instanceNames[why[i].Object]
		if q == nil || why[i].Kind != model.ReasonFull {
			continue
		}
		if bar, bars := barred(q); bars {
			why[i] = bar
			key = fmt.Appendf(key, "%d %q ", i, []string{string(bar.Kind), bar.Object, bar.Resource, bar.Asked, bar.Offered})
		}
	}
	return key
}

// An idleness is why jobs are not tried once no queue instance is open.
type idleness struct {
	run    *run
	all    []model.Reason // what all jobs are told
	known  map[*category][]model.Reason
	shared map[string][]model.Reason // so that categories with the same reasons have one list
}

func (r *run) newIdleness() *idleness {
	all := append(r.closedNow(), model.Reason{Kind: model.ReasonStopped})
	return &idleness{run: r, all: all, known: map[*category][]model.Reason{}, shared: map[string][]model.Reason{"": all}}
}

// of is what keeps a job out of each place that is full or closed to all: where it could never start, that. After many checks
// jobs are told what all are told.
func (i *idleness) of(j *model.Job, c *category) []model.Reason {
	if i.known[c] == nil && i.run.quiet == 0 {
		i.known[c] = i.find(j)
	}
	return i.known[c]
}

func (i *idleness) find(j *model.Job) []model.Reason {
	r := i.run
	if r.idleChecks += len(i.all); r.idleChecks > manyReasons {
		return i.all
	}
	why := slices.Clone(i.all)
	key := string(r.nameBars(why, j))
	if i.shared[key] == nil {
		i.shared[key] = why
	}
	return i.shared[key]
}

func tasksOf(e *split.Entry) []model.Range {
	var list []model.Range
	for _, t := range e.Tasks {
		list = append(list, model.Range{Min: t.Number, Max: t.Number, Step: 1})
	}
	return append(list, e.Waiting...)
}

// explainClosed says of each queue instance that takes no part in the run why no job can start there.
func (r *run) explainClosed() { r.plan.Closed = r.closedNow() }

// closedNow says of each queue instance in which no job can start at this point of the run why that is so.
func (r *run) closedNow() (list []model.Reason) {
	for _, q := range r.world.instances {
		if why, closed := q.closedBecause(); closed && len(list) < mostReasons {
			list = append(list, why)
		}
	}
	return list
}

// closedBecause says why no job can start in an instance.
func (q *instance) closedBecause() (model.Reason, bool) {
	why := model.Reason{Level: levelQueue, Object: q.Name, Offered: q.State}
	switch {
	case q.suspended || q.broken || q.disabled:
		why.Kind = model.ReasonQueueState
	case q.subordinated:
		why.Kind, why.Offered, why.Later = model.ReasonQueueState, "S", true
		why.Asked = fmt.Sprintf("job %d", q.suspendedBy)
	case q.calendarOff || q.calendarSuspended:
		why.Kind, why.Asked, why.Later = model.ReasonCalendar, q.Calendar, true
	case q.out.Kind != "":
		why = q.out
		why.Later = true // load passes
	case q.isFull():
		why.Kind, why.Resource, why.Offered, why.Later = model.ReasonFull, slotsName, print(q.total()), true
	default:
		return why, false
	}
	return why, true
}

// explainAside says why tasks are held back from the run.
func (r *run) explainAside(e *split.Entry) {
	j := e.Job
	d := model.Decision{Job: j.Number, Tasks: tasksOf(e), Verdict: model.Never}
	d.Why = r.heldBack(j)
	r.plan.Decisions = append(r.plan.Decisions, d)
}

// heldBack lists all that holds waiting tasks of a job back. A job that waits for others is shown as held as well.
func (r *run) heldBack(j *model.Job) (why []model.Reason) {
	held, failed := states(j)
	if failed {
		why = append(why, model.Reason{Kind: model.ReasonError})
	}
	if held && len(j.Predecessors) == 0 {
		why = append(why, model.Reason{Kind: model.ReasonHold})
	}
	for _, n := range j.Predecessors {
		why = append(why, model.Reason{Kind: model.ReasonDependency, Object: "job " + itoa(int(n)), Later: true})
	}
	if j.ExecutionTime.Unix() > r.plan.RunAt.Unix() {
		why = append(why, model.Reason{Kind: model.ReasonExecutionTime, Asked: j.ExecutionTime.UTC().Format("2006-01-02T15:04:05Z"), Later: true})
	}
	if r.lists.Hidden[j.Number] {
		why = append(why, model.Reason{Kind: model.ReasonFilter, Later: true})
	}
	if len(why) == 0 {
		why = append(why, model.Reason{Kind: model.ReasonTaskLimit, Asked: itoa(int(j.MaxRunningTasks)), Later: true})
	}
	return why
}

// states reports whether waiting tasks of a job are held or failed.
func states(j *model.Job) (held, failed bool) {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Started.IsZero() {
			for _, letter := range t.State {
				held = held || letter == 'h'
				failed = failed || letter == 'E'
			}
		}
	}
	return held, failed
}
