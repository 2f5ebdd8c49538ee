package cycle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// plan plans a made-up complex.
func (c complex) plan(change ...func(*model.Snapshot)) *model.Plan {
	s := c.snapshot()
	for _, f := range change {
		f(s)
	}
	return cycle.Run(s, cycle.Options{At: c.at})
}

// tried are the jobs in the order in which a plan considers them.
func tried(p *model.Plan) (jobs []uint32) {
	for _, d := range p.Decisions {
		if d.Tried {
			jobs = append(jobs, d.Job)
		}
	}
	return jobs
}

// decision is what a plan says of a job.
func decision(t *testing.T, p *model.Plan, job uint32) model.Decision {
	t.Helper()
	i := slices.IndexFunc(p.Decisions, func(d model.Decision) bool { return d.Job == job })
	if i < 0 {
		t.Fatalf("no decision about job %d", job)
	}
	return p.Decisions[i]
}

func prime(f func(*model.CyclePolicy)) func(*model.SchedConfig) {
	return func(c *model.SchedConfig) { f(&c.Prime) }
}

// P12
func TestAnExpressQueueIsAboveAnyFormula(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8,
		jobs: []request{{priority: 1000}, {priority: -5, queue: "express"}}}
	formula := func(s *model.Snapshot) { s.PBS.Formula = "job_priority" }
	if got := tried(c.plan(formula)); !slices.Equal(got, []uint32{1, 2}) {
		t.Errorf("without preemptive_sched: %v", got)
	}
	c.sched = prime(func(p *model.CyclePolicy) { p.Preemptive = true })
	if got := tried(c.plan(formula)); !slices.Equal(got, []uint32{2, 1}) {
		t.Errorf("with preemptive_sched: %v", got)
	}
}

// P13
func TestRoundRobinBeatsByQueue(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{}, {}, {queue: "fast"}, {queue: "fast"}}}
	c.sched = prime(func(p *model.CyclePolicy) { p.ByQueue = true })
	if got := tried(c.plan()); !slices.Equal(got, []uint32{3, 4, 1, 2}) {
		t.Errorf("by_queue: %v", got)
	}
	equal := func(s *model.Snapshot) { s.Queues[1].PBS.Priority = 0 }
	c.sched = prime(func(p *model.CyclePolicy) { p.ByQueue, p.RoundRobin = true, true })
	if got := tried(c.plan(equal)); !slices.Equal(got, []uint32{1, 3, 2, 4}) {
		t.Errorf("with round_robin: %v", got)
	}
}

// P14
func TestFuzzDelaysEstimates(t *testing.T) {
	c := complex{at: noon, vnodes: 2, ncpus: 4, mem: 8, sched: prime(func(p *model.CyclePolicy) {
		p.StrictOrdering = true
	}), jobs: []request{
		{ncpus: 4, walltime: 1000, vnode: "(n0000:ncpus=4)"},
		{ncpus: 4, walltime: 2000, vnode: "(n0001:ncpus=4)"}, {ncpus: 4, walltime: 100},
	}}
	for fuzzy, after := range map[string]time.Duration{"off": 1000 * time.Second, "": 1000 * time.Second,
		"high": 2000 * time.Second} {
		p := c.plan(func(s *model.Snapshot) { s.PBS.Schedulers[0].Fuzzy = fuzzy })
		if d := decision(t, p, 3); d.Verdict != model.Later || d.Start != noon.Add(after) {
			t.Errorf("opt_backfill_fuzzy %q: %s at %v", fuzzy, d.Verdict, d.Start)
		}
	}
}

// P15
func TestBackfillDepthWithoutStrictOrderingDoesNothing(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8,
		jobs: []request{{ncpus: 4, walltime: 100, vnode: "(n0000:ncpus=4)"}, {ncpus: 4, walltime: 100}}}
	depth := func(s *model.Snapshot) { s.PBS.Server.BackfillDepth = model.Count{Set: true, N: 5} }
	if d := decision(t, c.plan(depth), 2); d.Verdict != model.Never {
		t.Errorf("without strict_ordering: %s", d.Verdict)
	}
	c.sched = prime(func(p *model.CyclePolicy) { p.StrictOrdering = true })
	if d := decision(t, c.plan(depth), 2); d.Verdict != model.Later {
		t.Errorf("with strict_ordering: %s", d.Verdict)
	}
}

// P17
func TestAPackedJobThatNoHostHoldsTakesNoQuotaAndIsNotCalledImpossible(t *testing.T) {
	c := complex{at: noon, vnodes: 2, ncpus: 4, mem: 8, sched: prime(func(p *model.CyclePolicy) {
		p.StrictOrdering = true
	}), jobs: []request{
		{ncpus: 4, walltime: 100, vnode: "(n0000:ncpus=4)"}, {chunks: 2, ncpus: 3, place: "pack", walltime: 100},
		{chunks: 2, ncpus: 4, walltime: 100},
	}}
	p := c.plan()
	if d := decision(t, p, 2); d.Verdict != model.Never || d.Why[0].Never {
		t.Errorf("the packed job: %s %+v", d.Verdict, d.Why)
	}
	if d := decision(t, p, 3); d.Verdict != model.Later {
		t.Errorf("the job after it: %s", d.Verdict)
	}
	if len(p.Notes) != 1 {
		t.Errorf("notes: %q", p.Notes)
	}
}

