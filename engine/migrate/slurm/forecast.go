package slurm

import (
	"qprism/engine/forecast"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// sameScheduler is what every reader of a forecast has to know.
const sameScheduler = "The forecast plays both systems by the rules of Grid Engine's scheduler, on its hosts and " +
	"queues. Only the order of jobs differs, so the results show the difference of the priorities. The forecast " +
	"does not include Slurm's own scheduling, above all its backfill."

// Forecast plays the newest snapshot of a history forward: in Grid Engine's order, and in the order of Slurm
// priorities, computed again for each run.
func (t *Translation) Forecast(h synthesis.History, o forecast.Options) *synthesis.Outcome {
	now := h.Present()
	x := now.Play("Slurm", t.Case(now.Snapshot, now.Quirks).Forecast, o)
	x.Notes = append(x.Notes, sameScheduler)
	return x
}

// Case is a snapshot in the order of Slurm priorities.
func (t *Translation) Case(s *model.Snapshot, q model.Quirks) *whatif.Case {
	return &whatif.Case{Snapshot: s, Quirks: q, Variant: t.rank}
}

// rank values the waiting jobs of a run by Slurm's priority.
func (t *Translation) rank(in whatif.Input) map[uint32]float64 {
	g := t.grow(in.Snapshot, in.At, false)
	factors := t.Policy.Fair(g.root, 1)
	values := map[uint32]float64{}
	for _, j := range in.Result.Pending {
		m, _ := t.job(j.Job, g, factors) // one that Slurm refuses keeps its place: the cluster that is played is the old one
		values[j.Job.Number] = float64(t.Policy.Priority(&m, in.At))
	}
	return values
}
