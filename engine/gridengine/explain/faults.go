package explain

import (
	"fmt"

	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/model/quirk"
)

// mostTried is up to how many jobs a run is computed anew without each fault of its release.
const mostTried = 2000

// Faults names the quirks of the release that change a job's priority, and the priority without each of them.
// The numbers are those of model.Quirks.
func (sc *Scene) Faults(id string) (notes []string) {
	_, a, err := sc.actorOf(id)
	if err != nil || a.job == nil || len(sc.result.Running)+len(sc.result.Pending) > mostTried {
		return nil
	}
	for _, q := range quirk.Priority {
		in := sc.view.Input()
		has := q.In(&in.Quirks)
		if !*has {
			continue
		}
		*has = false
		in.Only = []uint32{a.job.Job.Number}
		j := priority.Compute(in).Job(a.job.Job.Number)
		if j == nil {
			continue
		}
		b := actorOf(j, a.task.Number)
		if was, would := explain.Number(a.task.Prio), ""; b != nil {
			if would = explain.Number(b.task.Prio); would != was {
				notes = append(notes, fmt.Sprintf(
					"Undocumented behavior %s of this release affects this job: without this behavior, the job's prio would be %s.", q.ID, would))
			}
		}
	}
	return notes
}
