package cycle_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// busy is a complex of 1,000 vnodes, mostly occupied, with 50,000 waiting jobs in a few hundred classes.
func busy(sched func(*model.SchedConfig)) *model.Snapshot {
	rng := rand.New(rand.NewSource(1))
	c := complex{at: noon, vnodes: 1000, ncpus: 64, mem: 256, sched: sched}
	for i := range 1000 {
		for range 2 {
			c.jobs = append(c.jobs, request{user: fmt.Sprintf("u%d", rng.Intn(40)), ncpus: 28,
				walltime: 3600 * (1 + rng.Intn(48)),
				vnode:    fmt.Sprintf("(n%04d:ncpus=28:mem=4194304kb)", i), started: 30 * time.Minute})
		}
	}
	for range 50_000 {
		c.jobs = append(c.jobs, request{user: fmt.Sprintf("u%d", rng.Intn(40)), priority: rng.Intn(100),
			chunks: 1 << rng.Intn(5), ncpus: 4 << rng.Intn(4),
			mem: 4 << rng.Intn(3), walltime: 3600 * []int{1, 4, 12, 24}[rng.Intn(4)]})
	}
	return c.snapshot()
}

func benchmarkRun(b *testing.B, sched func(*model.SchedConfig)) {
	s := busy(sched)
	b.ReportAllocs()
	for b.Loop() {
		p := cycle.Run(s, cycle.Options{At: noon})
		starts := 0
		for i := range p.Decisions {
			if p.Decisions[i].Verdict == model.Now {
				starts++
			}
		}
		if len(p.Decisions) < 50_000 || starts == 0 {
			b.Fatalf("%d decisions, %d starts", len(p.Decisions), starts)
		}
		b.ReportMetric(float64(starts), "starts")
	}
}

func BenchmarkRun(b *testing.B) {
	benchmarkRun(b, nil)
}

func BenchmarkRunWithTopJobs(b *testing.B) {
	benchmarkRun(b, func(c *model.SchedConfig) { c.Prime.StrictOrdering = true })
}

func BenchmarkRunWithFairshare(b *testing.B) {
	benchmarkRun(b, func(c *model.SchedConfig) { c.Prime.FairShare = true })
}
