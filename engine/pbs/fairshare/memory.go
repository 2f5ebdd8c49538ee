package fairshare

import (
	"maps"
	"math"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Memory is the tree that a scheduler calculates with, from one cycle to the next. What a cycle does to it, in order:
// Entities for the jobs read, Begin, Raise for each start, End.
type Memory struct {
	*Tree
	LastDecay time.Time // the scheduler's start where the usage file knows none
	Policy    model.FairsharePolicy

	last []Running // at the end of the last cycle with fair_share
}

// Running is a running job, by what it used as the scheduler read it at the beginning of a cycle.
type Running struct {
	Job, Entity string
	Starting    bool // run by the server, but not yet by a host: not charged
	// resources_used, and behind it what Resource_List has; nothing for a job that shows no usage yet
	Used []model.Amount
}

// A Value is fairshare_usage_res, evaluated for a job over amounts of resources: of two with one name the first counts,
// others are 0.
type Value func(job string, amounts []model.Amount) float64

// A Cycle is what the beginning of a scheduler cycle knows.
type Cycle struct {
	At        time.Time
	FairShare bool // fair_share is on at this time
	Formula   bool // there is a job_sort_formula
	Running   []Running
	Value     Value
	Owed      map[string]float64 // by entity: what it is charged besides, where nothing is remembered of its jobs
}

// Upkeep is what the beginning of a cycle did to the tree.
type Upkeep struct {
	Charges []Charge
	Decays  int  // "Decaying Fairshare Tree" in the log, once for each
	Written bool // the usage file, "Usage Sync" in the log
}

// A Charge is usage that was added to an entity and all nodes above it.
type Charge struct {
	Job   string // empty for what several jobs of the entity used
	Node  *Node
	Usage float64
}

// Start is the tree of a scheduler that starts at this time.
func Start(f model.Fairshare, at time.Time) *Memory {
	m := &Memory{}
	m.Reload(f, at)
	return m
}

// Reload is what SIGHUP does: everything anew from the files, but the scheduler still knows which jobs were running.
func (m *Memory) Reload(f model.Fairshare, at time.Time) {
	m.Tree, m.Policy, m.LastDecay = Build(f), f.Policy, time.Time{}
	m.decayedAt(f.Usage, at)
}

// Reread is what a cycle with fair_share or a formula does first where pbsfs left usage.touch: usage anew
// from the file.
func (m *Memory) Reread(u model.FairshareUsage, at time.Time) {
	for n := range m.All() {
		n.Usage, n.Temporary = idle, idle
	}
	m.read(u)
	m.decayedAt(u, at)
}

// decayedAt takes the time of the last decay from the file; where it has none, decay starts now.
func (m *Memory) decayedAt(u model.FairshareUsage, at time.Time) {
	if u.Version == 2 && validHeader(u) {
		m.LastDecay = u.LastDecay
	}
	if m.LastDecay.IsZero() {
		m.LastDecay = at
	}
}

// Begin charges what running jobs used since the last cycle, decays, and makes ready for comparing. It does so only
// while fair_share is on or there is a formula.
//
// Jobs are remembered only with fair_share: with a formula alone the same jobs are charged anew in each cycle for all
// they used since fair_share was on, and nobody if it never was.
func (m *Memory) Begin(c Cycle) (u Upkeep) {
	if !c.FairShare && !c.Formula {
		return u
	}
	u.Charges = m.charge(c)
	u.Decays = m.decay(c.At)
	u.Written = u.Decays > 0 || len(m.last) > 0
	for n := range m.All() {
		n.Temporary = n.Usage
	}
	m.weigh()
	return u
}

// End remembers the running jobs, if fair_share is on: those now running, by what was read at the cycle's beginning.
func (m *Memory) End(fairShare bool, running []Running) {
	if fairShare {
		m.last = append([]Running(nil), running...)
	}
}

// Raise adds to the temporary usage of an entity and all above: fairshare_usage_res over the Resource_List
// of a job that was started, or became a top job. Jobs are compared anew after it.
func (n *Node) Raise(usage float64) {
	for _, p := range n.Path() {
		p.Temporary += usage
	}
}

// charge adds to each entity what its jobs used between both cycles.
func (m *Memory) charge(c Cycle) (charges []Charge) {
	now := make(map[string]Running, len(c.Running))
	for _, r := range c.Running {
		now[r.Job] = r
	}
	for _, before := range m.last {
		node := m.Entity(before.Entity)
		if r, ok := now[before.Job]; ok && !r.Starting {
			used := c.Value(r.Job, r.Used) - c.Value(r.Job, before.Used)
			charges = append(charges, Charge{r.Job, node, node.charge(used)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Owed)) {
		node := m.Entity(name)
		charges = append(charges, Charge{"", node, node.charge(c.Owed[name])})
	}
	return charges
}

// charge adds usage to a node and all above, and says how much: nothing where it is negative or no number.
func (n *Node) charge(usage float64) float64 {
	if !(usage >= 0) {
		usage = 0
	}
	for _, p := range n.Path() {
		p.Usage += usage
	}
	return usage
}

// decay lowers usage once for every full decay time since the last one, and says how often. A time of exactly the decay
// time is not enough.
func (m *Memory) decay(now time.Time) int {
	every := int64(m.Policy.DecayTime / time.Second)
	since := now.Unix() - m.LastDecay.Unix()
	if every <= 0 || since <= every {
		return 0
	}
	steps := int((since - 1) / every)
	m.Decay(m.Policy.DecayFactor, steps)
	m.LastDecay = time.Unix(now.Unix()-since%every, 0).UTC()
	return steps
}

// Decay lowers the usage of every node that many times, each on its own; pbsfs -d does it once, to the tree
// of the file.
func (t *Tree) Decay(factor float32, times int) {
	for n := range t.All() {
		n.Usage = decayed(n.Usage, float64(factor), times)
	}
}

// exactSteps is how many decays are computed one by one as the scheduler does; what remains, after decades by default,
// is computed at once.
const exactSteps = 10_000

// decayed is usage after a number of decays, never below that of an idle node.
func decayed(usage, factor float64, steps int) float64 {
	for range min(steps, exactSteps) {
		if usage = max(idle, usage*factor); usage == idle {
			return idle
		}
	}
	return max(idle, usage*math.Pow(factor, float64(max(0, steps-exactSteps))))
}
