package schedule

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

// A claim is what one task takes of one resource for a time: an account of a plan that knows nothing of diagrams.
type claim struct {
	job      uint32
	resource string
	amount   float64
	from, to int64 // to is not part of it
}

// An account holds the claims of all that runs, and of the decisions of a plan in their order.
type account struct {
	running  []claim
	decided  [][]claim
	capacity map[string]float64
}

func accountOf(l *lab, p *model.Plan) account {
	a := account{capacity: capacities(l)}
	jobs := map[uint32]*model.Job{}
	for i := range l.Jobs {
		j := &l.Jobs[i]
		jobs[j.Number] = j
		for _, t := range j.Tasks {
			if len(t.Granted) > 0 {
				from := t.Started.Unix()
				a.running = append(a.running, claimsOf(l, j, t.PE, t.Granted, from, from+limitOf(j))...)
			}
		}
	}
	for _, d := range p.Decisions {
		var list []claim
		if d.Verdict != model.Never {
			from := d.Start.Unix()
			list = claimsOf(l, jobs[d.Job], d.PE, d.Slots, from, from+int64(d.Duration.Seconds()))
		}
		a.decided = append(a.decided, list)
	}
	return a
}

func capacities(l *lab) map[string]float64 {
	all := map[string]float64{}
	for _, q := range l.Instances {
		all["slots of "+q.Name] = float64(q.Slots)
	}
	for _, p := range l.PEs {
		all["slots of "+p.Name] = float64(p.Slots)
	}
	for _, h := range l.Hosts {
		for _, s := range h.Capacity {
			all[s.Name+" of "+h.Name], _ = model.ParseNumber(s.Value)
		}
	}
	for _, set := range l.Quotas {
		for _, u := range []string{"u", "x", "y"} {
			all["quota of "+u] = 3
		}
		if !set.Rules[0].Users.Each {
			all["quota of "] = 3
		}
	}
	return all
}

func claimsOf(l *lab, j *model.Job, pe string, grants []model.Grant, from, to int64) (list []claim) {
	add := func(resource string, amount float64) {
		list = append(list, claim{j.Number, resource, amount, from, to})
	}
	slots := 0
	for _, g := range grants {
		slots += g.Slots
		add("slots of "+g.Instance, float64(g.Slots))
	}
	if pe != "" {
		add("slots of "+pe, float64(slots))
	}
	for _, set := range l.Quotas {
		if set.Rules[0].Users.Each {
			add("quota of "+j.Owner, float64(slots))
		} else {
			add("quota of ", float64(slots))
		}
	}
	if n := asked(j, "license"); n > 0 {
		add("license of global", n*float64(slots))
	}
	if n := asked(j, "token"); n > 0 {
		add("token of "+grants[0].Instance[len("all.q@"):], n)
	}
	return list
}

func asked(j *model.Job, name string) float64 {
	for _, r := range j.Hard {
		if r.Resource == name {
			return r.Amount
		}
	}
	return 0
}

func limitOf(j *model.Job) int64 { return int64(asked(j, "h_rt")) }

// inUse is how much of a resource claims take at a moment.
func inUse(list []claim, resource string, at int64) (sum float64) {
	for _, c := range list {
		if c.resource == resource && c.from <= at && at < c.to {
			sum += c.amount
		}
	}
	return sum
}

// crowded finds a claim that does not fit beside others at some moment of its time.
func (a account) crowded(mine claim, others []claim) (at int64, is bool) {
	moments := []int64{mine.from}
	for _, c := range others {
		if c.resource == mine.resource && mine.from <= c.from && c.from < mine.to {
			moments = append(moments, c.from)
		}
	}
	for _, at := range moments {
		if mine.amount > 0 && mine.amount+inUse(others, mine.resource, at) > a.capacity[mine.resource] {
			return at, true
		}
	}
	return 0, false
}

// TestNothingIsEverOversubscribed looks at every resource over time: of what is started and reserved in a
// run, each claim fits beside all others from its first to its last second. Without reservations it only
// has to fit at its start.
func TestNothingIsEverOversubscribed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		p := l.plan(fixed)
		a := accountOf(l, p)
		for i, mine := range a.decided {
			others := slices.Concat(a.running, slices.Concat(a.decided[:i]...), slices.Concat(a.decided[i+1:]...))
			for _, c := range mine {
				if l.Policy.MaxReservation == 0 {
					c.to = c.from + 1
				}
				if at, is := a.crowded(c, others); is {
					t.Fatalf("job %d has no %s at %+d\n%s", c.job, c.resource, at-noon.Unix(), story(p))
				}
			}
		}
	})
}

