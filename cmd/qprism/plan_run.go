package main

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/schedule"
	"qprism/engine/split"
)

// plan plans the run at a moment.
func (s gridEngine) plan(at time.Time) *model.Plan {
	p := schedule.Run(split.Unburied(s.Snapshot, at), schedule.Options{At: at, Quirks: s.look.Quirks})
	mend(s.Snapshot, p.Decisions)
	return p
}

// mend marks shortages of consumables that time mends after all: the run takes what has no end in sight for booked for ever,
// as everything is where max_reservation is 0, but jobs do end.
func mend(s *model.Snapshot, decisions []model.Decision) {
	capacity := capacities(s)
	done := map[*model.Reason]bool{} // reasons are shared between jobs
	for _, d := range decisions {
		if len(d.Why) == 0 || done[&d.Why[0]] {
			continue
		}
		done[&d.Why[0]] = true
		for i := range d.Why {
			r := &d.Why[i]
			total, known := capacity[[3]string{r.Level, r.Object, r.Resource}]
			if asked, err := model.ParseNumber(r.Asked); r.Kind == model.ReasonResource && known && err == nil && asked <= total {
				r.Later = true
			}
		}
	}
}

// capacities are the totals of consumables, by level, place and name.
func capacities(s *model.Snapshot) map[[3]string]float64 {
	consumable := map[string]bool{}
	for i := range s.Resources {
		r := &s.Resources[i]
		consumable[r.Name] = r.Consumable != model.ConsumeNo
	}
	m := map[[3]string]float64{}
	add := func(level, object string, settings []model.Setting) {
		for _, c := range settings {
			if total, err := model.ParseNumber(c.Value); err == nil && consumable[c.Name] {
				m[[3]string{level, object, c.Name}] = total
			}
		}
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		add(map[bool]string{true: "G", false: "H"}[h.Name == model.GlobalHost], h.Name, h.Capacity)
	}
	for i := range s.Instances {
		q := &s.Instances[i]
		add("Q", q.Name, q.Capacity)
		m[[3]string{"Q", q.Name, "slots"}] = float64(q.Slots)
	}
	return m
}

// planner plans one run after the other, as a scheduler that keeps what it remembers from run to run.
func (s gridEngine) planner() forecast.Planner {
	memory, first := &schedule.Memory{}, true
	return func(now *model.Snapshot, at time.Time) *model.Plan {
		if first {
			now, first = split.Unburied(now, at), false
		}
		return schedule.Run(now, schedule.Options{At: at, Quirks: s.look.Quirks, Memory: memory})
	}
}
