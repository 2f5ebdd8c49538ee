package explain

import (
	"qprism/engine/explain"
	"qprism/engine/pbs/criteria"
)

// ahead is the job that comes next before another one in the lineup.
func (sc *Scene) ahead(place int) *explain.Neighbour {
	if place < 2 {
		return nil
	}
	l := sc.lineup
	before, s := &l.Jobs[place-2], &l.Jobs[place-1]
	n := &explain.Neighbour{ID: before.ID, Owner: before.Job.Owner}
	c := criteria.Decides(l.Criteria(), before, s)
	if c == nil {
		return n
	}
	if n.Decided = c.Name; c.Kind == criteria.Formula {
		n.By = float64(before.Formula) - float64(s.Formula)
	}
	return n
}
