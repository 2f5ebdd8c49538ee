package cycle

import (
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/load"
	"qprism/engine/pbs/cycle/order"
	"qprism/engine/pbs/cycle/preempt"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/cycle/search"
	"qprism/engine/pbs/fairshare"
)

// Options choose the cycle, and add information.
type Options struct {
	At   time.Time // moment of the cycle
	Qrun string    // id of a job that qrun asks to start now, empty for none
	// of the earlier cycles of the scheduler; Run updates it. nil if nothing is known
	Memory *Memory

	// Refused has, by job, the server's message if it refuses to start a job in this cycle, from its log. If
	// it is nil, the comments of the last time count.
	Refused map[string]string

	Values map[string]float32 // of the formula, by job, if they are known but the formula is not
	// without Memory: what entities are charged when the cycle begins; others are charged nothing. nil for
	// the estimate of Charges
	Charged map[string]float64
}

// Memory is what a scheduler remembers from one cycle to the next.
type Memory struct {
	Fairshare *fairshare.Memory // nil for the tree of the files
	LastVnode string            // the last vnode that smp_cluster_dist round_robin used
}

// Run plans the cycle at a moment, from the state of the cluster before it. A snapshot of another system
// gives an empty plan.
func Run(s *model.Snapshot, opts Options) *model.Plan {
	r := newRun(s, opts)
	if s.PBS == nil {
		return r.plan
	}
	r.noteGuesses()
	r.noteUncomputed()
	r.passOver()
	if r.confirmReservations() {
		return r.plan
	}
	r.accrue()
	r.noteCharges()
	r.rate()
	r.line.SortJobs()
	r.consider()
	r.remember()
	return r.plan
}

// A run is one cycle.
type run struct {
	world     *cluster.World
	line      *order.Line
	preemptor *preempt.Preemptor
	opts      Options
	memory    *Memory
	plan      *model.Plan

	tops        int64 // jobs in the calendar that count against the server's backfill_depth
	refused     bool  // some job, and a note says so
	checkpoints bool  // likewise
	whys        map[reason.Failure][]model.Reason
	errors      map[string]string // of the formula, by job
	charges     []Charge
	suspended   map[string]bool // jobs of which accounting has a suspension; nil until it is asked for
}

func newRun(s *model.Snapshot, opts Options) *run {
	r := &run{opts: opts, memory: opts.Memory, plan: &model.Plan{RunAt: opts.At},
		whys: map[reason.Failure][]model.Reason{}}
	if r.memory == nil {
		r.memory = &Memory{}
	}
	if s.PBS != nil {
		r.world = load.Read(s, load.Source{At: opts.At, Qrun: opts.Qrun, Refused: opts.Refused,
			Tree: r.memory.Fairshare, LastHost: &r.memory.LastVnode})
		search.In(r.world).Prepare()
		r.line, r.preemptor = order.New(r.world), preempt.New(r.world)
	}
	return r
}

// consider tries job after job.
func (r *run) consider() {
	w, resort := r.world, order.Keep
	for n := int64(1); ; n++ {
		c := r.line.Next(resort)
		if c == nil {
			return
		}
		resort = r.tryJob(c)
		if limit := w.Config.MaxJobCheck; limit.Set && n >= limit.N {
			return
		}
	}
}

// tryJob starts a job, or finds a way: jobs to preempt, a place in the calendar; or the reason why it waits.
func (r *run) tryJob(c *cluster.Claim) order.Resort {
	w := r.world
	byBucket := search.In(w).UsesBuckets(c)
	place, why := search.In(w).TryShrinking(c, search.Trial{Buckets: byBucket})
	if place != nil && c.Refused != "" {
		return r.refuse(c)
	}
	if place != nil {
		r.startAt(c, place)
		if len(w.Server.Limits.Soft) > 0 || len(c.Queue.Limits.Soft) > 0 {
			return order.MustSort
		}
		return order.MaySort
	}
	c.NeverRuns = c.NeverRuns || why.Status == reason.NeverRun
	if w.Policy.Preemptive && c.Runnable() && !c.NeverRuns && r.preempt(c) {
		return order.MustSort
	}
	resort := r.planTopJob(c, byBucket)
	c.CannotRun = true
	r.recordWait(c, why)
	search.In(w).NoteClass(c, why)
	r.keepOrder(c)
	return resort
}

// planTopJob puts a job that could not start into the calendar, if it is a top job.
func (r *run) planTopJob(c *cluster.Claim, byBucket bool) order.Resort {
	w := r.world
	if !r.isTop(c) {
		return order.Keep
	}
	f, planned, ok := search.In(w).PlanTop(c, byBucket)
	if !ok {
		r.note(c.ID + ": qprism cannot estimate a start for the top job")
		return order.Keep
	}
	if planned {
		r.recordTop(f)
	}
	if !c.Preempted || !w.Sched.EnforceResumption {
		if c.Queue.BackfillDepth >= 0 {
			c.Queue.TopJobs++
		} else {
			r.tops++
		}
	}
	return order.MaySort
}

