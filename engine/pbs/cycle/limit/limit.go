package limit

import (
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// Kinds of limits: on one user, group or project, or on all together.
const (
	PerUser = iota
	perGroup
	PerProject
	Overall
	Kinds
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

// Limits are those of the server or of a queue, pbs_server_attributes(7B): max_run, max_run_res and their soft forms.
type Limits struct {
	Hard, Soft map[limitKey]float64
	Has        [Kinds]bool // there is a limit of that kind, hard or soft
}

// oldLimits are limit attributes of old releases, in terms of the new ones.
var oldLimits = map[string]struct {
	kind   int
	entity string
	soft   bool
}{
	"max_running": {Overall, everybody, false}, "max_user_run": {PerUser, generic, false},
	"max_group_run": {perGroup, generic, false}, "max_user_res": {PerUser, generic, false},
	"max_group_res": {perGroup, generic, false}, "max_user_run_soft": {PerUser, generic, true},
	"max_group_run_soft": {perGroup, generic, true}, "max_user_res_soft": {PerUser, generic, true},
	"max_group_res_soft": {perGroup, generic, true},
}

// Add adds one limit attribute. limited are the resources with a limit, in order of appearance.
func (l *Limits) Add(a *model.Limit, resources *resource.Table, limited *[]int) {
	k := limitKey{kind: strings.Index("ugpo", a.Kind), entity: a.Entity, res: runs}
	soft := strings.HasSuffix(a.Attribute, "_soft")
	if old, ok := oldLimits[a.Attribute]; ok {
		k.kind, k.entity, soft = old.kind, old.entity, old.soft
	} else if !strings.HasPrefix(a.Attribute, "max_run") || a.Kind == "" || k.kind < 0 {
		return
	}
	if a.Resource != "" {
		k.res = resources.Number(a.Resource, a.Value)
		if !slices.Contains(*limited, k.res) {
			*limited = append(*limited, k.res)
		}
	}
	amount, ok := model.PBSAmount(a.Value)
	if !ok {
		return
	}
	table := &l.Hard
	if soft {
		table = &l.Soft
	}
	if *table == nil {
		*table = map[limitKey]float64{}
	}
	(*table)[k] = amount
	l.Has[k.kind] = l.Has[k.kind] || k.kind != Overall || !isOld(a.Attribute)
}

func isOld(attribute string) bool { _, old := oldLimits[attribute]; return old }

// A Tally counts the running jobs and amounts of one entity.
type Tally struct {
	running int
	amounts []float64 // of the limited resources, in order of setting.limited
	bit     int       // soft limit on runs that the entity is over
	resBits []int     // the same on resources
}

func (t Tally) copy() Tally {
	t.amounts, t.resBits = slices.Clone(t.amounts), slices.Clone(t.resBits)
	return t
}

// Counts are the tallies of the server or a queue, by entity.
type Counts [Kinds]map[string]Tally

func NewCounts() Counts {
	var c Counts
	for k := range c {
		c[k] = map[string]Tally{}
	}
	return c
}

func (c Counts) Copy() Counts {
	for k := range c {
		c[k] = maps.Clone(c[k])
		for e, t := range c[k] {
			c[k][e] = t.copy()
		}
	}
	return c
}

// A Subject has the facts of a job that limits use: its owner and its requests.
type Subject struct {
	Entities [Kinds]string // the names under which it is counted
	asked    []resource.Request
}

func NewSubject(user, group, project string, asked []resource.Request) Subject {
	return Subject{[Kinds]string{user, group, project, everybody}, asked}
}

// Book counts a job as running, or with sign -1 no longer.
func (c *Counts) Book(s *Subject, limited []int, sign int) {
	for k, e := range s.Entities {
		c[k][e] = c[k][e].booked(s, limited, sign)
	}
}

func (t Tally) booked(s *Subject, limited []int, sign int) Tally {
	t.running += sign
	if t.amounts == nil {
		t.amounts, t.resBits = make([]float64, len(limited)), make([]int, len(limited))
	}
	for i, r := range limited {
		if n := resource.Find(s.asked, r); n != nil {
			t.amounts[i] += float64(sign) * n.Amount
		}
	}
	return t
}

// used is what runs of an entity: a number of jobs, or the amount of the i-th limited resource.
func (t Tally) used(i int) float64 {
	switch {
	case i < 0:
		return float64(t.running)
	case i < len(t.amounts):
		return t.amounts[i]
	}
	return 0
}

// A Test compares a job with the limits of one kind. by is the reason for a limit on this entity only, over
// for a limit on each entity of the kind.
type Test struct {
	Kind     int
	Queue    bool // of its queue, else of the server
	By, Over model.Failure
	Resource bool
}

// Tests in the scheduler's order: max_run first, then max_run_res.
var Tests = []Test{
	{perGroup, true, model.FailQueueByGroupLimit, model.FailQueueGroupLimit, false},
	{PerProject, true, model.FailQueueByProjectLimit, model.FailQueueProjectLimit, false},
	{Overall, true, model.FailQueueJobLimit, model.FailQueueJobLimit, false},
	{PerUser, true, model.FailQueueByUserLimit, model.FailQueueUserLimit, false},
	{perGroup, false, model.FailServerByGroupLimit, model.FailServerGroupLimit, false},
	{PerProject, false, model.FailServerByProjectLimit, model.FailServerProjectLimit, false},
	{Overall, false, model.FailServerJobLimit, model.FailServerJobLimit, false},
	{PerUser, false, model.FailServerByUserLimit, model.FailServerUserLimit, false},
	{perGroup, true, model.FailQueueByGroupResLimit, model.FailQueueGroupResLimit, true},
	{PerProject, true, model.FailQueueByProjectResLimit, model.FailQueueProjectResLimit, true},
	{Overall, true, model.FailQueueResLimit, model.FailQueueResLimit, true},
	{PerUser, true, model.FailQueueByUserResLimit, model.FailQueueUserResLimit, true},
	{perGroup, false, model.FailServerByGroupResLimit, model.FailServerGroupResLimit, true},
	{PerProject, false, model.FailServerByProjectResLimit, model.FailServerProjectResLimit, true},
	{Overall, false, model.FailServerResLimit, model.FailServerResLimit, true},
	{PerUser, false, model.FailServerByUserResLimit, model.FailServerUserResLimit, true},
}

// limit is the limit on an entity: its own, else that on each of its kind. A group that the server did not
// show has none: which one it is would be a guess.
func (l *Limits) limit(table map[limitKey]float64, kind int, who string, res int) (limit float64, own, ok bool) {
	if kind == perGroup && who == "" {
		return 0, false, false
	}
	if limit, ok = table[limitKey{kind, who, res}]; ok || kind == Overall {
		return limit, true, ok
	}
	limit, ok = table[limitKey{kind, generic, res}]
	return limit, false, ok
}

// Reached says whether a job reaches a limit, with the jobs that already run.
func (t *Test) Reached(s *Subject, l *Limits, n *Counts, limited []int, queue string) reason.Failure {
	if len(l.Hard) == 0 {
		return reason.Failure{}
	}
	who := s.Entities[t.Kind]
	if !t.Resource {
		limit, own, ok := l.limit(l.Hard, t.Kind, who, runs)
		if !ok || limit > n[t.Kind][who].used(-1) {
			return reason.Failure{}
		}
		return t.failure(own, who, queue, 0)
	}
	for i, r := range limited {
		asked := resource.Find(s.asked, r)
		if asked == nil {
			continue
		}
		limit, own, ok := l.limit(l.Hard, t.Kind, who, r)
		if ok && n[t.Kind][who].used(i)+asked.Amount > limit {
			return t.failure(own, who, queue, r)
		}
	}
	return reason.Failure{}
}

func (t *Test) failure(own bool, who, queue string, res int) reason.Failure {
	f := reason.Failure{Status: reason.NotRun, Code: t.Over, Res: res, Entity: who}
	if own {
		f.Code = t.By
	}
	if t.Queue {
		f.Object = queue
	}
	return f
}

// Raise keeps the higher of two counts of a job's entities.
func (c *Counts) Raise(s *Subject, now *Counts) {
	for k, who := range s.Entities {
		c[k][who] = c[k][who].raisedTo(now[k][who])
	}
}

func (t Tally) raisedTo(o Tally) Tally {
	if t.amounts == nil {
		return o.copy()
	}
	t.running = max(t.running, o.running)
	for i := range t.amounts {
		t.amounts[i] = max(t.amounts[i], o.amounts[i])
	}
	return t
}

// MarkSoft records which soft limits the entities of a job exceed; bit is the mark.
func (c *Counts) MarkSoft(s *Subject, l *Limits, limited []int, bit int) {
	if len(l.Soft) == 0 {
		return
	}
	for k, who := range s.Entities {
		if t, counted := c[k][who]; counted {
			c[k][who] = t.marked(s, l, k, limited, bit)
		}
	}
}

func (t Tally) marked(s *Subject, l *Limits, kind int, limited []int, bit int) Tally {
	who := s.Entities[kind]
	if limit, _, ok := l.limit(l.Soft, kind, who, runs); ok {
		t.bit = bitIf(limit < t.used(-1), bit)
	} else if kind == Overall {
		t.bit = 0
	}
	for i, r := range limited {
		if resource.Find(s.asked, r) == nil {
			continue
		}
		if limit, _, ok := l.limit(l.Soft, kind, who, r); ok {
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

// OverSoft are the bits of the soft limits that a job's entities exceed.
func (c *Counts) OverSoft(s *Subject, l *Limits, limited []int) (bits int) {
	if len(l.Soft) == 0 {
		return 0
	}
	for k, who := range s.Entities {
		if t, ok := c[k][who]; ok && l.Has[k] {
			bits |= t.bitsOf(s, limited)
		}
	}
	return bits
}

func (t Tally) bitsOf(s *Subject, limited []int) int {
	bits := t.bit
	for i, r := range limited {
		if i < len(t.resBits) && resource.Find(s.asked, r) != nil {
			bits |= t.resBits[i]
		}
	}
	return bits
}

// Any reports whether there are any limits. Without limits, the server or queue does not count running jobs.
func (l *Limits) Any() bool { return len(l.Hard) > 0 || len(l.Soft) > 0 }
