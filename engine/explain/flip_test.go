package explain_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/compat"
	"qprism/engine/explain"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/fairshare"
)

// A judge says which of two jobs comes first after a flip's change by an amount, by recomputing everything from the snapshot.
type judge struct {
	s              *model.Snapshot
	next           time.Time
	passer, passed *model.Job
	assumed        split.Assumed // of the order in which the scheduler holds jobs that were altered
}

func newJudge(s *model.Snapshot, c *explain.Comparison) *judge {
	j := &judge{s: s, next: c.Next, passer: c.Passer.Job, passed: c.A.Job}
	if c.Passer == c.A {
		j.passed = c.B.Job
	}
	return j
}

// judgeOf knows of jobs that were altered what the audit infers.
func judgeOf(s *model.Snapshot, c *explain.Comparison) *judge {
	j := newJudge(s, c)
	if s.PBS == nil {
		_, quirks := compat.For(s.Release)
		v, _ := lastrun.Look(s, lastrun.Options{Quirks: quirks})
		j.assumed = split.Assumed{Order: v.Assumed().Order}
	}
	return j
}

// first reports whether both wait and the passer comes first, and whether both wait.
func (j *judge) first(f *explain.Flip, amount int64) (first, both bool) {
	s, at := *j.s, j.next
	s.Jobs, s.Users, s.Projects, s.Usersets = slices.Clone(s.Jobs), slices.Clone(s.Users), slices.Clone(s.Projects), slices.Clone(s.Usersets)
	var starting []string
	switch f.Kind {
	case explain.ByTime:
		at = at.Add(time.Duration(amount) * time.Second)
	case explain.ByPriority:
		j.job(&s).PosixPriority = int(amount)
	case explain.ByTickets:
		j.job(&s).OverrideTickets = uint32(amount)
	case explain.ByWaiting:
		job := j.job(&s)
		job.Submitted = job.Submitted.Add(-time.Duration(amount) * time.Second)
	case explain.ByEligible:
		job := j.job(&s)
		p := *job.PBS
		p.EligibleTime += time.Duration(amount) * time.Second
		job.PBS = &p
	case explain.ByStarts:
		starting = f.Starts[:amount]
	case explain.ByFShare:
		for i := range s.Users {
			if s.Users[i].Name == j.passer.Owner {
				s.Users[i].FunctionalShares = uint32(amount)
			}
		}
	case explain.ByPShare:
		for i := range s.Projects {
			if s.Projects[i].Name == j.passer.Project {
				s.Projects[i].FunctionalShares = uint32(amount)
			}
		}
	case explain.ByDShare:
		for i := range s.Usersets {
			if s.Usersets[i].Name == j.passer.Department {
				s.Usersets[i].FunctionalShares = uint32(amount)
			}
		}
	case explain.ByQueue:
		s.Queues = slices.Clone(s.Queues)
		for i := range s.Queues {
			if s.Queues[i].Name == j.passer.PBS.Queue {
				q := *s.Queues[i].PBS
				q.Priority = int(amount)
				s.Queues[i].PBS = &q
			}
		}
	case explain.ByUsed, explain.ByGroup:
		j.share(&s, f.Kind, amount)
	}
	if s.PBS != nil {
		return j.inLineup(&s, at, starting)
	}
	for _, id := range starting {
		startOne(&s, id, at)
	}
	return j.inRun(&s, at)
}

func (j *judge) job(s *model.Snapshot) *model.Job {
	i := slices.IndexFunc(s.Jobs, func(o model.Job) bool {
		return o.Number == j.passer.Number && (o.PBS == nil || o.PBS.ID == j.passer.PBS.ID)
	})
	return &s.Jobs[i]
}

