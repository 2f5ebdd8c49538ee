package gridengine

import (
	"qprism/engine/forecast"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/whatif"
)

// sameScheduler is what every reader of a forecast has to know.
const sameScheduler = "Both are played by the rules of PBS's scheduler, on its nodes and queues, once in its own order and once in that of Grid Engine's priorities at the " +
	"beginning: the difference is that of the order. Nodes and queues are not translated, so that Grid Engine's own placing is not played."

// Forecast plays a snapshot forward in the order of PBS and in that of Grid Engine.
func (t *Translation) Forecast(s *model.Snapshot, quirks model.Quirks, o forecast.Options) *synthesis.Outcome {
	o.At = s.TakenAt
	var waiting []*model.Job
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && j.PBS.Array == "" && (j.PBS.State == "Q" || j.PBS.State == "B") {
			waiting = append(waiting, j)
		}
	}
	var order []uint32
	for _, j := range t.rank(s, quirks).Pending {
		order = append(order, j.Job.Number)
	}
	then := whatif.GivenPBS(s, order)
	x := synthesis.Compare(s.TakenAt, waiting, processors(s), [2]string{"PBS", "Grid Engine"}, [2]*forecast.Forecast{cycle.Forecast(s, o), cycle.Forecast(then, o)})
	x.Notes = append(x.Notes, sameScheduler)
	return x
}

// processors are those of all nodes.
func processors(s *model.Snapshot) (n int) {
	for i := range s.Hosts {
		if text, ok := model.Text(s.Hosts[i].Capacity, "ncpus"); ok {
			if v, err := model.ParseNumber(text); err == nil && v > 0 {
				n += int(min(v, 1<<30))
			}
		}
	}
	return n
}
