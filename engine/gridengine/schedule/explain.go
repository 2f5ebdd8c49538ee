package schedule

import (
	"fmt"
	"slices"
	"strconv"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// What is said in one run is bounded: of categories beyond the many reasons, only a few are kept.
const (
	manyReasons = 500_000
	fewReasons  = 20
)

// learn keeps why the first job of a category does not start: it holds for all of them.
func (r *run) learn(c *cluster.Category, why []model.Reason) {
	if len(c.Why) > 0 || r.Quiet > 0 {
		return
	}
	why = cluster.Distinct(append(c.MetBefore(why), why...))
	if r.said > manyReasons {
		why = slices.Clone(why[:min(len(why), fewReasons)])
	}
	c.Why = why
	r.said += len(why)
}

// whyNot is why a job does not start: what is known of its category, and why it is not reserved for.
func (r *run) whyNot(j *waiting) []model.Reason {
	c := j.cat
	if r.Quiet > 0 {
		return nil
	}
	if len(c.Why) == 0 {
		c.Why = r.whyNowhere(j.job())
	}
	switch {
	case r.MaxReserved() == 0 || !j.job().Reserve:
		return c.Why
	case r.reserved >= r.MaxReserved():
		return c.Also(&c.WhyLimit, model.Reason{Kind: model.ReasonReservations, Offered: strconv.Itoa(r.MaxReserved())})
	case c.NoReservation:
		return c.Also(&c.WhyForGood, model.Reason{Kind: model.ReasonReservations, Object: "category"})
	}
	return c.Why
}

// explainRest says of all other waiting tasks why they took no part in the run.
func (r *run) explainRest() {
	for j := r.next(); j != nil; j = r.next() {
		r.wait(j, []model.Reason{{Kind: model.ReasonStopped}})
	}
	if !r.pending.queued {
		r.explainIdle()
	}
	for i := range r.Lists.Blocked {
		e := &r.Lists.Blocked[i]
		r.explainBlocked(e)
	}
}

// explainIdle says why pending jobs were not tried at all: no queue instance could take them.
func (r *run) explainIdle() {
	because := r.newIdleness()
	for _, j := range r.ranked.Pending {
		r.Plan.Decisions = append(r.Plan.Decisions,
			model.Decision{Job: j.Job.Number, Tasks: tasksOf(j.Entry), Verdict: model.Never,
				Why: because.of(j.Job, r.CategoryOfEntry(j.Entry))})
	}
}

// whyNowhere is why a job found no place though nothing that it looked at refused it: no queue instance was
// open any more. Of those that are full it names what would keep the job out for good.
func (r *run) whyNowhere(j *model.Job) []model.Reason {
	why := r.ClosedNow()
	if len(why) == 0 {
		return []model.Reason{{Kind: model.ReasonFull, Resource: resource.SlotsName, Later: true}}
	}
	if r.idleChecks += len(why); r.idleChecks <= manyReasons {
		r.nameBars(why, j)
	}
	return why
}

// nameBars puts what would keep a job out for good in the place of that a queue instance is full. The key
// tells which were put in.
func (r *run) nameBars(why []model.Reason, j *model.Job) (key []byte) {
	barred := r.Barrier(j)
	for i := range why {
		q := r.InstanceNames[why[i].Object]
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
	known  map[*cluster.Category][]model.Reason
	shared map[string][]model.Reason // so that categories with the same reasons have one list
}

func (r *run) newIdleness() *idleness {
	all := append(r.ClosedNow(), model.Reason{Kind: model.ReasonStopped})
	return &idleness{run: r, all: all, known: map[*cluster.Category][]model.Reason{},
		shared: map[string][]model.Reason{"": all}}
}

// of is what keeps a job out of each place that is full or closed to all: where it could never start, that.
// After many checks jobs are told what all are told.
func (i *idleness) of(j *model.Job, c *cluster.Category) []model.Reason {
	if i.known[c] == nil {
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
func (r *run) explainClosed() { r.Plan.Closed = r.ClosedNow() }

// explainBlocked says why tasks are held back from the run.
func (r *run) explainBlocked(e *split.Entry) {
	j := e.Job
	d := model.Decision{Job: j.Number, Tasks: tasksOf(e), Verdict: model.Never}
	d.Why = r.heldBack(j)
	r.Plan.Decisions = append(r.Plan.Decisions, d)
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
		why = append(why, model.Reason{Kind: model.ReasonDependency, Object: "job " + strconv.Itoa(int(n)), Later: true})
	}
	if j.ExecutionTime.Unix() > r.Plan.RunAt.Unix() {
		why = append(why, model.Reason{Kind: model.ReasonExecutionTime,
			Asked: j.ExecutionTime.UTC().Format("2006-01-02T15:04:05Z"), Later: true})
	}
	if r.Lists.Hidden[j.Number] {
		why = append(why, model.Reason{Kind: model.ReasonFilter, Later: true})
	}
	if len(why) == 0 {
		why = append(why, model.Reason{Kind: model.ReasonTaskLimit, Asked: strconv.Itoa(int(j.MaxRunningTasks)), Later: true})
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