// isTop reports whether vnodes are kept for a job that could not start.
func (r *run) isTop(c *cluster.Claim) bool {
	w := r.world
	if !w.Policy.Backfill || c.Inside != nil {
		return false
	}
	if !c.Preempted {
		depth, tops := max(1, w.Policy.BackfillDepth), r.tops
		if w.Policy.BackfillDepth >= 0 {
			depth = w.Policy.BackfillDepth
		}
		if c.Queue.BackfillDepth >= 0 {
			depth, tops = c.Queue.BackfillDepth, c.Queue.TopJobs
		}
		if tops >= depth {
			return false
		}
	}
	switch {
	case !w.Config.AOECalendar && slices.Contains(c.Selection.Uses, w.Res.AOE), c.NeverRuns:
		return false
	case c.Preempted && w.Sched.EnforceResumption && c.Level >= w.Normal:
		return true
	}
	return !c.NoTopJob && w.Policy.StrictOrdering
}

// keepOrder keeps later jobs from passing one that could not start, with strict_ordering or strict_fifo.
func (r *run) keepOrder(c *cluster.Claim) {
	w := r.world
	if c.Inside != nil {
		return
	}
	switch p := &w.Policy; {
	case p.StrictFIFO:
		r.passOverRest(c.Queue.Jobs)
	case p.StrictOrdering && !p.Backfill:
		r.passOverRest(w.Jobs)
	case p.StrictOrdering && c.Queue.BackfillDepth == 0:
		r.passOverRest(c.Queue.Jobs)
	}
}

// passOverRest passes over all jobs of a list that have not been tried.
func (r *run) passOverRest(jobs []*cluster.Claim) {
	for _, c := range jobs {
		if !c.CannotRun {
			c.CannotRun = true
			r.recordPassedOver(c, reason.Of(model.FailStrictOrdering))
		}
	}
}

// preempt stops jobs of lower levels so that a job can start, and starts it. It says whether it did.
func (r *run) preempt(c *cluster.Claim) bool {
	w := r.world
	victims := r.preemptor.Victims(c)
	if len(victims) == 0 {
		return false
	}
	for _, v := range victims {
		r.stop(v, c, r.preemptor.Method(v))
	}
	place := c.Given
	if place == nil {
		w.Refresh(false)
		place, _ = search.In(w).FindVnodes(c, false)
	}
	if place != nil {
		r.startAt(c, place)
	}
	return place != nil
}

func (r *run) stop(v, c *cluster.Claim, method byte) {
	r.preemptor.Stop(v, method)
	r.recordPreemption(v, c, preempt.MethodNames[method])
	if method == 'C' && !r.checkpoints {
		r.checkpoints = true
		r.note("preempt_order includes checkpoints; if a MoM has no checkpoint script, the server tries " +
			"the next method or stops no job")
	}
}

// startAt starts a job, or the next subjob of an array, or resumes it.
func (r *run) startAt(c *cluster.Claim, place []resource.Portion) {
	w := r.world
	if c.IsArray {
		if s := w.Subjob(c); s != nil {
			c = s
		}
	}
	if c.Suspended() || c.Given != nil {
		place = nil
	} else {
		place = resource.InOrder(place)
	}
	r.recordStart(c, place)
	w.Begin(c, place, true)
	if a := c.Array; a != nil && len(a.Subjobs) == 0 {
		a.CannotRun = true
	}
}

// refuse expects that the server refuses a job again. It takes no vnodes then, others of its class are
// tried all the same, and none are kept for it.
func (r *run) refuse(c *cluster.Claim) order.Resort {
	c.CannotRun = true
	r.recordWait(c, reason.Of(model.FailRefused, c.Refused))
	if !r.refused && r.opts.Refused == nil {
		r.refused = true
		r.note("the server refused the last start of some jobs, as their comments say; the plan expects it to refuse again")
	}
	return order.Keep
}

// confirmReservations reports whether there are reservations to be confirmed. The scheduler does nothing else in that
// cycle, and begins another one at once.
func (r *run) confirmReservations() bool {
	if r.opts.Qrun != "" {
		return false
	}
	some := false
	for _, c := range r.world.Reserved {
		if load.NeedsConfirmation(c, r.world.Now) {
			r.note(c.ID + ": the cycle only confirms reservations and considers no jobs")
			some = true
		}
	}
	return some
}