func (j *judge) share(s *model.Snapshot, kind explain.Kind, amount int64) {
	p := *s.PBS
	s.PBS = &p
	if kind == explain.ByGroup {
		name := fairshare.EntityOf(p.Fairshare.Policy, j.passer)
		p.Fairshare.Groups = slices.Clone(p.Fairshare.Groups)
		for i := range p.Fairshare.Groups {
			if p.Fairshare.Groups[i].Name == name {
				p.Fairshare.Groups[i].Shares = int32(amount)
			}
		}
		return
	}
	name := fairshare.EntityOf(p.Fairshare.Policy, j.passed)
	p.Fairshare.Usage.Records = append([]model.EntityUsage{}, p.Fairshare.Usage.Records...)
	for i := range p.Fairshare.Usage.Records {
		if r := &p.Fairshare.Usage.Records[i]; r.Name == name {
			r.Usage += float64(amount)
			return
		}
	}
	p.Fairshare.Usage.Records = append(p.Fairshare.Usage.Records, model.EntityUsage{Name: name, Usage: 1 + float64(amount)})
}

// startOne makes a waiting job, or a task of an array, one that started a second before.
func startOne(s *model.Snapshot, id string, at time.Time) {
	var number, task uint32 = 0, 1
	if n, _ := fmt.Sscanf(id, "%d.%d", &number, &task); n < 1 {
		panic(id)
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.Number != number {
			continue
		}
		var tasks []model.Task
		for _, t := range j.Tasks {
			waits := t.Started.IsZero()
			var rest []model.Range
			for _, r := range t.IDs {
				for n := range r.All() {
					if !waits || n != task {
						rest = append(rest, model.Range{Min: n, Max: n, Step: 1})
					}
				}
			}
			if !waits || len(rest) > 0 {
				if waits {
					t.IDs = rest
				}
				tasks = append(tasks, t)
			}
		}
		j.Tasks = append(tasks, model.Task{IDs: []model.Range{{Min: task, Max: task, Step: 1}}, State: "r", Enrolled: true,
			Started: at.Add(-time.Second), Slots: 1})
	}
}

func (j *judge) inRun(s *model.Snapshot, at time.Time) (first, both bool) {
	_, quirks := compat.For(s.Release)
	v := lastrun.Recompute(s, at, quirks, j.assumed)
	a, b := -1, -1
	for i, p := range v.Result.Pending {
		switch p.Job.Number {
		case j.passer.Number:
			a = i
		case j.passed.Number:
			b = i
		}
	}
	both = a >= 0 && b >= 0
	return both && a < b, both
}

func (j *judge) inLineup(s *model.Snapshot, at time.Time, starting []string) (first, both bool) {
	l := cycle.LineUp(s, at, starting...)
	a, b := l.Find(j.passer.PBS.ID), l.Find(j.passed.PBS.ID)
	if a == nil || b == nil {
		return false, false
	}
	both = a.Place > 0 && b.Place > 0
	return both && a.Place < b.Place, both
}

// checkFlips recomputes just before and just after each flip point, and says how many there are of each kind.
func checkFlips(t interface{ Errorf(string, ...any) }, where string, j *judge, c *explain.Comparison, counts map[explain.Kind]int) {
	for i := range c.Flips {
		f := &c.Flips[i]
		counts[f.Kind]++
		before, _ := j.first(f, f.Amount-1)
		after, both := j.first(f, f.Amount)
		if before || !after || !both {
			t.Errorf("%s: job %s passes %d by %s %d: just before %v, then %v (%v)", where, c.Passer.ID, j.passed.Number, f.Kind, f.Amount, before,
				after, both)
		}
		if f.Amount <= f.From {
			t.Errorf("%s: %s flips at %d, which is not above %d", where, f.Kind, f.Amount, f.From)
		}
	}
}

// checkNever tries what is said not to change the order: amounts far and near, and times within the horizon.
func checkNever(t interface{ Errorf(string, ...any) }, where string, j *judge, c *explain.Comparison) int {
	most, tried := int64(1024), 0
	if j.s.PBS != nil {
		most = 1023
	}
	for _, o := range c.Never {
		var amounts []int64
		switch o.Kind {
		case explain.ByTime:
			amounts = []int64{1, 600, 3600, 86400, 20 * 86400, 30 * 86400}
		case explain.ByPriority:
			amounts = []int64{int64(j.passer.PosixPriority) + 1, most}
		case explain.ByTickets:
			amounts = []int64{1, 1000, 1_000_000, 1 << 31}
		case explain.ByWaiting, explain.ByEligible:
			amounts = []int64{1, 3600, 86400, 365 * 86400}
		}
		for _, amount := range amounts {
			tried++
			if first, _ := j.first(&explain.Flip{Change: explain.Change{Kind: o.Kind}}, amount); first && amount > 0 {
				t.Errorf("%s: job %s passes %d by %s %d, which is said not to be (%s)", where, c.Passer.ID, j.passed.Number, o.Kind, amount, o.Why)
			}
		}
	}
	return tried
}

