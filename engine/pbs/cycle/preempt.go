package cycle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A methodRange is an entry of preempt_order: how jobs are stopped of whose walltime so much is left, in percent.
type methodRange struct {
	methods   string // of S suspend, C checkpoint, R requeue, D delete
	low, high int
}

// parseMethods reads preempt_order: "SCR 80 SC 50 S".
func parseMethods(text string) []methodRange {
	ranges := []methodRange{{high: 100}}
	for _, word := range strings.Fields(text) {
		last := &ranges[len(ranges)-1]
		if percent, err := strconv.Atoi(word); err == nil {
			last.low = percent + 1
			ranges = append(ranges, methodRange{high: percent})
		} else {
			last.methods = word
		}
	}
	return ranges
}

// methodNames are what the log calls the methods.
var methodNames = map[byte]string{'S': "suspension", 'C': "checkpointing", 'R': "requeuing", 'D': "deletion"}

// A preemptor finds the jobs that are stopped so that others can start.
type preemptor struct {
	*world
	ranges           []methodRange
	neverCheckpoints bool        // as the log shows
	levelCounts      map[int]int // running jobs of each level
	attempts         int64
}

func newPreemptor(w *world) *preemptor {
	return &preemptor{world: w, ranges: parseMethods(cmp.Or(w.sched.PreemptOrder, "SCR")), neverCheckpoints: checkpointsNever(w.pbs, w.now)}
}

// methods are the ways to stop a job, in the order in which they are tried.
func (w *preemptor) methods(c *claim) string {
	ranges := w.ranges
	if len(ranges) == 0 {
		return ""
	}
	asked := find(c.asked, w.res.softWalltime)
	if asked == nil {
		asked = find(c.asked, w.res.walltime)
	}
	used := find(c.used, w.res.walltime)
	if asked == nil {
		asked, used = find(c.asked, w.res.cput), find(c.used, w.res.cput)
	}
	if asked == nil || used == nil || len(ranges) == 1 {
		return ranges[0].methods
	}
	left := int(100 - float32(float32(int(used.amount))/float32(int(asked.amount)))*100)
	if left < 0 {
		left = 1
	}
	for _, r := range ranges {
		if r.low <= left && left <= r.high {
			return r.methods
		}
	}
	return ranges[0].methods
}

// method is the first way to stop a job that the job allows, 0 for none.
func (w *preemptor) method(c *claim) byte {
	for i := range len(w.methods(c)) {
		m := w.methods(c)[i]
		if m == 'S' && !c.noSuspend || m == 'C' && !c.noCheckpoint && !w.neverCheckpoints || m == 'R' && !c.noRequeue || m == 'D' {
			return m
		}
	}
	return 0
}

// checkpointsNever reports whether jobs were preempted before a moment, or could not be, and none of them by a checkpoint, which moms make
// by scripts of the site: the server goes on to the next method then.
func checkpointsNever(pbs *model.PBS, now seconds) bool {
	seen := false
	for i := range pbs.Cycles {
		if pbs.Cycles[i].Start.Unix() >= now {
			break
		}
		for _, e := range pbs.Cycles[i].Events {
			if e.Kind == model.EventPreempted && strings.HasSuffix(e.Text, methodNames['C']) {
				return false
			}
			seen = seen || e.Kind == model.EventPreempted || e.Kind == model.EventNotRun && e.Text == "Job failed to be preempted"
		}
	}
	return seen
}

// mayPreempt reports whether some running job has a lower level. The scheduler counts levels at the beginning of a cycle.
func (r *preemptor) mayPreempt(c *claim) bool {
	if c.bits&express != 0 && r.expressMany {
		return slices.ContainsFunc(r.running, func(o *claim) bool { return o.level < c.level })
	}
	for _, l := range r.levels {
		if l.priority < c.level && r.levelCounts[l.priority] > 0 {
			return true
		}
	}
	return false
}

// countLevels counts the running jobs of each level.
func (r *preemptor) countLevels() {
	r.levelCounts = map[int]int{}
	for _, c := range r.running {
		if !c.noPreemption {
			r.levelCounts[c.level]++
		}
	}
}

