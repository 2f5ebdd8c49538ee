package lastrun

import (
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Input is the input of the view's run.
func (v *View) Input() priority.Input {
	return priority.Input{Snapshot: v.Snapshot, Lists: v.Lists, At: v.At, FreeSlots: v.FreeSlots,
		Quirks: v.quirks, UsageBooked: true,
		HalfTimeKept: true}
}

// Sequence has the place of each job in the scheduler's list of jobs. No command prints it, but the tickets
// of altered jobs imply it.
func (v *View) Sequence() map[uint32]int {
	sequence := map[uint32]int{}
	for _, list := range [][]split.Entry{v.Lists.Running, v.Lists.Suspended, v.Lists.Pending, v.Lists.Blocked} {
		for _, e := range list {
			if _, known := sequence[e.Job.Number]; !known {
				sequence[e.Job.Number] = len(sequence)
			}
		}
	}
	return sequence
}

// Assumed is what the view assumes about the scheduler's state.
func (v *View) Assumed() split.Assumed { return v.assumed }

// Left reports whether tasks of a job still wait after the run.
func (v *View) Left(job uint32) bool { return v.places[job].left }

// Unranked reports whether the run started a task of a job and did not rank its next task again.
func (v *View) Unranked(job uint32) bool { return v.unranked[job] != 0 }

// Previous is the moment of the run before; zero if the bundle does not show it.
func (v *View) Previous() time.Time { return v.previous }

// Of recomputes the run for another state of the cluster.
func (v *View) Of(s *model.Snapshot) *View { return Recompute(s, v.At, v.quirks, v.assumed) }
