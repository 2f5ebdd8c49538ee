package preempt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/cycle/search"
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

// MethodNames are the methods in the words of the log.
var MethodNames = map[byte]string{'S': "suspension", 'C': "checkpointing", 'R': "requeuing", 'D': "deletion"}

// A Preemptor finds the jobs to stop for other jobs.
type Preemptor struct {
	search.Finder
	ranges           []methodRange
	neverCheckpoints bool // as the log shows
	attempts         int64
}

func New(w *cluster.World) *Preemptor {
	return &Preemptor{Finder: search.In(w), ranges: parseMethods(cmp.Or(w.Sched.PreemptOrder, "SCR")),
		neverCheckpoints: checkpointsNever(w.PBS, w.Now)}
}

// methods are the ways to stop a job, in the order in which they are tried.
func (w *Preemptor) methods(c *cluster.Claim) string {
	ranges := w.ranges
	if len(ranges) == 0 {
		return ""
	}
	asked := resource.Find(c.Asked, w.Res.SoftWalltime)
	if asked == nil {
		asked = resource.Find(c.Asked, w.Res.Walltime)
	}
	used := resource.Find(c.Used, w.Res.Walltime)
	if asked == nil {
		asked, used = resource.Find(c.Asked, w.Res.Cput), resource.Find(c.Used, w.Res.Cput)
	}
	if asked == nil || used == nil || len(ranges) == 1 {
		return ranges[0].methods
	}
	left := int(100 - float32(float32(int(used.Amount))/float32(int(asked.Amount)))*100)
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

// Method is the first method of preempt_order that the job allows, 0 for none.
func (w *Preemptor) Method(c *cluster.Claim) byte {
	for i := range len(w.methods(c)) {
		m := w.methods(c)[i]
		if m == 'S' && !c.NoSuspend || m == 'C' && !c.NoCheckpoint && !w.neverCheckpoints ||
			m == 'R' && !c.NoRequeue || m == 'D' {
			return m
		}
	}
	return 0
}

// checkpointsNever reports whether the log before a moment shows preemptions, or attempts, but none by a
// checkpoint. Moms make checkpoints with scripts of the site. Without a script, the server uses the next
// method.
func checkpointsNever(pbs *model.PBS, now clock.Seconds) bool {
	seen := false
	for i := range pbs.Cycles {
		if pbs.Cycles[i].Start.Unix() > now {
			break
		}
		for _, e := range pbs.Cycles[i].Events {
			if e.Kind == model.EventPreempted && strings.HasSuffix(e.Text, MethodNames['C']) {
				return false
			}
			seen = seen || e.Kind == model.EventPreempted || e.Kind == model.EventNotRun &&
				e.Text == "Job failed to be preempted"
		}
	}
	return seen
}

// mayPreempt reports whether some running job had a lower level when the scheduler last counted (P50).
func (r *Preemptor) mayPreempt(c *cluster.Claim) bool {
	if c.Bits&cluster.Express != 0 && r.SeveralExpress {
		return slices.ContainsFunc(r.Running, func(o *cluster.Claim) bool { return o.Level < c.Level })
	}
	for _, l := range r.Levels {
		if l.Priority < c.Level && r.LevelCounts[l.Priority] > 0 {
			return true
		}
	}
	return false
}

// incurable are the reasons for which no job is preempted: it would not help.
var incurable = map[model.Failure]bool{
	model.FailSchedError: true, model.FailNotQueued: true, model.FailQueueNotStarted: true, model.FailQueueNotExec: true,
	model.FailDedicatedTime: true, model.FailCrossDedicated: true,
	model.FailPrimeOnly: true, model.FailNonPrimeOnly: true, model.FailCrossPrime: true, model.FailCantSpanSets: true,
	model.FailMaxRunSubjobs: true,
}

// Stop preempts one job.
func (p *Preemptor) Stop(v *cluster.Claim, method byte) {
	state := byte('Q')
	switch method {
	case 'S':
		if p.Releases != nil {
			p.release(v)
		}
		state = 'S'
	case 'C':
		v.Checkpointed = true
	case 'D':
		state = 'X'
	}
	p.Finish(v, state)
	if method == 'S' || method == 'C' {
		v.Class = -1
	}
	v.CannotRun = v.CannotRun || method == 'D'
	v.Preempted, v.PreemptedAt = true, p.Now
}

// release notes what a suspended job gives back: all, or the resources of restrict_res_to_release_on_suspend.
func (w *Preemptor) release(c *cluster.Claim) {
	c.Released, c.AskedToResume = nil, nil
	for _, p := range c.Given {
		q := p
		q.Gives = slices.Clone(p.Gives)
		for i := range q.Gives {
			if g := &q.Gives[i]; w.Res.List[g.Res].Kind.Consumable() && !w.releasable(g.Res) {
				g.Amount = 0
			}
		}
		c.Released = append(c.Released, q)
	}
	for _, a := range c.Asked {
		if w.Checked[a.Res] && w.Res.List[a.Res].Assigned && w.releasable(a.Res) {
			c.AskedToResume = append(c.AskedToResume, a)
		}
	}
	c.Exact = w.SelectionOf(c.Released)
}

// releasable reports whether a suspended job gives a resource back.
func (w *Preemptor) releasable(res int) bool { return res < len(w.Releases) && w.Releases[res] }

// Victims are the jobs to stop for a job. In a copy of the world, these jobs end one after the other until
// the job fits. Jobs that can then still run are removed from the result.
func (r *Preemptor) Victims(c *cluster.Claim) []*cluster.Claim {
	if slices.Contains(c.Selection.Uses, r.Res.AOE) || !r.mayPreempt(c) {
		return nil
	}
	if m := r.Config.PreemptAttempts; m.Set {
		if r.attempts >= m.N {
			return nil
		}
		r.attempts++
	}
	var all []reason.Failure
	r.Try(c, search.Trial{Every: &all})
	if len(all) == 0 || slices.ContainsFunc(all, func(f reason.Failure) bool {
		return f.Status == reason.NeverRun || incurable[f.Code]
	}) {
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
	*Preemptor // of a copy of the world
	job        *cluster.Claim
	reasons    []reason.Failure
	running    []*cluster.Claim
	stopped    []*cluster.Claim
	original   map[*cluster.Claim]*cluster.Claim
	level      int
}

// newPreemption copies the world. It is nil for a job that wants to preempt nobody.
func (r *Preemptor) newPreemption(c *cluster.Claim, reasons []reason.Failure) *preemption {
	running := r.runningInOrder()
	copied, copies := r.Clone(append(slices.Clone(running), c)...)
	w := *r
	w.Finder = search.In(copied)
	p := &preemption{Preemptor: &w, job: copies[len(copies)-1], reasons: reasons, running: copies[:len(copies)-1],
		original: map[*cluster.Claim]*cluster.Claim{}}
	for i, o := range running {
		p.original[copies[i]] = o
	}
	p.level = p.job.Level
	if targets := resource.Find(c.Asked, w.Res.PreemptTargets); targets != nil && !w.Sched.NoPreemptTargets {
		if slices.ContainsFunc(resource.SplitValues(targets.Text), func(s string) bool {
			return strings.EqualFold(s, "none")
		}) {
			return nil
		}
		p.running = slices.DeleteFunc(p.running, func(o *cluster.Claim) bool {
			return !w.isTarget(o, resource.SplitValues(targets.Text))
		})
	}
	byStart := strings.EqualFold(cmp.Or(w.Sched.PreemptSort, "min_time_since_start"), "min_time_since_start")
	fairshare.MergeSort(p.running, func(a, b *cluster.Claim) int {
		if byStart {
			return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.Started, a.Started))
		}
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Rank, b.Rank))
	})
	return p
}

