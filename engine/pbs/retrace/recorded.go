package retrace

import (
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
)

// Recorded is the recorded cycle as a plan: its starts and top jobs, from the log. The log has no planned
// durations. If no record has the vnodes of a job, they are those of the report's plan. Without a cycle the
// plan is empty.
func (r *Report) Recorded(s *model.Snapshot) *model.Plan {
	if r.Cycle == nil {
		return &model.Plan{}
	}
	p := &model.Plan{RunAt: r.Cycle.Start}
	told := logOf(r.Cycle, s, false)
	planned := map[string]*model.Decision{}
	for i := range r.Plan.Decisions {
		if d := &r.Plan.Decisions[i]; d.Verdict != model.Never {
			planned[d.ID] = d
		}
	}
	for i := range r.Cycle.Events {
		switch e := &r.Cycle.Events[i]; e.Kind {
		case model.EventRun:
			p.Decisions = append(p.Decisions, decided(e, model.Now, r.Cycle.Start, told.facts[key{Vnodes, e.Object}], planned))
		case model.EventTopJob:
			p.Decisions = append(p.Decisions, decided(e, model.Later, e.Start, told.facts[key{TopNodes, e.Object}], planned))
		}
	}
	return p
}

func decided(e *model.CycleEvent, v model.Verdict, start time.Time, vnodes string,
	planned map[string]*model.Decision) model.Decision {
	d := model.Decision{ID: e.Object, Verdict: v, Start: start, Placed: vnodes, Tried: true}
	id, _ := model.ParsePBSID(e.Object)
	if d.Job = id.Number; id.Index > 0 {
		d.Tasks = []model.Range{{Min: id.Index, Max: id.Index, Step: 1}}
	}
	if d.Slots = accounting.Grants(vnodes); vnodes == "" && planned[e.Object] != nil {
		d.Placed, d.Slots = planned[e.Object].Placed, planned[e.Object].Slots
	}
	return d
}
