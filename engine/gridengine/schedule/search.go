package schedule

import (
	"qprism/engine/gridengine/parallel"
	"qprism/engine/gridengine/place"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// find says fits where the task can start, and notThen where there is a place to reserve.
func find(a *place.Attempt, start, reserve bool) resource.Result {
	if a.Job.Checkpoint != "" && !knowsCheckpoint(a.Run.Snapshot, a.Job.Checkpoint) {
		a.Note(model.Reason{Kind: model.ReasonCheckpoint, Asked: a.Job.Checkpoint})
		return resource.NeverAny
	}
	if start {
		if got := searchFrom(a, utilization.RightNow); got != resource.NotThen {
			return got
		}
	}
	if !reserve {
		return resource.NeverAny
	}
	switch got := searchFrom(a, utilization.AtEnd); {
	case got == resource.Fits && len(a.Grants) > 0:
		return resource.NotThen
	case got == resource.NotThen && a.Job.PE != "" && a.Run.Quirks.EmptyReservation: // D69
		a.Grants, a.Slots = nil, 0
		return resource.NotThen
	}
	return resource.NeverAny
}

func searchFrom(a *place.Attempt, start seconds) resource.Result {
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
