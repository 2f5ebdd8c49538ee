package fairshare

import (
	"maps"
	"math"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Memory is the tree of a scheduler, from one cycle to the next. A cycle calls, in this order: Entities for
// its jobs, Begin, Raise for each start, End.
type Memory struct {
	*Tree
	LastDecay time.Time // the start of the scheduler if the usage file has none
	Policy    model.FairsharePolicy

	last []Running // at the end of the last cycle with fair_share
}

// Running is a running job with the usage that the scheduler read at the start of a cycle.
type Running struct {
	Job, Entity string
	Starting    bool // started by the server, but not yet by a host: not charged
	// resources_used, then Resource_List; empty for a job without usage yet
	Used []model.Amount
}

// A Value computes fairshare_usage_res for a job from amounts of resources. If two amounts have one name, the
// first counts. A missing amount is 0.
type Value func(job string, amounts []model.Amount) float64

// A Cycle has the facts at the start of a scheduler cycle.
type Cycle struct {
	At        time.Time
	FairShare bool // fair_share is on now
	Formula   bool // there is a job_sort_formula
	Running   []Running
	Value     Value
	Owed      map[string]float64 // by entity: additional charges, for jobs that the scheduler does not remember
}

// Upkeep is what the start of a cycle changed in the tree.
type Upkeep struct {
	Charges []Charge
	Decays  int  // number of lines "Decaying Fairshare Tree" in the log
	Written bool // the usage file, "Usage Sync" in the log
}

// A Charge is usage added to an entity and all nodes above it.
type Charge struct {
	Job   string // empty for the sum of several jobs of the entity
	Node  *Node
	Usage float64
}

// Start is the tree of a scheduler that starts at a moment.
func Start(f model.Fairshare, at time.Time) *Memory {
	m := &Memory{}
	m.Reload(f, at)
	return m
}

// Reload does what SIGHUP does: it reads all files again. The scheduler still remembers the running jobs.
func (m *Memory) Reload(f model.Fairshare, at time.Time) {
	m.Tree, m.Policy, m.LastDecay = Build(f), f.Policy, time.Time{}
	m.decayedAt(f.Usage, at)
}

// Reread reads the usage file again. A cycle with fair_share or a formula does so first if pbsfs left
// usage.touch.
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

// Begin charges the usage of running jobs since the last cycle, decays the tree, and prepares comparisons. It
// does so only if fair_share is on or there is a formula.
//
// The scheduler remembers jobs only with fair_share on. With a formula only, each cycle charges the same jobs
// again, for all their usage since fair_share was on. If fair_share was never on, it charges nothing.
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

// End remembers the running jobs if fair_share is on, with the usage read at the start of the cycle.
func (m *Memory) End(fairShare bool, running []Running) {
	if fairShare {
		m.last = append([]Running(nil), running...)
	}
}

// Raise adds to the temporary usage of an entity and all nodes above: fairshare_usage_res of the
// Resource_List of a job that started or became a top job. Jobs are compared again after that.
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

// Decay decays the usage of every node separately, this number of times. pbsfs -d does it once, to the tree
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
