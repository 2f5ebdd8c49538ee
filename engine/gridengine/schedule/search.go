package schedule

import (
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/parallel"
	"qprism/engine/gridengine/place"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// find says fits where the task can start, and notThen where there is a place to reserve.
func find(a *place.Attempt, start, reserve bool) cluster.Result {
	if a.Job.Checkpoint != "" && !knowsCheckpoint(a.Run.Snapshot, a.Job.Checkpoint) {
		a.Note(model.Reason{Kind: model.ReasonCheckpoint, Asked: a.Job.Checkpoint})
		return cluster.NeverAny
	}
	if start {
		if got := searchFrom(a, utilization.RightNow); got != cluster.NotThen {
			return got
		}
	}
	if !reserve {
		return cluster.NeverAny
	}
	switch got := searchFrom(a, utilization.AtEnd); {
	case got == cluster.Fits && len(a.Grants) > 0:
		return cluster.NotThen
	case got == cluster.NotThen && a.Job.PE != "" && a.Run.Quirks.EmptyReservation: // D69
		a.Grants, a.Slots = nil, 0
		return cluster.NotThen
	}
	return cluster.NeverAny
}

func searchFrom(a *place.Attempt, start seconds) cluster.Result {
	a.Start, a.Reserve = start, start == utilization.AtEnd
	a.NewRound()
	if a.Job.PE != "" {
		return parallel.AssignParallel(a)
	}
	return a.AssignSequential()
}

func knowsCheckpoint(s *model.Snapshot, name string) bool {
	for i := range s.Checkpoints {
		if s.Checkpoints[i].Name == name {
			return true
		}
	}
	return false
}
