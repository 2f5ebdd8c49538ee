package cycle

import (
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// Options say which cycle.
type Options struct {
	At     time.Time // moment of the cycle
	Qrun   string    // id of a job that qrun asks the scheduler to start now, empty for none
	Memory *Memory   // of the scheduler's earlier cycles, brought up to date by this one; nil where nothing is known of them

	// Refused is what the server says when it refuses to start a job in this cycle, by job, as its log tells; nil for what comments
	// say of the last time.
	Refused map[string]string

	Values map[string]float32 // of the formula, by job, where they are known and the formula is not
	// without Memory: what entities are charged when the cycle begins, and others nothing; nil for what Charges estimates
	Charged map[string]float64
}

// Memory is what a scheduler remembers from one cycle to the next.
type Memory struct {
	Fairshare *fairshare.Memory // nil: the tree is the one of the files
	LastVnode string            // where smp_cluster_dist round_robin placed a job last
}

// Run plans the cycle at a moment from the state of the cluster before it. A snapshot without PBS gives an empty plan.
func Run(s *model.Snapshot, opts Options) *model.Plan {
	r := newRun(s, opts)
	if s.PBS == nil {
		return r.plan
	}
	r.load()
	r.noteGuesses()
	r.noteUncomputed()
	r.passOver()
	if r.confirmReservations() {
		return r.plan
	}
	r.accrue()
	r.noteCharges()
	r.rate()
	r.line.sortJobs()
	r.consider()
	r.remember()
	return r.plan
}

// A run is one cycle.
type run struct {
	world     *world
	line      *line
	preemptor *preemptor
	opts      Options
	memory    *Memory
	plan      *model.Plan

	tops        int64 // jobs in the calendar that count against the server's backfill_depth
	refused     bool  // some job, and a note says so
	checkpoints bool  // likewise
	whys        map[failure][]model.Reason
	errors      map[string]string // of the formula, by job
	charges     []Charge
}

func newRun(s *model.Snapshot, opts Options) *run {
	r := &run{opts: opts, memory: opts.Memory, plan: &model.Plan{RunAt: opts.At}, whys: map[failure][]model.Reason{}}
	if r.memory == nil {
		r.memory = &Memory{}
	}
	if s.PBS != nil {
		r.world = newWorld(s, opts, r.memory)
	}
	return r
}

// load reads the cluster, and readies the steps.
func (r *run) load() {
	r.world.load()
	r.world.prepare()
	r.line, r.preemptor = newLine(r.world), newPreemptor(r.world)
}

// consider tries job after job.
func (r *run) consider() {
	w, order := r.world, keepOrder
	for n := int64(1); ; n++ {
		c := r.line.next(order)
		if c == nil {
			return
		}
		order = r.tryJob(c)
		if limit := w.conf.MaxJobCheck; limit.Set && n >= limit.N {
			return
		}
	}
}

// tryJob starts a job, or finds a way: jobs to preempt, a place in the calendar; or the reason why it waits.
func (r *run) tryJob(c *claim) resorting {
	w := r.world
	byBucket := w.wantsBuckets(c)
	place, why := w.tryShrinking(c, trial{buckets: byBucket})
	if place != nil && c.refused != "" {
		return r.refuse(c)
	}
	if place != nil {
		r.startAt(c, place)
		if len(w.server.limits.soft) > 0 || len(c.queue.limits.soft) > 0 {
			return certainReorder
		}
		return maybeReorder
	}
	c.neverRuns = c.neverRuns || why.status == neverRun
	if w.policy.Preemptive && c.runnable() && !c.neverRuns && r.preempt(c) {
		return certainReorder
	}
	order := r.keepFor(c, byBucket)
	c.cannotRun = true
	r.recordWait(c, why)
	w.learn(c, why)
	r.keepOrder(c)
	return order
}

// keepFor puts a job that could not start into the calendar, if it is a top job.
func (r *run) keepFor(c *claim, byBucket bool) resorting {
	w := r.world
	if !r.isTop(c) {
		return keepOrder
	}
	f, planned, ok := w.planTop(c, byBucket)
	if !ok {
		r.note(c.id + ": no start can be estimated for the top job")
		return keepOrder
	}
	if planned {
		r.recordTop(f)
	}
	if !c.preempted || !w.sched.EnforceResumption {
		if c.queue.depth >= 0 {
			c.queue.tops++
		} else {
			r.tops++
		}
	}
	return maybeReorder
}

// isTop reports whether vnodes are kept for a job that could not start.
func (r *run) isTop(c *claim) bool {
	w := r.world
	if !w.policy.Backfill || c.inside != nil {
		return false
	}
	if !c.preempted {
		depth, tops := max(1, w.policy.depth), r.tops
		if w.policy.depth >= 0 {
			depth = w.policy.depth
		}
		if c.queue.depth >= 0 {
			depth, tops = c.queue.depth, c.queue.tops
		}
		if tops >= depth {
			return false
		}
	}
	switch {
	case !w.conf.AOECalendar && slices.Contains(c.selection.uses, w.res.aoe), c.neverRuns:
		return false
	case c.preempted && w.sched.EnforceResumption && c.level >= w.normal:
		return true
	}
	return !c.notTop && w.policy.StrictOrdering
}

// keepOrder keeps later jobs from passing one that could not start, with strict_ordering or strict_fifo.
func (r *run) keepOrder(c *claim) {
	w := r.world
	if c.inside != nil {
		return
	}
	switch p := &w.policy; {
	case p.StrictFIFO:
		r.forbid(c.queue.jobs)
	case p.StrictOrdering && !p.Backfill:
		r.forbid(w.jobs)
	case p.StrictOrdering && c.queue.depth == 0:
		r.forbid(c.queue.jobs)
	}
}

// forbid passes over all jobs of a list that have not been tried.
func (r *run) forbid(jobs []*claim) {
	for _, c := range jobs {
		if !c.cannotRun {
			c.cannotRun = true
			r.recordPassedOver(c, fails(model.FailStrictOrdering))
		}
	}
}

// preempt stops jobs of lower levels so that a job can start, and starts it. It says whether it did.
func (r *run) preempt(c *claim) bool {
	w := r.world
	victims := r.preemptor.victims(c)
	if len(victims) == 0 {
		return false
	}
	for _, v := range victims {
		r.stop(v, c, r.preemptor.method(v))
	}
	place := c.given
	if place == nil {
		w.refresh(false)
		place, _ = w.findVnodes(c, false)
	}
	if place != nil {
		r.startAt(c, place)
	}
	return place != nil
}

func (r *run) stop(v, c *claim, method byte) {
	r.preemptor.stop(v, method)
	r.recordPreemption(v, c, methodNames[method])
	if method == 'C' && !r.checkpoints {
		r.checkpoints = true
		r.note("preempt_order has jobs checkpointed; where a mom has no script for that, the server takes the next method, or stops none")
	}
}

// startAt starts a job, or the next subjob of an array, or resumes it.
func (r *run) startAt(c *claim, place []portion) {
	w := r.world
	if c.isArray {
		if s := w.subjob(c); s != nil {
			c = s
		}
	}
	if c.suspended() || c.given != nil {
		place = nil
	} else {
		place = inOrder(place)
	}
	r.recordStart(c, place)
	w.begin(c, place, true)
	if a := c.array; a != nil && len(a.subjobs) == 0 {
		a.cannotRun = true
	}
}

// refuse expects that the server refuses a job again. It takes no vnodes then, others of its class are tried all the same, and none are
// kept for it.
func (r *run) refuse(c *claim) resorting {
	c.cannotRun = true
	r.recordWait(c, fails(model.FailRefused, c.refused))
	if !r.refused && r.opts.Refused == nil {
		r.refused = true
		r.note("the server refused to start some jobs when it was asked last, as their comments say; it is expected to do so again")
	}
	return keepOrder
}

// confirmReservations reports whether there are reservations to be confirmed. The scheduler does nothing else in that
// cycle, and begins another one at once.
func (r *run) confirmReservations() bool {
	if r.opts.Qrun != "" {
		return false
	}
	some := false
	for _, c := range r.world.reserved {
		if r.world.unsettled(c) {
			r.note(c.id + ": the cycle confirms reservations, and considers no jobs")
			some = true
		}
	}
	return some
}
