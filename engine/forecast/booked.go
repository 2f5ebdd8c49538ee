package forecast

import (
	"slices"

	"qprism/engine/model"
)

// Booked adds all known bookings to a plan: every queue instance, even idle ones. If the scheduler books
// nothing over time (max_reservation 0), it adds the slots of running and starting tasks, until their limits.
func Booked(s *model.Snapshot, p *model.Plan) *model.Plan {
	full := *p
	full.Utilization = slices.Clone(p.Utilization)
	known := map[string]bool{}
	for _, u := range p.Utilization {
		if u.Level == "Q" && u.Resource == "slots" {
			known[u.Object] = true
		}
	}
	for i := range s.Instances {
		if q := &s.Instances[i]; !known[q.Name] && q.Slots > 0 {
			full.Utilization = append(full.Utilization, model.Utilization{Level: "Q", Object: q.Name,
				Resource: "slots", Total: float64(q.Slots)})
		}
	}
	if len(p.Lines) == 0 {
		full.Lines = NewClock(&s.Policy, 0).SlotLines(s, p)
	}
	return &full
}

// SlotLines are the lines of schedule(5) for the slots of running tasks, by the clock, and of the plan's
// starts and reservations.
func (c Clock) SlotLines(s *model.Snapshot, p *model.Plan) (lines []model.ScheduleLine) {
	instances := instancesOf(s)
	add := func(l model.ScheduleLine, grants []model.Grant) {
		for _, g := range grants {
			l.Level, l.Object, l.Resource, l.Amount = "Q", g.Instance, "slots", float64(g.Slots)
			lines = append(lines, l)
		}
	}
	placed := placedDecisions(p)
	jobs := make(map[uint32]*model.Job, len(placed))
	for _, d := range placed {
		jobs[d.Job] = nil
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if _, isPlaced := jobs[j.Number]; isPlaced {
			jobs[j.Number] = j
		}
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if !t.Started.IsZero() && t.Started.Before(p.RunAt) {
				length := c.LengthAfter(j, granted(instances, t.Granted), p.RunAt.Sub(t.Started))
				add(model.ScheduleLine{Job: j.Number, Task: model.FirstTask(t.IDs), State: "RUNNING",
					Start: t.Started, Duration: length}, spread(t))
			}
		}
	}
	for _, d := range placed {
		j, state, length := jobs[d.Job], "STARTING", d.Duration
		if j == nil {
			continue
		}
		if d.Verdict == model.Later {
			state = "RESERVING"
		}
		if length == model.Forever { // as far as the scheduler knows; a queue may end it
			length = c.Length(j, granted(instances, d.Slots))
		}
		add(model.ScheduleLine{Job: d.Job, Task: model.FirstTask(d.Tasks), State: state, Start: d.Start,
			Duration: length}, d.Slots)
	}
	return lines
}

// placedDecisions are the starts and reservations of a plan.
func placedDecisions(p *model.Plan) (list []*model.Decision) {
	for i := range p.Decisions {
		if d := &p.Decisions[i]; d.Verdict == model.Now || d.Verdict == model.Later {
			list = append(list, d)
		}
	}
	return list
}

// spread are the slots of a running task; where the bundle does not say how they are spread, all are with
// its master task.
func spread(t *model.Task) []model.Grant {
	if len(t.Granted) == 1 && t.Granted[0].Slots == 0 {
		return []model.Grant{{Instance: t.Granted[0].Instance, Slots: t.Slots}}
	}
	return t.Granted
}

func instancesOf(s *model.Snapshot) map[string]*model.QueueInstance {
	m := make(map[string]*model.QueueInstance, len(s.Instances))
	for i := range s.Instances {
		m[s.Instances[i].Name] = &s.Instances[i]
	}
	return m
}

// granted are the queue instances of grants.
func granted(instances map[string]*model.QueueInstance, grants []model.Grant) (list []*model.QueueInstance) {
	for _, g := range grants {
		if q := instances[g.Instance]; q != nil {
			list = append(list, q)
		}
	}
	return list
}
