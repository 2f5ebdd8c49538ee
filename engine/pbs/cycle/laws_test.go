package cycle_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// drawComplex is a small complex with running and waiting jobs of all kinds.
func drawComplex(t *rapid.T) complex {
	c := complex{at: noon, vnodes: rapid.IntRange(1, 5).Draw(t, "vnodes"),
		ncpus: rapid.IntRange(1, 8).Draw(t, "ncpus"), mem: 16}
	c.sched = drawPolicy(t)
	for i := range c.vnodes {
		if rapid.Bool().Draw(t, "occupied") {
			n := rapid.IntRange(1, c.ncpus).Draw(t, "used")
			c.jobs = append(c.jobs, request{
				user: "alice", ncpus: n, walltime: rapid.IntRange(100, 5000).Draw(t, "length"),
				started: time.Duration(rapid.IntRange(1, 99).Draw(t, "since")) * time.Second,
				vnode:   fmt.Sprintf("(n%04d:ncpus=%d)", i, n),
			})
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "waiting") {
		c.jobs = append(c.jobs, drawRequest(t))
	}
	return c
}

func drawPolicy(t *rapid.T) func(*model.SchedConfig) {
	p := model.CyclePolicy{
		RoundRobin: rapid.Bool().Draw(t, "round_robin"), ByQueue: rapid.Bool().Draw(t, "by_queue"),
		StrictOrdering: rapid.Bool().Draw(t, "strict_ordering"),
		FairShare:      rapid.Bool().Draw(t, "fair_share"), Preemptive: rapid.Bool().Draw(t, "preemptive_sched"),
		RoundRobinDist: rapid.Bool().Draw(t, "dist"),
		Backfill:       true,
	}
	byUse := rapid.SampledFrom([]string{"", "total", "unused", "assigned"}).Draw(t, "node_sort_key")
	if byUse != "" {
		p.NodeSortKeys = []model.SortKey{{Resource: "ncpus", By: byUse, Descending: rapid.Bool().Draw(t, "HIGH")}}
	}
	if rapid.Bool().Draw(t, "job_sort_key") {
		p.JobSortKeys = []model.SortKey{{Resource: "ncpus", Descending: true}, {Resource: "job_priority"}}
	}
	return func(c *model.SchedConfig) {
		c.Prime, c.SortNodesByUse = p, byUse == "unused" || byUse == "assigned"
	}
}

func drawRequest(t *rapid.T) request {
	return request{
		user:     rapid.SampledFrom([]string{"alice", "bob", "carol"}).Draw(t, "user"),
		queue:    rapid.SampledFrom([]string{"workq", "fast", "express"}).Draw(t, "queue"),
		priority: rapid.IntRange(-9, 9).Draw(t, "priority"), chunks: rapid.IntRange(1, 4).Draw(t, "chunks"),
		ncpus: rapid.IntRange(1, 6).Draw(t, "ncpus"),
		mem:   rapid.IntRange(0, 9).Draw(t, "mem"),
		place: rapid.SampledFrom([]string{"free", "pack", "scatter", "excl", "pack:excl", "scatter:excl",
			"vscatter", "exclhost", "free:shared"}).Draw(t, "place"),
		walltime: rapid.SampledFrom([]int{0, 60, 600, 3600}).Draw(t, "walltime"),
	}
}

// used adds up what running and planned jobs have of each vnode at a moment.
func used(s *model.Snapshot, p *model.Plan, at time.Time) map[string]map[string]float64 {
	sums, stopped := map[string]map[string]float64{}, map[uint32]bool{}
	for _, v := range p.Preempted {
		stopped[v.Job] = true
	}
	for _, j := range s.Jobs {
		if j.PBS.State == "R" && !stopped[j.Number] {
			if r := j.Hard[len(j.Hard)-1]; !at.Before(j.PBS.Started.Add(time.Duration(r.Amount) * time.Second)) {
				continue
			}
			addAll(sums, j.PBS.ExecVnode)
		}
	}
	for _, d := range p.Decisions {
		again := stopped[d.Job] && d.Verdict == model.Now // it was started, and stopped in the same cycle
		if d.Verdict != model.Never && !again && !at.Before(d.Start) && at.Before(d.Start.Add(d.Duration)) {
			addAll(sums, d.Placed)
		}
	}
	return sums
}

func TestNoVnodeIsOversubscribed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawComplex(t)
		for i := range c.jobs {
			if strings.Contains(c.jobs[i].place, "excl") {
				c.jobs[i].mem = 0 // else the real scheduler does it (P41)
			}
		}
		s := c.snapshot()
		p := cycle.Run(s, cycle.Options{At: c.at})
		moments := []time.Time{c.at}
		for _, d := range p.Decisions {
			if d.Verdict == model.Later {
				moments = append(moments, d.Start)
			}
		}
		for _, at := range moments {
			for vnode, sums := range used(s, p, at) {
				if sums["ncpus"] > float64(c.ncpus) || sums["mem"] > float64(c.mem)*(1<<20) {
					t.Fatalf("%s has %v of %d ncpus and %d GB at %v", vnode, sums, c.ncpus, c.mem, at)
				}
			}
		}
	})
}

func TestJobsThatStartGetWhatTheyAskFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawComplex(t)
		for _, d := range cycle.Run(c.snapshot(), cycle.Options{At: c.at}).Decisions {
			if d.Verdict == model.Never || c.jobs[d.Job-1].vnode != "" {
				continue // waits, or was preempted and is to be resumed
			}
			r, sums, total := c.jobs[d.Job-1], map[string]map[string]float64{}, 0.0
			vnodes := addAll(sums, d.Placed)
			for _, s := range sums {
				total += s["ncpus"]
			}
			if total != float64(r.chunks*r.ncpus) {
				t.Fatalf("job %d asks for %d times %d ncpus and gets %s", d.Job, r.chunks, r.ncpus, d.Placed)
			}
			if chunks := strings.Count(d.Placed, "("); d.Verdict == model.Now && chunks != r.chunks {
				t.Fatalf("job %d asks for %d chunks and gets %s", d.Job, r.chunks, d.Placed)
			}
			if strings.HasPrefix(r.place, "pack") && len(vnodes) > 1 || strings.Contains(r.place, "scatter") &&
				len(vnodes) != r.chunks {
				t.Fatalf("job %d wants %s and gets %s", d.Job, r.place, d.Placed)
			}
		}
	})
}

func TestExclusiveJobsAreAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawComplex(t)
		s := c.snapshot()
		p, on := cycle.Run(s, cycle.Options{At: c.at}), map[string][]uint32{}
		sums := map[string]map[string]float64{}
		for _, j := range s.Jobs {
			if j.PBS.State == "R" && !slices.ContainsFunc(p.Preempted, func(v model.Preemption) bool {
				return v.Job == j.Number
			}) {
				for _, v := range addAll(sums, j.PBS.ExecVnode) {
					on[v] = append(on[v], j.Number)
				}
			}
		}
		var alone []model.Decision
		for _, d := range p.Decisions {
			if d.Verdict == model.Now && !slices.ContainsFunc(p.Preempted, func(v model.Preemption) bool {
				return v.Job == d.Job
			}) {
				for _, v := range addAll(sums, d.Placed) {
					on[v] = append(on[v], d.Job)
				}
				if strings.Contains(c.jobs[d.Job-1].place, "excl") {
					alone = append(alone, d)
				}
			}
		}
		for _, d := range alone {
			for _, v := range addAll(sums, d.Placed) {
				if len(on[v]) > 1 {
					t.Fatalf("job %d wants %s for itself, where %v are", d.Job, v, on[v])
				}
			}
		}
	})
}

func TestEqualInputGivesAnEqualPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawComplex(t)
		s := c.snapshot()
		first := cycle.Run(s, cycle.Options{At: c.at})
		if again := cycle.Run(s, cycle.Options{At: c.at}); !reflect.DeepEqual(first, again) {
			t.Fatalf("two plans of one snapshot differ:\n%+v\n%+v", first, again)
		}
		if !reflect.DeepEqual(s, c.snapshot()) {
			t.Fatal("the snapshot was changed")
		}
	})
}

func TestEveryWaitingJobHasADecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawComplex(t)
		s := c.snapshot()
		decided, p := map[uint32]int{}, cycle.Run(s, cycle.Options{At: c.at})
		for _, v := range p.Preempted {
			decided[v.Job]-- // it can be considered again
		}
		for _, d := range p.Decisions {
			if decided[d.Job]++; d.Verdict != model.Now && len(d.Why) == 0 {
				t.Fatalf("job %d waits without a reason", d.Job)
			}
		}
		for _, j := range s.Jobs {
			if n := decided[j.Number]; j.PBS.State == "Q" && n != 1 && n != 0 {
				t.Fatalf("job %d has %d decisions", j.Number, decided[j.Number])
			}
		}
	})
}
