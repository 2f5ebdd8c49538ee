package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/fairshare"
	"qprism/engine/model"
)

func (sc *Scene) comparePBS(c *Comparison, idA, idB string) error {
	a, err := sc.standOf(idA)
	if err != nil {
		return err
	}
	b, err := sc.standOf(idB)
	if err != nil {
		return err
	}
	if a.Queue == "" || b.Queue == "" {
		c.Notes = append(c.Notes, "The scheduler does not look at one of them, so nothing orders them.")
		return nil
	}
	c.Rows, c.Decided = sc.rowsPBS(a, b)
	c.NextSame = true
	if c.First == 0 {
		c.Decided = ""
		c.Notes = append(c.Notes, "One of them is not considered in the next cycle, so nothing changes their order.")
		return nil
	}
	first, second := a, b
	c.Passer = c.B
	if c.First > 0 {
		first, second, c.Passer = b, a, c.A
	}
	d := &duel{sc: sc, s: sc.Snapshot, next: c.Next, first: first.Job, second: second.Job}
	for i := range sc.lineup.Jobs {
		if s := &sc.lineup.Jobs[i]; s.Place > 0 && s.Node == first.Node && s.Node != nil && !same(s.Job, first.Job) && !same(s.Job, second.Job) && len(d.starts) < mostStarts {
			d.starts = append(d.starts, start{job: s.Job})
		}
	}
	d.searchPBS(c, first, second)
	return nil
}

// rowsPBS sets side by side what the cycle sorts by; of a formula its terms too.
func (sc *Scene) rowsPBS(a, b *cycle.Stand) (rows []Row, decided string) {
	order := map[string]int{}
	for _, c := range sc.lineup.Compare(a, b) {
		order[c.Name] = c.Order
		if decided == "" && c.Order != 0 {
			decided = c.Name
		}
	}
	listA, listB := sc.criteria(a), sc.criteria(b)
	for i := range listA {
		row := Row{Name: listA[i].Name, A: shortly(&listA[i].Term), B: shortly(&listB[i].Term), Gain: math.NaN(), Wins: order[listA[i].Name]}
		if row.Name == "formula" {
			row.Gain = listA[i].Term.Value - listB[i].Term.Value
		}
		rows = append(rows, row)
		switch row.Name {
		case "formula":
			rows = append(rows, formulaRows(&listA[i].Term, &listB[i].Term)...)
		case "fairshare":
			rows = append(rows, fairRows(a, b)...)
		}
	}
	return rows, decided
}

func shortly(t *Term) string {
	if t.Text != "" && t.Op != Sum && t.Op != Single {
		return t.Text
	}
	return Number(t.Value)
}

// formulaRows are the terms of the formula's sum.
func formulaRows(a, b *Term) (rows []Row) {
	if a.Op == Single {
		a = &a.Terms[0]
	}
	if b.Op == Single {
		b = &b.Terms[0]
	}
	if a.Op != Sum || b.Op != Sum || len(a.Terms) != len(b.Terms) || len(a.Terms) < 2 {
		return nil
	}
	for i := range a.Terms {
		x, y := &a.Terms[i], &b.Terms[i]
		row := Row{Name: x.Name, Depth: 1, A: Number(x.Value), B: Number(y.Value), Gain: x.Value - y.Value}
		if x.Minus {
			row.Name, row.Gain = "− "+x.Name, -row.Gain
		}
		switch {
		case row.Gain > 0:
			row.Wins = -1
		case row.Gain < 0:
			row.Wins = 1
		}
		rows = append(rows, row)
	}
	return rows
}

// fairRows are the levels of the tree that were compared.
func fairRows(a, b *cycle.Stand) (rows []Row) {
	if a.Node == nil || b.Node == nil || a.Node == b.Node {
		return nil
	}
	for _, l := range fairshare.Explain(a.Node, b.Node).Levels {
		row := Row{Name: "usage ÷ share", Depth: 1, A: levelWords(l.A), B: levelWords(l.B), Gain: math.NaN()}
		switch x, y := l.A.Ratio, l.B.Ratio; {
		case x < 0 && y < 0:
		case y < 0, x >= 0 && x < y:
			row.Wins = -1
		case x < 0, x > y:
			row.Wins = 1
		}
		rows = append(rows, row)
	}
	return rows
}

func levelWords(s fairshare.Standing) string {
	if s.Ratio < 0 {
		return s.Node.Name + " no share"
	}
	return fmt.Sprintf("%s %s ÷ %s = %s", s.Node.Name, Number(s.Node.Temporary), Number(float64(s.Node.Perc)), Number(s.Ratio))
}

