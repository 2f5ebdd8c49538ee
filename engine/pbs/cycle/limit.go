package cycle

import (
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
)

// Kinds of limits: on one user, group or project, or on all together.
const (
	perUser = iota
	perGroup
	perProject
	overall
	kinds
)

const (
	generic   = "PBS_GENERIC"
	everybody = "PBS_ALL"
)

// runs stands for the number of running jobs where a limit is not on a resource.
const runs = -1

// A limitKey names a limit: of a kind, an entity of that kind, and a resource or runs.
type limitKey struct {
	kind   int
	entity string
	res    int
}

// limits are those of the server or of a queue, pbs_server_attributes(7B): max_run, max_run_res and their soft forms.
type limits struct {
	hard, soft map[limitKey]float64
	has        [kinds]bool // some limit is of that kind, hard or soft
}

// oldLimits are limit attributes of old releases, in terms of the new ones.
var oldLimits = map[string]struct {
	kind   int
	entity string
	soft   bool
}{
	"max_running": {overall, everybody, false}, "max_user_run": {perUser, generic, false},
	"max_group_run": {perGroup, generic, false}, "max_user_res": {perUser, generic, false},
	"max_group_res": {perGroup, generic, false}, "max_user_run_soft": {perUser, generic, true},
	"max_group_run_soft": {perGroup, generic, true}, "max_user_res_soft": {perUser, generic, true},
	"max_group_res_soft": {perGroup, generic, true},
}

// addLimit adds one limit attribute.
func (w *world) addLimit(l *limits, a *model.Limit) {
	k := limitKey{kind: strings.Index("ugpo", a.Kind), entity: a.Entity, res: runs}
	soft := strings.HasSuffix(a.Attribute, "_soft")
	if old, ok := oldLimits[a.Attribute]; ok {
		k.kind, k.entity, soft = old.kind, old.entity, old.soft
	} else if !strings.HasPrefix(a.Attribute, "max_run") || a.Kind == "" || k.kind < 0 {
		return
	}
	if a.Resource != "" {
		k.res = w.res.of(a.Resource, a.Value)
		if !slices.Contains(w.limited, k.res) {
			w.limited = append(w.limited, k.res)
		}
	}
	amount, ok := model.PBSAmount(a.Value)
	if !ok {
		return
	}
	table := &l.hard
	if soft {
		table = &l.soft
	}
	if *table == nil {
		*table = map[limitKey]float64{}
	}
	(*table)[k] = amount
	l.has[k.kind] = l.has[k.kind] || k.kind != overall || !isOld(a.Attribute)
}

func isOld(attribute string) bool { _, old := oldLimits[attribute]; return old }

// A tally counts what runs of one entity.
type tally struct {
	running int
	amounts []float64 // of the limited resources, in order of setting.limited
	bit     int       // soft limit on runs that the entity is over
	resBits []int     // the same on resources
}

func (t tally) copy() tally {
	t.amounts, t.resBits = slices.Clone(t.amounts), slices.Clone(t.resBits)
	return t
}

// counts are the tallies of the server or a queue, by entity.
type counts [kinds]map[string]tally

func newCounts() counts {
	var c counts
	for k := range c {
		c[k] = map[string]tally{}
	}
	return c
}

func (c counts) duplicate() counts {
	for k := range c {
		c[k] = maps.Clone(c[k])
		for e, t := range c[k] {
			c[k][e] = t.copy()
		}
	}
	return c
}

// entities are the names under which a claim is counted.
func (c *claim) entities() [kinds]string {
	return [kinds]string{c.user, c.group, c.project, everybody}
}

// book counts a claim as running, or no longer with -1.
func (w *world) book(c *counts, who *claim, sign int) {
	for k, e := range who.entities() {
		c[k][e] = w.booked(c[k][e], who, sign)
	}
}

func (w *world) booked(t tally, who *claim, sign int) tally {
	t.running += sign
	if t.amounts == nil {
		t.amounts, t.resBits = make([]float64, len(w.limited)), make([]int, len(w.limited))
	}
	for i, r := range w.limited {
		if n := find(who.asked, r); n != nil {
			t.amounts[i] += float64(sign) * n.amount
		}
	}
	return t
}