// incurable are the reasons for which no job is preempted: it would not help.
var incurable = map[model.Failure]bool{
	model.FailSchedError: true, model.FailNotQueued: true, model.FailQueueNotStarted: true, model.FailQueueNotExec: true,
	model.FailDedicatedTime: true, model.FailCrossDedicated: true,
	model.FailPrimeOnly: true, model.FailNonPrimeOnly: true, model.FailCrossPrime: true, model.FailCantSpanSets: true,
	model.FailMaxRunSubjobs: true,
}

// stop preempts one job.
func (p *preemptor) stop(v *claim, method byte) {
	state := byte('Q')
	switch method {
	case 'S':
		if p.releases != nil {
			p.release(v)
		}
		state = 'S'
	case 'C':
		v.checkpointed = true
	case 'D':
		state = 'X'
	}
	p.finish(v, state)
	if method == 'S' || method == 'C' {
		v.class = -1
	}
	v.cannotRun = v.cannotRun || method == 'D'
	v.preempted, v.preemptedAt = true, p.now
}

// release notes what a suspended job gives back: all, or the resources of restrict_res_to_release_on_suspend.
func (w *preemptor) release(c *claim) {
	c.released, c.askedBack = nil, nil
	for _, p := range c.given {
		q := p
		q.gives = slices.Clone(p.gives)
		for i := range q.gives {
			if g := &q.gives[i]; w.res.list[g.res].kind.consumable() && !w.releasable(g.res) {
				g.amount = 0
			}
		}
		c.released = append(c.released, q)
	}
	for _, a := range c.asked {
		if w.checks[a.res] && w.res.list[a.res].assigned && w.releasable(a.res) {
			c.askedBack = append(c.askedBack, a)
		}
	}
	c.exact = w.selectionOf(c.released)
}

// releasable reports whether a suspended job gives a resource back.
func (w *preemptor) releasable(res int) bool { return res < len(w.releases) && w.releases[res] }

// victims are the jobs that have to be stopped for a job. They are found in a copy of the world,
// where one after the other is ended until the job fits; those that then can run on are spared.
func (r *preemptor) victims(c *claim) []*claim {
	if slices.Contains(c.selection.uses, r.res.aoe) || !r.mayPreempt(c) {
		return nil
	}
	if m := r.conf.PreemptAttempts; m.Set {
		if r.attempts >= m.N {
			return nil
		}
		r.attempts++
	}
	var all []failure
	r.try(c, trial{every: &all})
	if len(all) == 0 || slices.ContainsFunc(all, func(f failure) bool { return f.status == neverRun || incurable[f.code] }) {
		return nil
	}
	p := r.newPreemption(c, all)
	if p == nil || !p.stopUntilFits() {
		return nil
	}
	return p.needed()
}

// A preemption is a simulated one.
type preemption struct {
	*preemptor // of a copy of the world
	job        *claim
	reasons    []failure
	running    []*claim
	stopped    []*claim
	original   map[*claim]*claim
	level      int
}

// newPreemption copies the world. It is nil for a job that wants to preempt nobody.
func (r *preemptor) newPreemption(c *claim, reasons []failure) *preemption {
	copied, copies := r.clone(append(slices.Clone(r.running), c)...)
	w := *r
	w.world = copied
	p := &preemption{preemptor: &w, job: copies[len(copies)-1], reasons: reasons, running: copies[:len(copies)-1], original: map[*claim]*claim{}}
	for i, o := range r.running {
		p.original[copies[i]] = o
	}
	p.level = p.job.level
	if targets := find(c.asked, w.res.preemptTargets); targets != nil && !w.sched.NoPreemptTargets {
		if slices.ContainsFunc(splitValues(targets.text), func(s string) bool { return strings.EqualFold(s, "none") }) {
			return nil
		}
		p.running = slices.DeleteFunc(p.running, func(o *claim) bool { return !w.isTarget(o, splitValues(targets.text)) })
	}
	byStart := strings.EqualFold(cmp.Or(w.sched.PreemptSort, "min_time_since_start"), "min_time_since_start")
	fairshare.MergeSort(p.running, func(a, b *claim) int {
		if byStart {
			return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(b.started, a.started))
		}
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.rank, b.rank))
	})
	return p
}