// searchPBS looks for a flip of each kind that the policy knows.
func (d *duel) searchPBS(c *Comparison, first, second *cycle.Stand) {
	never := func(k Kind, why string) { c.Never = append(c.Never, Obstacle{k, why}) }
	found := func(k Kind, from, most int64, why string) {
		if amount, ok := d.smallest(k, from, most); ok {
			f := Flip{Change: Change{k, amount}, From: from}
			if k == ByStarts {
				f.Starts, f.Of = startNames(d.starts[:amount]), first.Node.Name
			}
			c.Flips = append(c.Flips, f)
		} else if slices.Contains([]string{"reservation", "express", "queue", "preempt priority", "preempted"}, c.Decided) && k != ByQueue {
			never(k, "the "+c.Decided+" decides before it")
		} else {
			never(k, why)
		}
	}
	if why := d.stillPBS(); why != "" {
		never(ByTime, why)
	} else if amount, ok := d.overTime(); ok {
		at := d.next.Add(time.Duration(amount) * time.Second)
		c.Flips = append(c.Flips, Flip{Change: Change{ByTime, amount}, At: at, Cause: d.causePBS(at)})
	} else {
		never(ByTime, "not within "+span(Horizon))
	}
	names := d.sc.formulaNames()
	if d.reads(names, "job_priority") {
		found(ByPriority, int64(d.second.PosixPriority), 1023, "even -p 1023 is too little")
	} else {
		never(ByPriority, "no formula and no job_sort_key reads job_priority")
	}
	l := d.sc.lineup
	switch sorts := l.Policy.ByQueue || l.Policy.RoundRobin || l.Policy.Preemptive || slices.Contains(names, "queue_priority"); {
	case first.Queue == second.Queue:
	case !sorts:
		never(ByQueue, "by_queue and preemptive_sched are off, and no formula reads it")
	default:
		found(ByQueue, int64(second.QueuePriority), 1024, "even priority 1024 is too little")
	}
	if slices.Contains(names, "eligible_time") {
		found(ByEligible, 0, int64(Horizon/time.Second)*120, "no time is long enough")
	} else {
		never(ByEligible, "no formula reads eligible_time")
	}
	uses := l.Policy.FairShare || slices.ContainsFunc(names, func(n string) bool {
		return n == "fairshare_factor" || n == "fairshare_tree_usage" || n == "fairshare_perc" || n == "fair_share_perc"
	})
	switch {
	case !uses:
		never(ByUsed, "fair_share is off, and no formula reads it")
	case first.Node == second.Node:
		never(ByUsed, "both are charged to one entity")
	case first.Node == nil || second.Node == nil:
		never(ByUsed, "one of them is charged to nobody")
	default:
		found(ByUsed, 0, 1<<40, "no usage is large enough")
		d.searchGroup(second, found)
	}
	switch {
	case !l.Policy.FairShare && !l.Policy.Preemptive:
		never(ByStarts, "within a cycle nothing depends on what it starts")
	case first.Node == second.Node && !l.Policy.Preemptive:
		never(ByStarts, "both are charged to one entity")
	case len(d.starts) == 0:
		never(ByStarts, "the other one's entity has no other job that waits")
	default:
		found(ByStarts, 0, int64(len(d.starts)), notEven(len(d.starts)))
	}
}

// searchGroup tries more shares of the passing job's entity, where resource_group has it.
func (d *duel) searchGroup(second *cycle.Stand, found func(k Kind, from, most int64, why string)) {
	for _, g := range d.s.PBS.Fairshare.Groups {
		if g.Name == second.Node.Name {
			found(ByGroup, int64(g.Shares), mostShares, "no number is large enough")
			return
		}
	}
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

func (d *duel) reads(names []string, name string) bool {
	return slices.Contains(names, name) || slices.ContainsFunc(d.sc.lineup.Policy.JobSortKeys, func(k model.SortKey) bool {
		return k.Resource == name || k.Resource == "sort_priority" && name == "job_priority"
	})
}

// causePBS is the criterion that decides at a moment.
func (d *duel) causePBS(at time.Time) string {
	l := cycle.LineUp(d.s, at)
	a, b := l.Find(d.first.PBS.ID), l.Find(d.second.PBS.ID)
	if a == nil || b == nil {
		return ""
	}
	for _, c := range l.Compare(a, b) {
		if c.Order != 0 {
			return c.Name
		}
	}
	return ""
}

// stillPBS says why time alone changes no order; empty where it may.
func (d *duel) stillPBS() string {
	p, conf := d.s.PBS, &d.s.PBS.SchedConfig
	l := d.sc.lineup
	names := d.sc.formulaNames()
	grows := func(n string) bool { return n == "eligible_time" || strings.HasPrefix(n, "fair") }
	alike := conf.Prime.ByQueue == conf.NonPrime.ByQueue && conf.Prime.RoundRobin == conf.NonPrime.RoundRobin &&
		conf.Prime.FairShare == conf.NonPrime.FairShare && conf.Prime.Preemptive == conf.NonPrime.Preemptive &&
		slices.Equal(conf.Prime.JobSortKeys, conf.NonPrime.JobSortKeys)
	if l.Policy.FairShare || l.Policy.Preemptive && p.Fairshare.Usage.Version != 0 || slices.ContainsFunc(names, grows) || !alike || len(p.Dedicated) > 0 || len(p.Reservations) > 0 {
		return ""
	}
	return "nothing in the policy depends on it"
}
