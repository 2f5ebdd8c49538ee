package explain

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"qprism/engine/explain"

	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// A pair is two waiting jobs in a cycle of PBS.
type pair struct {
	explain.Pair
	sc    *Scene
	a, b  *criteria.JobValues // of the first and the second job
	names []string            // that the formula reads
}

// flips finds what would change the order of the next cycle.
func (sc *Scene) flips(c *explain.Comparison, a, b *criteria.JobValues) {
	c.Passer = c.B
	if c.First > 0 {
		a, b, c.Passer = b, a, c.A
	}
	d := &pair{Pair: explain.Pair{Snapshot: sc.snapshot, Next: c.Next, First: a.Job, Second: b.Job,
		Whose: a.Entity}, sc: sc, a: a, b: b, names: sc.formulaNames()}
	for i := range sc.lineup.Jobs {
		s := &sc.lineup.Jobs[i]
		if s.Place > 0 && s.Node == a.Node && s.Node != nil && !s.Job.Same(a.Job) && !s.Job.Same(b.Job) &&
			len(d.Starts) < explain.MostStarts {
			d.Starts = append(d.Starts, explain.Start{Job: s.Job})
		}
	}
	if p := &sc.lineup.Policy; explain.Many(d) && !p.FairShare && !p.RoundRobin {
		d.Snapshot = withoutOthers(d.Snapshot, a.Job, b.Job)
	}
	explain.Settle(c, d)
}

// withoutOthers is a snapshot without the other jobs that wait. Where jobs are sorted by their own numbers
// alone, the order of two does not depend on them.
func withoutOthers(s *model.Snapshot, a, b *model.Job) *model.Snapshot {
	n := *s
	n.Jobs = slices.DeleteFunc(slices.Clone(s.Jobs), func(j model.Job) bool {
		return j.PBS != nil && j.PBS.State == "Q" && j.Number != a.Number && j.Number != b.Number
	})
	return &n
}

// After sorts the jobs after a change.
func (d *pair) After(c explain.Change) explain.Sample {
	var ids []string
	s := d.Snapshot
	switch c.Kind {
	case explain.ByTime:
	case explain.ByStarts:
		ids = explain.Names(d.Starts[:min(int(c.Amount), len(d.Starts))])
	default:
		s = apply(c, s, d.Second, d.First)
	}
	l := cycle.LineUp(s, d.At(c), ids...)
	return placed(c, l.Find(d.First.PBS.ID), l.Find(d.Second.PBS.ID))
}

// Present is the order without a change.
func (d *pair) Present() explain.Sample { return placed(explain.Change{}, d.a, d.b) }

// placed is the order of two jobs after a change, of which the cycle may no longer consider one.
func placed(c explain.Change, first, second *criteria.JobValues) explain.Sample {
	if first == nil || second == nil || first.Place == 0 || second.Place == 0 {
		return explain.Sample{Amount: c.Amount, Lead: math.NaN()}
	}
	return explain.Sample{Amount: c.Amount, Passes: second.Place < first.Place,
		Lead: float64(second.Formula) - float64(first.Formula)}
}

// Trials lists kinds of changes. It tries another queue only if the queues differ, and other shares only if
// resource_group has the entity.
func (d *pair) Trials() []explain.Trial {
	list := []explain.Trial{
		{Kind: explain.ByTime, Barred: d.still(), NotEnough: "not within the next " + explain.Span(explain.Horizon)},
		{Kind: explain.ByPriority, From: int64(d.Second.PosixPriority), Most: 1023,
			NotEnough: d.whyNotEnough("even -p 1023 is too low"),
			Barred:    unless(d.reads("job_priority"), "job_sort_formula and job_sort_key do not read job_priority")},
	}
	if d.a.Queue != d.b.Queue {
		list = append(list, explain.Trial{Kind: explain.ByQueue, From: int64(d.b.QueuePriority), Most: 1024,
			Barred:    unless(d.queuesCount(), "by_queue and preemptive_sched are off, and job_sort_formula does not read it"),
			NotEnough: "even priority 1024 is too low"})
	}
	list = append(list,
		explain.Trial{Kind: explain.ByEligible, Most: int64(explain.Horizon/time.Second) * 120,
			Barred:    unless(slices.Contains(d.names, "eligible_time"), "job_sort_formula does not read eligible_time"),
			NotEnough: d.whyNotEnough("no waiting time is long enough")},
		explain.Trial{Kind: explain.ByUsed, Most: 1 << 40, Barred: d.withoutUsage(),
			NotEnough: d.whyNotEnough("no usage is high enough")})
	groups := d.Snapshot.PBS.Fairshare.Groups
	i := slices.IndexFunc(groups, func(g model.ResourceGroup) bool { return g.Name == d.b.Entity })
	if i >= 0 && d.withoutUsage() == "" {
		list = append(list, explain.Trial{Kind: explain.ByGroup, From: int64(groups[i].Shares), Most: explain.MostShares,
			NotEnough: d.whyNotEnough(explain.Endless)})
	}
	return append(list, explain.Trial{Kind: explain.ByStarts, Most: int64(len(d.Starts)), Barred: d.withoutStarts(),
		NotEnough: d.whyNotEnough(explain.NotEven(len(d.Starts)))})
}

