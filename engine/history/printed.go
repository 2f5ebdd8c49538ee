package history

import (
	"cmp"
	"math"
	"slices"

	"qprism/engine/model"
)

// Printed gives the place of waiting jobs by the printed priorities, if no run can be planned: by prio, then
// by number. The causes of waits are then unknown.
func Printed(s *model.Snapshot) []model.Standing {
	type ranked struct {
		model.Standing
		prio float64
	}
	var all []ranked
	for i := range s.Jobs {
		j := &s.Jobs[i]
		r := ranked{model.Standing{Job: j.Number, Cause: model.CauseUnknown}, math.Inf(-1)}
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if !waits(t) {
				continue
			}
			r.Tasks += int64(max(model.CountOf(t.IDs), 1))
			if t.Reported != nil && t.Reported.Prio > r.prio {
				r.prio = t.Reported.Prio
			}
		}
		if r.Tasks > 0 {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.prio, a.prio), cmp.Compare(a.Job, b.Job))
	})
	standings := make([]model.Standing, len(all))
	for i, r := range all {
		standings[i] = r.Standing
		if !math.IsInf(r.prio, -1) {
			standings[i].Rank = i + 1
		}
	}
	slices.SortFunc(standings, func(a, b model.Standing) int { return cmp.Compare(a.Job, b.Job) })
	return standings
}