// TestFlipPointsOfRecordingsAreExact compares jobs that are next to each other, and the first with the last.
func TestFlipPointsOfRecordingsAreExact(t *testing.T) {
	pairs, nothing, counts := 0, 0, map[explain.Kind]int{}
	recordings(t, func(name string, s *model.Snapshot) {
		sc, err := sceneOf(s)
		if err != nil {
			return
		}
		waiting := waitingOf(sc, s)
		for i := 1; i < len(waiting); i += 1 + len(waiting)/4 {
			for _, with := range []string{waiting[i-1], waiting[0]} {
				if with == waiting[i] {
					continue
				}
				c, err := sc.Compare(with, waiting[i])
				if err != nil {
					t.Fatalf("%s: %s, %s: %v", name, with, waiting[i], err)
				}
				if pairs++; c.Passer != nil {
					j := judgeOf(s, c)
					checkFlips(t, name, j, c, counts)
					nothing += checkNever(t, name, j, c)
				}
			}
		}
	})
	t.Logf("%d pairs, flips: %v; %d changes that were said to change nothing", pairs, counts, nothing)
	if pairs < 200 || len(counts) < 6 {
		t.Errorf("only %d pairs and %v", pairs, counts)
	}
}

// waitingOf are the ids of the jobs that wait, in their order.
func waitingOf(sc explain.Scene, s *model.Snapshot) []string {
	type place struct {
		id string
		at int
	}
	var list []place
	for _, id := range ids(s) {
		if e, err := sc.Explain(id); err == nil && e.Place > 0 {
			list = append(list, place{id, e.Place})
		}
	}
	slices.SortFunc(list, func(a, b place) int { return a.at - b.at })
	var waiting []string
	for _, p := range list {
		waiting = append(waiting, p.id)
	}
	return waiting
}

// pairsEach is how many pairs are drawn of each random snapshot: with rapid's 100 snapshots they are a thousand.
const pairsEach = 10

// TestFlipPointsAreExact takes recordings, changes policies, jobs and shares at random, and compares two jobs of them.
func TestFlipPointsAreExact(t *testing.T) {
	type recording struct {
		*model.Snapshot
		at time.Time // of the run
	}
	byRelease := map[string][]recording{}
	recordings(t, func(_ string, s *model.Snapshot) {
		if sc, err := sceneOf(s); err == nil && len(waitingOf(sc, s)) > 2 && len(s.Jobs) < 100 {
			at, _ := sc.Run()
			byRelease[s.Release.String()] = append(byRelease[s.Release.String()], recording{s, at})
		}
	})
	releases := slices.Sorted(maps.Keys(byRelease))
	pairs, counts := map[string]int{}, map[explain.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		if rapid.Bool().Draw(t, "as among many jobs") {
			defer explain.Coarse()()
		}
		list := byRelease[rapid.SampledFrom(releases).Draw(t, "release")]
		r := list[rapid.IntRange(0, len(list)-1).Draw(t, "recording")]
		s := scrambled(t, r.Snapshot)
		sc, err := sceneAt(s, r.at)
		if err != nil {
			t.Skip(err)
		}
		waiting := waitingOf(sc, s)
		if len(waiting) < 2 {
			t.Skip("none wait")
		}
		for range pairsEach {
			a := rapid.IntRange(0, len(waiting)-2).Draw(t, "a")
			b := rapid.IntRange(a+1, len(waiting)-1).Draw(t, "b")
			c, err := sc.Compare(waiting[a], waiting[b])
			if err != nil {
				t.Fatal(err)
			}
			if pairs[s.Release.String()]++; c.Passer == nil {
				continue
			}
			j := newJudge(s, c)
			checkFlips(t, "random", j, c, counts)
			checkNever(t, "random", j, c)
		}
	})
	t.Logf("pairs by release: %v, flips: %v", pairs, counts)
}