// whyNotEnough says why no amount is enough: a criterion that the change does not affect decides first.
func (d *pair) whyNotEnough(why string) string {
	if c := criteria.Decides(d.sc.lineup.Criteria(), d.a, d.b); c != nil && c.Kind < criteria.Formula {
		return "the " + c.Name + " decides before it"
	}
	return why
}

// unless is the reason why a change has no effect; empty if it may have one.
func unless(helps bool, why string) string {
	if helps {
		return ""
	}
	return why
}

func (d *pair) queuesCount() bool {
	p := &d.sc.lineup.Policy
	return p.ByQueue || p.RoundRobin || p.Preemptive || slices.Contains(d.names, "queue_priority")
}

func (d *pair) withoutUsage() string {
	reads := slices.ContainsFunc(d.names, func(n string) bool {
		return n == "fairshare_factor" || n == "fairshare_tree_usage" || n == "fairshare_perc" || n == "fair_share_perc"
	})
	switch {
	case !d.sc.lineup.Policy.FairShare && !reads:
		return "fair_share is off, and job_sort_formula does not read it"
	case d.a.Node == d.b.Node:
		return "both jobs are charged to the same entity"
	case d.a.Node == nil || d.b.Node == nil:
		return "one of the jobs is charged to no entity"
	}
	return ""
}

func (d *pair) withoutStarts() string {
	switch p := &d.sc.lineup.Policy; {
	case !p.FairShare && !p.Preemptive:
		return "within a cycle, nothing depends on the jobs that it starts"
	case d.a.Node == d.b.Node && !p.Preemptive:
		return "both jobs are charged to the same entity"
	case len(d.Starts) == 0:
		return "the entity of the other job has no other waiting job"
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
func (d *pair) reads(name string) bool {
	return slices.Contains(d.names, name) || slices.ContainsFunc(d.sc.lineup.Policy.JobSortKeys,
		func(k model.SortKey) bool {
			return k.Resource == name || k.Resource == "sort_priority" && name == "job_priority"
		})
}

// Cause is the criterion that decides at a moment.
func (d *pair) Cause(at time.Time) string {
	l := cycle.LineUp(d.Snapshot, at)
	a, b := l.Find(d.First.PBS.ID), l.Find(d.Second.PBS.ID)
	if a == nil || b == nil {
		return ""
	}
	if c := criteria.Decides(l.Criteria(), a, b); c != nil {
		return c.Name
	}
	return ""
}

// still says why time alone changes no order; empty where it may.
func (d *pair) still() string {
	p, conf := d.Snapshot.PBS, &d.Snapshot.PBS.SchedConfig
	l := d.sc.lineup
	grows := func(n string) bool { return n == "eligible_time" || strings.HasPrefix(n, "fair") }
	alike := reflect.DeepEqual(conf.Prime, conf.NonPrime) // a new option counts without a word here
	if l.Policy.FairShare || l.Policy.Preemptive && p.Fairshare.Usage.Version != 0 ||
		slices.ContainsFunc(d.names, grows) || !alike || len(p.Dedicated) > 0 || len(p.Reservations) > 0 {
		return ""
	}
	return "nothing in the policy depends on time"
}

// ChangeTimes adds the moments at which usage decays.
func (d *pair) ChangeTimes() []time.Time {
	list, f := d.Pair.ChangeTimes(), &d.Snapshot.PBS.Fairshare
	last, every := f.Usage.LastDecay, f.Policy.DecayTime
	if last.IsZero() {
		last = d.Next
	}
	for n := time.Duration(1); every >= time.Second && n <= explain.MostChangeTimes; n++ {
		list = append(list, last.Add(n*every))
	}
	return list
}