// P18
func TestQrunPreempts(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, sched: prime(func(p *model.CyclePolicy) {
		p.Preemptive = true
	}), jobs: []request{
		{ncpus: 4, walltime: 1000, vnode: "(n0000:ncpus=4)", started: time.Minute}, {ncpus: 4, walltime: 100, user: "bob"},
	}}
	if p := c.plan(); decision(t, p, 2).Verdict != model.Never || len(p.Preempted) > 0 {
		t.Errorf("without qrun: %+v", p)
	}
	p := cycle.Run(c.snapshot(), cycle.Options{At: noon, Qrun: "2.srv"})
	want := []model.Preemption{{Job: 1, For: "2.srv", Method: "suspension"}}
	if decision(t, p, 2).Verdict != model.Now || !slices.EqualFunc(p.Preempted, want,
		func(a, b model.Preemption) bool { return a.Job == b.Job && a.For == b.For && a.Method == b.Method }) {
		t.Errorf("with qrun: %+v", p)
	}
}

// twoStates are holidays with primetime from 8 to 18 o'clock.
var twoStates = func() model.Holidays {
	h := model.Holidays{Year: 2026}
	for range 7 {
		h.Days = append(h.Days, model.PrimeDay{Prime: model.DayStart{At: 8 * time.Hour},
			NonPrime: model.DayStart{At: 18 * time.Hour}})
	}
	return h
}()

// P24
func TestAHolidayIsNonPrimetimeAllDay(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{queue: "p_day"}, {queue: "np_night"}}}
	for name, dates := range map[string][]int{"a working day": nil, "a holiday": {noon.YearDay()}} {
		p := c.plan(func(s *model.Snapshot) {
			s.Queues[0].Name, s.Queues[1].Name = "p_day", "np_night"
			s.PBS.Holidays = twoStates
			s.PBS.Holidays.Dates = dates
		})
		day, night := decision(t, p, 1).Verdict == model.Now, decision(t, p, 2).Verdict == model.Now
		if day != (dates == nil) || night == day {
			t.Errorf("%s: the day's job starts %v, the night's %v", name, day, night)
		}
	}
}

// P25
func TestPrimeSpillIsCrosswise(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{walltime: 6*3600 + 1800}}}
	for name, want := range map[string]model.Verdict{"prime": model.Never, "non_prime": model.Now} {
		c.sched = func(s *model.SchedConfig) {
			s.Prime.BackfillPrime = true
			if name == "prime" {
				s.PrimeSpill = time.Hour
			} else {
				s.NonPrimeSpill = time.Hour
			}
		}
		p := c.plan(func(s *model.Snapshot) { s.PBS.Holidays = twoStates })
		if d := decision(t, p, 1); d.Verdict != want {
			t.Errorf("with prime_spill for %s a job that spills over from primetime: %s %+v", name, d.Verdict, d.Why)
		}
	}
}

// P26
func TestAnAbsentPrefixMatchesEveryQueue(t *testing.T) {
	c := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{}}, sched: func(s *model.SchedConfig) {
		s.DedicatedPrefix = ""
	}}
	if d := decision(t, c.plan(), 1); d.Verdict != model.Never || d.Why[0].Text != "Dedicated Time" {
		t.Errorf("without dedicated_prefix: %s %+v", d.Verdict, d.Why)
	}
}

// P41
func TestTheLastAmountOfAChunkDecidesHowManyPiecesFit(t *testing.T) {
	place := func(sel, place string) string {
		c := complex{at: noon, vnodes: 3, ncpus: 4, mem: 8,
			jobs: []request{{chunks: 3, ncpus: 3, place: place, walltime: 100}}}
		d := decision(t, c.plan(func(s *model.Snapshot) { s.Jobs[0].PBS.SchedSelect = sel }), 1)
		if d.Verdict != model.Now {
			return string(d.Verdict)
		}
		return d.Placed
	}
	const one = "(n0000:ncpus=3:mem=102400kb)+(n0000:ncpus=3:mem=102400kb)+(n0000:ncpus=3:mem=102400kb)"
	const three = "(n0000:mem=102400kb:ncpus=3)+(n0001:mem=102400kb:ncpus=3)+(n0002:mem=102400kb:ncpus=3)"
	for _, x := range []struct{ sel, place, want string }{
		{"3:ncpus=3:mem=100mb", "excl", one},
		{"3:mem=100mb:ncpus=3", "excl", three},
		{"3:ncpus=3:mem=0", "excl", string(model.Never)},
		{"3:mem=100mb:ncpus=3", "free", three},
	} {
		if got := place(x.sel, x.place); got != x.want {
			t.Errorf("select=%s, place=%s: %s, want %s", x.sel, x.place, got, x.want)
		}
	}
	if got := place("3:ncpus=3:mem=100mb", "free"); strings.Count(got, "n0000") != 1 {
		t.Errorf("piece by piece: %s", got)
	}
}

// A job of several chunks that is packed is estimated, and preempts, where no host has several vnodes:
// copies of the world find hosts too.
func TestAPackedJobOfSeveralChunksStartsWhenAHostIsFree(t *testing.T) {
	c := complex{at: noon, vnodes: 2, ncpus: 4, mem: 8, sched: prime(func(p *model.CyclePolicy) {
		p.StrictOrdering = true
	}), jobs: []request{
		{ncpus: 4, walltime: 100, vnode: "(n0000:ncpus=4)"}, {ncpus: 4, walltime: 200, vnode: "(n0001:ncpus=4)"},
		{chunks: 2, ncpus: 2, place: "pack", walltime: 100},
	}}
	if d := decision(t, c.plan(), 3); d.Verdict != model.Later || d.Start != noon.Add(100*time.Second) {
		t.Errorf("%s at %v", d.Verdict, d.Start)
	}
	c.sched = prime(func(p *model.CyclePolicy) { p.Preemptive = true })
	c.jobs[2].queue = "express"
	if p := c.plan(); len(p.Preempted) != 1 || decision(t, p, 3).Verdict != model.Now {
		t.Errorf("preempted: %+v", p.Preempted)
	}
}
