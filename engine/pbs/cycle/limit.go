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

// add adds one limit attribute; limited are the resources that some limit is on, in order of appearance.
func (l *limits) add(a *model.Limit, resources *resources, limited *[]int) {
	k := limitKey{kind: strings.Index("ugpo", a.Kind), entity: a.Entity, res: runs}
	soft := strings.HasSuffix(a.Attribute, "_soft")
	if old, ok := oldLimits[a.Attribute]; ok {
		k.kind, k.entity, soft = old.kind, old.entity, old.soft
	} else if !strings.HasPrefix(a.Attribute, "max_run") || a.Kind == "" || k.kind < 0 {
		return
	}
	if a.Resource != "" {
		k.res = resources.of(a.Resource, a.Value)
		if !slices.Contains(*limited, k.res) {
			*limited = append(*limited, k.res)
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

// A subject is what limits see of a job: whose it is, and what it asks for.
type subject struct {
	entities [kinds]string // the names under which it is counted
	asked    []request
}

func newSubject(user, group, project string, asked []request) subject {
	return subject{[kinds]string{user, group, project, everybody}, asked}
}

// book counts a job as running, or no longer with -1.
func (c *counts) book(s *subject, limited []int, sign int) {
	for k, e := range s.entities {
		c[k][e] = c[k][e].booked(s, limited, sign)
	}
}

func (t tally) booked(s *subject, limited []int, sign int) tally {
	t.running += sign
	if t.amounts == nil {
		t.amounts, t.resBits = make([]float64, len(limited)), make([]int, len(limited))
	}
	for i, r := range limited {
		if n := find(s.asked, r); n != nil {
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

// A limitTest is one test of a job against the limits of a kind. by and over are the reasons for a limit on this entity alone, and on
// each entity of the kind.
type limitTest struct {
	kind     int
	queue    bool // of its queue, else of the server
	by, over model.Failure
	resource bool
}

// limitTests are the tests in their order: those against max_run, then those against max_run_res.
var limitTests = []limitTest{
	{perGroup, true, model.FailQueueByGroupLimit, model.FailQueueGroupLimit, false},
	{perProject, true, model.FailQueueByProjectLimit, model.FailQueueProjectLimit, false},
	{overall, true, model.FailQueueJobLimit, model.FailQueueJobLimit, false},
	{perUser, true, model.FailQueueByUserLimit, model.FailQueueUserLimit, false},
	{perGroup, false, model.FailServerByGroupLimit, model.FailServerGroupLimit, false},
	{perProject, false, model.FailServerByProjectLimit, model.FailServerProjectLimit, false},
	{overall, false, model.FailServerJobLimit, model.FailServerJobLimit, false},
	{perUser, false, model.FailServerByUserLimit, model.FailServerUserLimit, false},
	{perGroup, true, model.FailQueueByGroupResLimit, model.FailQueueGroupResLimit, true},
	{perProject, true, model.FailQueueByProjectResLimit, model.FailQueueProjectResLimit, true},
	{overall, true, model.FailQueueResLimit, model.FailQueueResLimit, true},
	{perUser, true, model.FailQueueByUserResLimit, model.FailQueueUserResLimit, true},
	{perGroup, false, model.FailServerByGroupResLimit, model.FailServerGroupResLimit, true},
	{perProject, false, model.FailServerByProjectResLimit, model.FailServerProjectResLimit, true},
	{overall, false, model.FailServerResLimit, model.FailServerResLimit, true},
	{perUser, false, model.FailServerByUserResLimit, model.FailServerUserResLimit, true},
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

// reached says whether a job of these entities reaches a limit, with what runs already.
func (t *limitTest) reached(s *subject, l *limits, n *counts, limited []int, queue string) failure {
	if len(l.hard) == 0 {
		return failure{}
	}
	who := s.entities[t.kind]
	if !t.resource {
		limit, own, ok := l.limit(l.hard, t.kind, who, runs)
		if !ok || limit > n[t.kind][who].used(-1) {
			return failure{}
		}
		return t.failure(own, who, queue, 0)
	}
	for i, r := range limited {
		asked := find(s.asked, r)
		if asked == nil {
			continue
		}
		limit, own, ok := l.limit(l.hard, t.kind, who, r)
		if ok && n[t.kind][who].used(i)+asked.amount > limit {
			return t.failure(own, who, queue, r)
		}
	}
	return failure{}
}

func (t *limitTest) failure(own bool, who, queue string, res int) failure {
	f := failure{status: notRun, code: t.over, res: res, who: who}
	if own {
		f.code = t.by
	}
	if t.queue {
		f.object = queue
	}
	return f
}

// raise keeps the higher of the counts of a job's entities.
func (c *counts) raise(s *subject, now *counts) {
	for k, who := range s.entities {
		c[k][who] = c[k][who].raisedTo(now[k][who])
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

// markSoft notes which soft limits the entities of a job are over; bit is what it notes.
func (c *counts) markSoft(s *subject, l *limits, limited []int, bit int) {
	if len(l.soft) == 0 {
		return
	}
	for k, who := range s.entities {
		if t, counted := c[k][who]; counted {
			c[k][who] = t.marked(s, l, k, limited, bit)
		}
	}
}

func (t tally) marked(s *subject, l *limits, kind int, limited []int, bit int) tally {
	who := s.entities[kind]
	if limit, _, ok := l.limit(l.soft, kind, who, runs); ok {
		t.bit = bitIf(limit < t.used(-1), bit)
	} else if kind == overall {
		t.bit = 0
	}
	for i, r := range limited {
		if find(s.asked, r) == nil {
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

// overSoft are the bits of the soft limits that a job's entities are over.
func (c *counts) overSoft(s *subject, l *limits, limited []int) (bits int) {
	if len(l.soft) == 0 {
		return 0
	}
	for k, who := range s.entities {
		if t, ok := c[k][who]; ok && l.has[k] {
			bits |= t.bitsOf(s, limited)
		}
	}
	return bits
}

func (t tally) bitsOf(s *subject, limited []int) int {
	bits := t.bit
	for i, r := range limited {
		if i < len(t.resBits) && find(s.asked, r) != nil {
			bits |= t.resBits[i]
		}
	}
	return bits
}

// some reports whether there are limits of any kind: only then the server or a queue counts.
func (l *limits) some() bool { return len(l.hard) > 0 || len(l.soft) > 0 }