// used is what runs of an entity: a number of jobs, or the amount of the i-th limited resource.
func (t tally) used(i int) float64 {
	switch {
	case i < 0:
		return float64(t.running)
	case i < len(t.amounts):
		return t.amounts[i]
	}
	return 0
}

// A limitTest is one test of a job against limits. by and over are the reasons for a limit on this entity alone, and on
// each entity of the kind.
type limitTest struct {
	kind     int
	queue    bool
	by, over model.Failure
}

// runTests are the tests against max_run, in their order; resourceTests those against max_run_res.
var (
	runTests = []limitTest{
		{perGroup, true, model.FailQueueByGroupLimit, model.FailQueueGroupLimit},
		{perProject, true, model.FailQueueByProjectLimit, model.FailQueueProjectLimit},
		{overall, true, model.FailQueueJobLimit, model.FailQueueJobLimit}, {perUser, true, model.FailQueueByUserLimit, model.FailQueueUserLimit},
		{perGroup, false, model.FailServerByGroupLimit, model.FailServerGroupLimit},
		{perProject, false, model.FailServerByProjectLimit, model.FailServerProjectLimit},
		{overall, false, model.FailServerJobLimit, model.FailServerJobLimit},
		{perUser, false, model.FailServerByUserLimit, model.FailServerUserLimit},
	}
	resourceTests = []limitTest{
		{perGroup, true, model.FailQueueByGroupResLimit, model.FailQueueGroupResLimit},
		{perProject, true, model.FailQueueByProjectResLimit, model.FailQueueProjectResLimit},
		{overall, true, model.FailQueueResLimit, model.FailQueueResLimit},
		{perUser, true, model.FailQueueByUserResLimit, model.FailQueueUserResLimit},
		{perGroup, false, model.FailServerByGroupResLimit, model.FailServerGroupResLimit},
		{perProject, false, model.FailServerByProjectResLimit, model.FailServerProjectResLimit},
		{overall, false, model.FailServerResLimit, model.FailServerResLimit},
		{perUser, false, model.FailServerByUserResLimit, model.FailServerUserResLimit},
	}
)

// overLimit says which limit keeps a job from running, with the jobs that run now or start before it ends.
func (w *world) overLimit(c *claim, every *[]failure) failure {
	if len(w.server.limits.hard) == 0 && len(c.queue.limits.hard) == 0 {
		return failure{}
	}
	server, queue := w.countsUntilEnd(c)
	var why failure
	for _, tests := range [][]limitTest{runTests, resourceTests} {
		for _, t := range tests {
			counts, limits := server, &w.server.limits
			if t.queue {
				counts, limits = queue, &c.queue.limits
			}
			f := w.testLimit(t, c, limits, counts, len(tests) > 0 && tests[0].over == resourceTests[0].over)
			if !f.failed() {
				continue
			}
			if every == nil {
				return f
			}
			if *every = append(*every, f); !why.failed() {
				why = f
			}
		}
	}
	return why
}

func (w *world) testLimit(t limitTest, c *claim, l *limits, n *counts, ofResources bool) failure {
	if len(l.hard) == 0 {
		return failure{}
	}
	who := c.entities()[t.kind]
	if !ofResources {
		limit, own, ok := l.limit(l.hard, t.kind, who, runs)
		if !ok || limit > n[t.kind][who].used(-1) {
			return failure{}
		}
		return limitFailure(t, own, c, who, 0)
	}
	for i, r := range w.limited {
		asked := find(c.asked, r)
		if asked == nil {
			continue
		}
		limit, own, ok := l.limit(l.hard, t.kind, who, r)
		if ok && n[t.kind][who].used(i)+asked.amount > limit {
			return limitFailure(t, own, c, who, r)
		}
	}
	return failure{}
}