// isTarget reports whether a job may be stopped by one with preempt_targets: "queue=q", "Resource_List.res=value".
func (w *preemptor) isTarget(o *claim, targets []string) bool {
	for _, t := range targets {
		i := strings.IndexAny(t, ".=")
		if i < 0 || !o.running() {
			continue
		}
		name, value, _ := strings.Cut(t[i+1:], "=")
		switch {
		case strings.EqualFold(t[:i], "queue"):
			if o.queue.name == t[i+1:] {
				return true
			}
		case strings.EqualFold(t[:i], "Resource_List"):
			if r, ok := w.res.index[name]; ok {
				if n := find(o.asked, r); n != nil && n.text == value {
					return true
				}
			}
		}
	}
	return false
}

// stopUntilFits ends jobs until the job fits, and starts it.
func (p *preemption) stopUntilFits() bool {
	last := p.reasons[0]
	candidates := p.filter(last)
	for from := 0; ; {
		i := p.choose(candidates, from)
		if i < 0 {
			return false
		}
		victim := candidates[i]
		if p.releases != nil && !victim.noSuspend && strings.HasPrefix(p.methods(victim), "S") {
			p.release(victim)
		}
		p.finish(victim, 'S')
		if p.escalates(victim) {
			candidates = slices.Delete(candidates, i, i+1)
			p.begin(victim, nil, false)
			from = max(0, i-1)
			continue
		}
		p.calendar.remove(victim, endEvent)
		p.stopped = append(p.stopped, victim)
		found, why := p.try(p.job, trial{victim: true})
		if found != nil {
			p.begin(p.started(), found, false)
			return p.level <= p.job.level
		}
		if why.code != last.code || why.res != last.res {
			if candidates = p.filter(why); candidates == nil {
				return false
			}
			from = 0
		} else {
			from = i
		}
		last = why
	}
}

// started is the job, or a subjob of it.
func (p *preemption) started() *claim {
	if p.job.isArray {
		if s := p.subjob(p.job); s != nil {
			p.job = s
		}
	}
	return p.job
}

// escalates reports whether the jobs stopped would be above the job that they are stopped for.
func (p *preemption) escalates(victim *claim) bool {
	return victim.level > p.job.level || slices.ContainsFunc(p.stopped, func(o *claim) bool { return o.level > p.job.level })
}

// choose is the next job to stop.
func (p *preemption) choose(candidates []*claim, from int) int {
	for i := from; i < len(candidates); i++ {
		if p.stoppable(candidates[i]) {
			return i
		}
	}
	return -1
}

func (p *preemption) stoppable(c *claim) bool {
	switch {
	case c.vnodes == nil, !c.running(), c.provisioning, c.noPreemption, c.level >= p.job.level, p.method(c) == 0:
		return false
	case slices.ContainsFunc(c.vnodes, func(v int) bool { return p.vnodes[v].states&(down|offline) != 0 }):
		return false
	case p.job.vnodes != nil && !slices.ContainsFunc(p.job.vnodes, func(v int) bool { return slices.Contains(c.vnodes, v) }):
		return false
	}
	return slices.ContainsFunc(c.vnodes, p.useful)
}

// useful reports whether some chunk of the job would fit on a vnode if that were empty.
func (p *preemption) useful(v int) bool {
	n := &p.vnodes[v]
	ck := check{totals: true, unsetZero: true, booleans: true, code: model.FailInsufficient}
	if n.several {
		ck.only = make([]bool, len(p.checks))
		for r := range ck.only {
			ck.only[r] = p.checks[r] && !p.res.list[r].kind.consumable()
		}
	}
	for i := range p.job.selection.chunks {
		if times, _ := p.count(&n.stock, p.job.selection.chunks[i].needs, ck); times != 0 {
			return true
		}
	}
	return false
}

// needed are the jobs that really have to be stopped, from the last one back: not those that can run beside the job, or
// have nothing to do with why it could not start.
func (p *preemption) needed() (list []*claim) {
	for _, c := range slices.Backward(p.stopped) {
		if !p.similar(c) {
			continue
		}
		if found, _ := p.try(c, trial{victim: true}); found != nil {
			p.begin(c, nil, false)
			continue
		}
		list = append(list, p.original[c])
	}
	return list
}
