package fairshare

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A Spell is a period in which a job ran. It has the charge for each second.
type Spell struct {
	Entity   string
	From, To time.Time // To is zero while it runs
	Rate     float64
	Most     float64 // all usage that is known: hosts report usage later than they measure it
}

// A Past has what the log shows since the scheduler read the usage file.
type Past struct {
	Read   model.FairRead
	Cycles []PastCycle // with fair_share
	Spells []Spell
}

// A PastCycle is a cycle, and how often the tree decayed at its beginning.
type PastCycle struct {
	At     time.Time
	Decays int
}

// Recall gives groups the usage that they have in the scheduler's memory. The usage file has only leaves;
// pbsfs adds these up. But in memory each group has its own initial usage of 1, and decays separately. A
// group also keeps the usage that is charged to its own name (P6, P23, P45).
func (m *Memory) Recall(f model.Fairshare, past Past) {
	sim := past.play(f)
	for n := range m.All() {
		own := sim.Find(n.Name)
		if n.Leaf() || own == nil {
			continue
		}
		n.Usage = max(idle, n.Usage+own.Usage-idle-own.charged())
		n.Temporary = n.Usage
	}
	m.weigh()
}

// charged is the usage of all leaves below that have any.
func (n *Node) charged() (sum float64) {
	for _, c := range n.below {
		if !c.Leaf() {
			sum += c.charged()
		} else if c.Usage != idle {
			sum += c.Usage
		}
	}
	return sum
}

// play repeats what the cycles did to the tree. A leaf whose usage the spells do not explain had some when the
// scheduler read the file: then it decays beside its groups, whatever it had.
func (p *Past) play(f model.Fairshare) *Memory {
	const much = 1e12 // no decay brings it down to 1
	usage := f.Usage
	f.Usage = model.FairshareUsage{}
	fresh := p.from(f)
	if p.Read.Created {
		return fresh
	}
	for _, r := range usage.Records {
		if n := fresh.Find(r.Name); n == nil || n.Leaf() && r.Usage > 2*n.Usage {
			f.Usage.Records = append(f.Usage.Records, model.EntityUsage{Name: r.Name, Usage: much})
		}
	}
	if len(f.Usage.Records) == 0 {
		return fresh
	}
	return p.from(f)
}

func (p *Past) from(f model.Fairshare) *Memory {
	m := Start(f, p.Read.At)
	charged := make([]float64, len(p.Spells))
	later := p.byStart()
	var now []int // the spells that run
	last := p.Read.At
	for i, c := range p.Cycles {
		for len(later) > 0 && !p.Spells[later[0]].From.After(last.Add(time.Second)) {
			now, later = append(now, later[0]), later[1:]
		}
		now = slices.DeleteFunc(now, func(k int) bool { return p.Spells[k].over(c.At) })
		slices.Sort(now)
		for _, k := range now {
			if s := &p.Spells[k]; i > 0 { // the first cycle remembers no job
				used := s.Rate * c.At.Sub(model.Latest(s.From, last)).Seconds()
				charged[k] += m.Entity(s.Entity).charge(min(used, s.Most-charged[k]))
			}
		}
		m.Decay(m.Policy.DecayFactor, c.Decays)
		last = c.At
	}
	return m
}

// byStart are the places of the spells, the first to begin first.
func (p *Past) byStart() []int {
	places := make([]int, len(p.Spells))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return p.Spells[a].From.Compare(p.Spells[b].From) })
	return places
}

// over reports whether the job had ended by a moment.
func (s *Spell) over(at time.Time) bool { return !s.To.IsZero() && !s.To.After(at) }