// limit is the limit on an entity: its own, else that on each of its kind. A group that the server did not show has none: which one it
// is would be a guess.
func (l *limits) limit(table map[limitKey]float64, kind int, who string, res int) (limit float64, own, ok bool) {
	if kind == perGroup && who == "" {
		return 0, false, false
	}
	if limit, ok = table[limitKey{kind, who, res}]; ok || kind == overall {
		return limit, true, ok
	}
	limit, ok = table[limitKey{kind, generic, res}]
	return limit, false, ok
}

func limitFailure(t limitTest, own bool, c *claim, who string, res int) failure {
	f := failure{status: notRun, code: t.over, res: res, who: who}
	if own {
		f.code = t.by
	}
	if t.queue {
		f.object = c.queue.name
	}
	return f
}

// countsUntilEnd are the highest counts from now until a job that starts now would end.
func (w *world) countsUntilEnd(c *claim) (server, queue *counts) {
	end := w.willEnd(c)
	if !w.calendar.startsBefore(end) {
		return &w.server.counts, &c.queue.counts
	}
	now, most := w.server.counts.duplicate(), w.server.counts.duplicate()
	queueNow, queueMost := c.queue.counts.duplicate(), c.queue.counts.duplicate()
	w.calendar.ahead(end, func(e *event) bool {
		if e.claim == c || e.claim.isReservation {
			return true
		}
		w.follow(&now, &most, e)
		if e.claim.queue == c.queue {
			w.follow(&queueNow, &queueMost, e)
		}
		return true
	})
	return &most, &queueMost
}

func (w *world) follow(now, most *counts, e *event) {
	if e.kind == endEvent {
		w.book(now, e.claim, -1)
		return
	}
	w.book(now, e.claim, 1)
	for k, who := range e.claim.entities() {
		most[k][who] = most[k][who].raisedTo(now[k][who])
	}
}

func (t tally) raisedTo(o tally) tally {
	if t.amounts == nil {
		return o.copy()
	}
	t.running = max(t.running, o.running)
	for i := range t.amounts {
		t.amounts[i] = max(t.amounts[i], o.amounts[i])
	}
	return t
}

// markSoft notes which soft limits the entities of a job are over.
func (w *world) markSoft(c *claim) {
	for _, h := range []struct {
		*holder
		bit int
	}{{&c.queue.holder, overQueueLimit}, {&w.server, overServerLimit}} {
		if len(h.limits.soft) == 0 {
			continue
		}
		for k, who := range c.entities() {
			if t, counted := h.counts[k][who]; counted {
				h.counts[k][who] = w.softBits(t, &h.limits, k, who, c, h.bit)
			}
		}
	}
}

func (w *world) softBits(t tally, l *limits, kind int, who string, c *claim, bit int) tally {
	if limit, _, ok := l.limit(l.soft, kind, who, runs); ok {
		t.bit = bitIf(limit < t.used(-1), bit)
	} else if kind == overall {
		t.bit = 0
	}
	for i, r := range w.limited {
		if find(c.asked, r) == nil {
			continue
		}
		if limit, _, ok := l.limit(l.soft, kind, who, r); ok {
			t.resBits[i] = bitIf(limit < t.used(i), bit)
		}
	}
	return t
}

func bitIf(set bool, bit int) int {
	if set {
		return bit
	}
	return 0
}

// overSoft are the soft limits that a job's entities are over.
func (w *world) overSoft(c *claim) (bits int) {
	for _, h := range []*holder{&w.server, &c.queue.holder} {
		if len(h.limits.soft) == 0 {
			continue
		}
		for k, who := range c.entities() {
			if t, ok := h.counts[k][who]; ok && h.limits.has[k] {
				bits |= w.bitsOf(t, c)
			}
		}
	}
	return bits
}

func (w *world) bitsOf(t tally, c *claim) int {
	bits := t.bit
	for i, r := range w.limited {
		if i < len(t.resBits) && find(c.asked, r) != nil {
			bits |= t.resBits[i]
		}
	}
	return bits
}

// limited reports whether the server or a queue has limits of any kind: only then it counts.
func (h *holder) isLimited() bool { return len(h.limits.hard) > 0 || len(h.limits.soft) > 0 }