// TestNoStartDelaysAReservationOfAHigherJob: where a job that starts now ends after the start of a reservation of a
// higher job, and both need a resource, there is enough of that for the reservation beside all that came before it and
// the job.
func TestNoStartDelaysAReservationOfAHigherJob(t *testing.T) {
	l := newLab(2, 1)
	l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
	l.submit("-q all.q@a -l h_rt=50 -R y")
	l.submit("-q all.q@b -l h_rt=500")
	if besides, delay := delays(l); besides != 1 || delay != "" {
		t.Errorf("%d jobs start beside a reservation, want 1: %s", besides, delay)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		l.Policy.MaxReservation = 20
		if _, delay := delays(l); delay != "" {
			t.Fatal(delay)
		}
	})
}

// delays counts the starts of a plan that reach into a reservation of a higher job, and says which of them delays it.
func delays(l *lab) (besides int, delay string) {
	p := l.plan(fixed)
	a := accountOf(l, p)
	for i, higher := range p.Decisions {
		for k := i + 1; k < len(p.Decisions) && higher.Verdict == model.Later; k++ {
			d := p.Decisions[k]
			if d.Verdict != model.Now || !d.Start.Add(d.Duration).After(higher.Start) {
				continue
			}
			besides++
			before := slices.Concat(a.running, slices.Concat(a.decided[:i]...), a.decided[k])
			for _, c := range a.decided[i] {
				if at, is := a.crowded(c, before); is {
					return besides, fmt.Sprintf("job %d delays the reservation of job %d: no %s at %+d\n%s",
						d.Job, higher.Job, c.resource, at-noon.Unix(), story(p))
				}
			}
		}
	}
	return besides, ""
}

// An idle cluster is one of a few hosts, some parallel environments and licences, of which nothing is in use.
type idle struct {
	free     []int
	licences int
	pes      map[string]int
}

// most is the greatest number of slots of a range that fits, the obvious way; 0 for none.
func (c *idle) most(least, greatest, licences int, rule string) int {
	for n := greatest; n >= least; n-- {
		if n*licences <= c.licences && n <= c.pes[rule] && c.spreads(n, rule) {
			return n
		}
	}
	return 0
}

func (c *idle) spreads(n int, rule string) bool {
	switch rule {
	case "$pe_slots":
		return slices.Max(c.free) >= n
	case "2":
		pairs := 0
		for _, f := range c.free {
			if f >= 2 {
				pairs++
			}
		}
		return n%2 == 0 && n/2 <= pairs
	}
	sum := 0
	for _, f := range c.free {
		sum += f
	}
	return n <= sum
}

// TestAnEmptyClusterStartsWhatFits starts every job, sequential or parallel, for which there is room when
// its turn comes, a parallel one with as many slots as there are, and no other.
func TestAnEmptyClusterStartsWhatFits(t *testing.T) {
	rules := []string{"$fill_up", "$round_robin", "$pe_slots", "2"}
	rapid.Check(t, func(t *rapid.T) {
		hosts, slots := rapid.IntRange(1, 4).Draw(t, "hosts"), rapid.IntRange(1, 4).Draw(t, "slots")
		l := newLab(hosts, slots).consumable("license", "12", model.ConsumeYes)
		l.Policy.MaxReservation = 0
		l.Policy.QueueSort = rapid.SampledFrom([]string{"load", "seqno"}).Draw(t, "sort")
		c := &idle{licences: 12, pes: map[string]int{"": 1}}
		for range hosts {
			c.free = append(c.free, slots)
		}
		for i, rule := range rules {
			name := fmt.Sprintf("pe%d", i)
			l.pe(name, rule, rapid.IntRange(1, 9).Draw(t, "PE slots"))
			c.pes[rule] = l.PEs[i].Slots
			for k := range l.Instances {
				l.Instances[k].PEs = append(l.Instances[k].PEs, name)
			}
		}
		type shape struct {
			least, greatest, licences int
			rule                      string
		}
		want := map[uint32]shape{}
		for n := range rapid.IntRange(0, 12).Draw(t, "jobs") {
			s := shape{1, 1, rapid.IntRange(0, 4).Draw(t, "license"), ""}
			options := fmt.Sprintf("-l h_rt=%d,license=%d", 100+n, s.licences) // each of a category of its own
			if i := rapid.IntRange(-1, len(rules)-1).Draw(t, "rule"); i >= 0 {
				s.rule, s.least = rules[i], rapid.IntRange(1, 6).Draw(t, "slots")
				s.greatest = s.least + rapid.IntRange(0, 3).Draw(t, "more")
				options += fmt.Sprintf(" -pe pe%d %d-%d", i, s.least, s.greatest)
			}
			want[l.submit(options).Number] = s
		}
		for _, d := range l.plan(fixed).Decisions {
			s, got := want[d.Job], 0
			fits := c.most(s.least, s.greatest, s.licences, s.rule)
			for _, g := range d.Slots {
				got += g.Slots
				c.free[g.Instance[len("all.q@")]-'a'] -= g.Slots
			}
			if got != fits {
				t.Fatalf("job %d of %+v gets %d slots, want %d; left %+v", d.Job, s, got, fits, c)
			}
			c.licences -= got * s.licences
			if s.rule != "" {
				c.pes[s.rule] -= got
			}
		}
	})
}