// runningInOrder are the running jobs queue by queue, each in the order of its queue. That decides between jobs of one
// level that started in the same second (P49): the scheduler tries preemption in a copy of the cluster, whose list of
// jobs it makes of its queues.
func (r *Preemptor) runningInOrder() (list []*cluster.Claim) {
	for _, q := range r.Queues {
		for _, c := range q.Jobs {
			if c.Running() {
				list = append(list, c)
			}
		}
	}
	return list
}

// isTarget reports whether a job may be stopped by one with preempt_targets: "queue=q", "Resource_List.res=value".
func (w *Preemptor) isTarget(o *cluster.Claim, targets []string) bool {
	for _, t := range targets {
		i := strings.IndexAny(t, ".=")
		if i < 0 || !o.Running() {
			continue
		}
		name, value, _ := strings.Cut(t[i+1:], "=")
		switch {
		case strings.EqualFold(t[:i], "queue"):
			if o.Queue.Name == t[i+1:] {
				return true
			}
		case strings.EqualFold(t[:i], "Resource_List"):
			if r, ok := w.Res.Index[name]; ok {
				if n := resource.Find(o.Asked, r); n != nil && n.Text == value {
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
		if p.Releases != nil && !victim.NoSuspend && strings.HasPrefix(p.methods(victim), "S") {
			p.release(victim)
		}
		p.Finish(victim, 'S')
		if p.escalates(victim) {
			candidates = slices.Delete(candidates, i, i+1)
			p.Begin(victim, nil, false)
			from = max(0, i-1)
			continue
		}
		p.Calendar.Remove(victim, cluster.EndEvent)
		p.stopped = append(p.stopped, victim)
		found, why := p.Try(p.job, search.Trial{Victim: true})
		if found != nil {
			p.Begin(p.started(), found, false)
			return p.level <= p.job.Level
		}
		if why.Code != last.Code || why.Res != last.Res {
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
func (p *preemption) started() *cluster.Claim {
	if p.job.IsArray {
		if s := p.Subjob(p.job); s != nil {
			p.job = s
		}
	}
	return p.job
}

// escalates reports whether the jobs stopped would be above the job that they are stopped for.
func (p *preemption) escalates(victim *cluster.Claim) bool {
	return victim.Level > p.job.Level || slices.ContainsFunc(p.stopped, func(o *cluster.Claim) bool {
		return o.Level > p.job.Level
	})
}

// choose is the next job to stop.
func (p *preemption) choose(candidates []*cluster.Claim, from int) int {
	for i := from; i < len(candidates); i++ {
		if p.stoppable(candidates[i]) {
			return i
		}
	}
	return -1
}

func (p *preemption) stoppable(c *cluster.Claim) bool {
	switch {
	case c.Vnodes == nil, !c.Running(), c.Provisioning, c.NoPreemption, c.Level >= p.job.Level, p.Method(c) == 0:
		return false
	case slices.ContainsFunc(c.Vnodes, func(v int) bool { return p.Vnodes[v].States&(cluster.Down|cluster.Offline) != 0 }):
		return false
	case p.job.Vnodes != nil && !slices.ContainsFunc(p.job.Vnodes, func(v int) bool {
		return slices.Contains(c.Vnodes, v)
	}):
		return false
	}
	return slices.ContainsFunc(c.Vnodes, p.useful)
}

// useful reports whether some chunk of the job would fit on a vnode if that were empty.
func (p *preemption) useful(v int) bool {
	n := &p.Vnodes[v]
	ck := search.Check{Totals: true, UnsetZero: true, Booleans: true, Code: model.FailInsufficient}
	if n.SharesHost {
		ck.Only = make([]bool, len(p.Checked))
		for r := range ck.Only {
			ck.Only[r] = p.Checked[r] && !p.Res.List[r].Kind.Consumable()
		}
	}
	for i := range p.job.Selection.Chunks {
		if times, _ := p.Count(&n.Stock, p.job.Selection.Chunks[i].Needs, ck); times != 0 {
			return true
		}
	}
	return false
}

// needed are the jobs that really have to be stopped, from the last one back: not those that can run beside the job, or
// have nothing to do with why it could not start.
func (p *preemption) needed() (list []*cluster.Claim) {
	for _, c := range slices.Backward(p.stopped) {
		if !p.similar(c) {
			continue
		}
		if found, _ := p.Try(c, search.Trial{Victim: true}); found != nil {
			p.Begin(c, nil, false)
			continue
		}
		list = append(list, p.original[c])
	}
	return list
}