// TestFlipPointsAreExactUnderJCFilter has priorities that sort jobs into kinds, of which JC_FILTER shows a run only some.
func TestFlipPointsAreExactUnderJCFilter(t *testing.T) {
	tried, counts := 0, map[explain.Kind]int{}
	recordings(t, func(name string, s *model.Snapshot) {
		if s.PBS != nil || !split.Filtered(&s.Policy) {
			return
		}
		n := *s
		n.Jobs = slices.Clone(s.Jobs)
		n.Policy.WeightPriority, n.Policy.WeightUrgency, n.Policy.WeightTicket = 1, 0, 0
		for i := 0; i < len(n.Jobs); i += 3 {
			n.Jobs[i].PosixPriority = -1 - i%5
		}
		sc, err := sceneOf(&n)
		if err != nil {
			return
		}
		waiting := waitingOf(sc, &n)
		for i := 1; i < len(waiting); i++ {
			c, err := sc.Compare(waiting[i-1], waiting[i])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if c.Passer != nil {
				tried++
				checkFlips(t, name, newJudge(&n, c), c, counts)
			}
		}
	})
	if tried < 20 || counts[explain.ByPriority] == 0 {
		t.Errorf("only %d pairs, %v", tried, counts)
	}
}

// scrambled changes numbers of a recording that order jobs.
func scrambled(t *rapid.T, from *model.Snapshot) *model.Snapshot {
	s := *from
	s.Jobs, s.Users = slices.Clone(s.Jobs), slices.Clone(s.Users)
	weight := rapid.SampledFrom([]float64{0, 0.01, 0.1, 1, 10})
	p := &s.Policy
	p.WeightPriority, p.WeightUrgency, p.WeightTicket = weight.Draw(t, "priority"), weight.Draw(t, "urgency"), weight.Draw(t, "ticket")
	p.WeightWaitingTime = weight.Draw(t, "waiting")
	p.WeightDeadline = rapid.SampledFrom([]float64{0, 1000, 3.6e6}).Draw(t, "deadline")
	p.FunctionalTickets = rapid.SampledFrom([]uint32{0, 1000, 1_000_000}).Draw(t, "functional")
	p.ShareTreeTickets = rapid.SampledFrom([]uint32{0, 1000, 1_000_000}).Draw(t, "tree")
	p.HalfTime = rapid.SampledFrom([]time.Duration{0, time.Hour, 168 * time.Hour}).Draw(t, "halftime")
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if rapid.Bool().Draw(t, "changed") {
			j.PosixPriority = rapid.IntRange(-100, 100).Draw(t, "-p")
			j.Submitted = j.Submitted.Add(-time.Duration(rapid.IntRange(0, 100_000).Draw(t, "waited")) * time.Second)
		}
		if j.PBS == nil && rapid.IntRange(0, 9).Draw(t, "has deadline") == 0 {
			j.Deadline = s.TakenAt.Add(time.Duration(rapid.IntRange(1, 100_000).Draw(t, "in")) * time.Second)
		}
	}
	for i := range s.Users {
		s.Users[i].FunctionalShares = rapid.SampledFrom([]uint32{0, 1, 100, 250}).Draw(t, "fshare")
	}
	if s.PBS != nil {
		scramblePBS(t, &s)
	}
	return &s
}

func scramblePBS(t *rapid.T, s *model.Snapshot) {
	p := *s.PBS
	s.PBS = &p
	p.Formula = rapid.SampledFrom([]string{"", "job_priority*10+eligible_time/60", "ncpus*job_priority+fairshare_factor",
		"eligible_time*0.001*ncpus-walltime"}).Draw(t, "formula")
	p.SchedConfig.Prime.FairShare = rapid.Bool().Draw(t, "fair_share")
	p.SchedConfig.NonPrime.FairShare = p.SchedConfig.Prime.FairShare
	p.Fairshare.Policy.DecayTime = rapid.SampledFrom([]time.Duration{time.Hour, 24 * time.Hour}).Draw(t, "decay")
	records := slices.Clone(p.Fairshare.Usage.Records)
	for i := range records {
		records[i].Usage = float64(rapid.IntRange(1, 1_000_000).Draw(t, "usage"))
	}
	p.Fairshare.Usage.Records = records
}
