package explain

import (
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// A pbsDuel is a duel in a cycle of PBS.
type pbsDuel struct {
	duel
	sc    *Scene
	a, b  *criteria.Stand // of the first and the second job
	names []string        // that the formula reads
}

// flipsPBS finds what would change the order of the next cycle.
func (sc *Scene) flipsPBS(c *Comparison, a, b *criteria.Stand) {
	c.Passer = c.B
	if c.First > 0 {
		a, b, c.Passer = b, a, c.A
	}
	d := &pbsDuel{duel: duel{s: sc.Snapshot, next: c.Next, first: a.Job, second: b.Job, whose: a.Entity}, sc: sc, a: a, b: b,
		names: sc.formulaNames()}
	for i := range sc.lineup.Jobs {
		s := &sc.lineup.Jobs[i]
		if s.Place > 0 && s.Node == a.Node && s.Node != nil && !same(s.Job, a.Job) && !same(s.Job, b.Job) && len(d.starts) < mostStarts {
			d.starts = append(d.starts, start{job: s.Job})
		}
	}
	if p := &sc.lineup.Policy; many(d) && !p.FairShare && !p.RoundRobin {
		d.s = withoutOthers(d.s, a.Job, b.Job)
	}
	settle(c, d)
}

// withoutOthers is a snapshot without the other jobs that wait. Where jobs are sorted by their own numbers alone, the order of
// two does not depend on them.
func withoutOthers(s *model.Snapshot, a, b *model.Job) *model.Snapshot {
	n := *s
	n.Jobs = slices.DeleteFunc(slices.Clone(s.Jobs), func(j model.Job) bool {
		return j.PBS != nil && j.PBS.State == "Q" && j.Number != a.Number && j.Number != b.Number
	})
	return &n
}

// after lines the jobs up after a change.
func (d *pbsDuel) after(c Change) sample {
	var ids []string
	s := d.s
	switch c.Kind {
	case ByTime:
	case ByStarts:
		ids = startNames(d.starts[:min(int(c.Amount), len(d.starts))])
	default:
		s = c.apply(s, d.second, d.first, nil, d.next)
	}
	l := cycle.LineUp(s, d.at(c), ids...)
	return placed(c, l.Find(d.first.PBS.ID), l.Find(d.second.PBS.ID))
}

func (d *pbsDuel) present() sample { return placed(Change{}, d.a, d.b) }

// placed is the order of two jobs after a change, of which the cycle may no longer consider one.
func placed(c Change, first, second *criteria.Stand) sample {
	if first == nil || second == nil || first.Place == 0 || second.Place == 0 {
		return sample{amount: c.Amount, lead: math.NaN()}
	}
	return sample{amount: c.Amount, passes: second.Place < first.Place, lead: float64(second.Formula) - float64(first.Formula)}
}

// trials lists kinds of changes. Queues count only where they differ, and shares only where resource_group has the entity.
func (d *pbsDuel) trials() []trial {
	list := []trial{
		{kind: ByTime, barred: d.still(), vain: "not within " + Span(horizon)},
		{kind: ByPriority, from: int64(d.second.PosixPriority), most: 1023, barred: d.withoutPriority(),
			vain: d.vain("even -p 1023 is too little")},
	}
	if d.a.Queue != d.b.Queue {
		list = append(list, trial{kind: ByQueue, from: int64(d.b.QueuePriority), most: 1024, barred: d.withoutQueues(),
			vain: "even priority 1024 is too little"})
	}
	list = append(list, trial{kind: ByEligible, most: int64(horizon/time.Second) * 120, barred: d.withoutEligible(),
		vain: d.vain("no time is long enough")},
		trial{kind: ByUsed, most: 1 << 40, barred: d.withoutUsage(), vain: d.vain("no usage is large enough")})
	if d.withoutUsage() == "" {
		for _, g := range d.s.PBS.Fairshare.Groups {
			if g.Name == d.b.Entity {
				list = append(list, trial{kind: ByGroup, from: int64(g.Shares), most: mostShares, vain: d.vain(enough)})
				break
			}
		}
	}
	return append(list, trial{kind: ByStarts, most: int64(len(d.starts)), barred: d.withoutStarts(), vain: d.vain(notEven(len(d.starts)))})
}

// vain says why no amount is enough: what decides may come before all that the amount changes.
func (d *pbsDuel) vain(why string) string {
	if c := criteria.Decides(d.sc.lineup.Criteria(), d.a, d.b); c != nil && c.Kind < criteria.Formula {
		return "the " + c.Name + " decides before it"
	}
	return why
}

func (d *pbsDuel) withoutPriority() string {
	if d.reads("job_priority") {
		return ""
	}
	return "no formula and no job_sort_key reads job_priority"
}

func (d *pbsDuel) withoutQueues() string {
	if p := &d.sc.lineup.Policy; p.ByQueue || p.RoundRobin || p.Preemptive || slices.Contains(d.names, "queue_priority") {
		return ""
	}
	return "by_queue and preemptive_sched are off, and no formula reads it"
}

func (d *pbsDuel) withoutEligible() string {
	if slices.Contains(d.names, "eligible_time") {
		return ""
	}
	return "no formula reads eligible_time"
}

func (d *pbsDuel) withoutUsage() string {
	reads := slices.ContainsFunc(d.names, func(n string) bool {
		return n == "fairshare_factor" || n == "fairshare_tree_usage" || n == "fairshare_perc" || n == "fair_share_perc"
	})
	switch {
	case !d.sc.lineup.Policy.FairShare && !reads:
		return "fair_share is off, and no formula reads it"
	case d.a.Node == d.b.Node:
		return "both are charged to one entity"
	case d.a.Node == nil || d.b.Node == nil:
		return "one of them is charged to nobody"
	}
	return ""
}

func (d *pbsDuel) withoutStarts() string {
	switch p := &d.sc.lineup.Policy; {
	case !p.FairShare && !p.Preemptive:
		return "within a cycle nothing depends on what it starts"
	case d.a.Node == d.b.Node && !p.Preemptive:
		return "both are charged to one entity"
	case len(d.starts) == 0:
		return "the other one's entity has no other job that waits"
	}
	return ""
}

// formulaNames are what the formula reads.
func (sc *Scene) formulaNames() []string {
	if sc.lineup.Formula == "" {
		return nil
	}
	f, _ := sc.parse()
	if f == nil {
		return nil
	}
	return f.Names()
}

// reads reports whether the formula or a sort key reads what a job says of itself.
func (d *pbsDuel) reads(name string) bool {
	return slices.Contains(d.names, name) || slices.ContainsFunc(d.sc.lineup.Policy.JobSortKeys, func(k model.SortKey) bool {
		return k.Resource == name || k.Resource == "sort_priority" && name == "job_priority"
	})
}

// cause is the criterion that decides at a moment.
func (d *pbsDuel) cause(at time.Time) string {
	l := cycle.LineUp(d.s, at)
	a, b := l.Find(d.first.PBS.ID), l.Find(d.second.PBS.ID)
	if a == nil || b == nil {
		return ""
	}
	if c := criteria.Decides(l.Criteria(), a, b); c != nil {
		return c.Name
	}
	return ""
}

// still says why time alone changes no order; empty where it may.
func (d *pbsDuel) still() string {
	p, conf := d.s.PBS, &d.s.PBS.SchedConfig
	l := d.sc.lineup
	grows := func(n string) bool { return n == "eligible_time" || strings.HasPrefix(n, "fair") }
	alike := conf.Prime.ByQueue == conf.NonPrime.ByQueue && conf.Prime.RoundRobin == conf.NonPrime.RoundRobin &&
		conf.Prime.FairShare == conf.NonPrime.FairShare && conf.Prime.Preemptive == conf.NonPrime.Preemptive &&
		slices.Equal(conf.Prime.JobSortKeys, conf.NonPrime.JobSortKeys)
	if l.Policy.FairShare || l.Policy.Preemptive && p.Fairshare.Usage.Version != 0 || slices.ContainsFunc(d.names, grows) || !alike ||
		len(p.Dedicated) > 0 || len(p.Reservations) > 0 {
		return ""
	}
	return "nothing in the policy depends on it"
}
