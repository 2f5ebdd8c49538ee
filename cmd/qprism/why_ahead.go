package main

import (
	"fmt"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/split"
)

// ahead is the work that comes before the job.
type ahead struct {
	known                   bool
	unit                    string // of work, slot-hours
	jobs, tasks             int
	hours, running          float64 // slot-hours
	endless, runningEndless int     // tasks
}

// workAhead adds up what is decided before a decision, and what runs.
func workAhead(s *model.Snapshot, p *model.Plan, decision int, clock forecast.Clock) ahead {
	a := ahead{known: true, unit: "slot-hours"}
	jobs := jobsOf(s)
	seen := map[uint32]bool{}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || d.Job == p.Decisions[decision].Job || !triedInTurn(d.Why) {
			continue
		}
		if !seen[d.Job] {
			seen[d.Job] = true
			a.jobs++
		}
		tasks := split.Count(d.Tasks)
		a.tasks += tasks
		if length := clock.Length(j, nil); length == model.Forever {
			a.endless += tasks
		} else {
			a.hours += float64(tasks) * float64(slotsOf(j, d)) * length.Hours()
		}
	}
	a.addRunning(s, p.RunAt, clock)
	return a
}

// slotsOf is how many slots a decision grants, else the least that the job asks for.
func slotsOf(j *model.Job, d *model.Decision) int {
	sum := 0
	for _, g := range d.Slots {
		sum += g.Slots
	}
	if sum == 0 && j.PE != "" && len(j.PERange) > 0 {
		sum = int(j.PERange[0].Min)
	}
	return max(sum, 1)
}

func (a *ahead) addRunning(s *model.Snapshot, at time.Time, clock forecast.Clock) {
	instances := instancesOf(s)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if t.Started.IsZero() || !t.Started.Before(at) {
				continue
			}
			if length := clock.Length(j, named(instances, t.Granted)); length == model.Forever {
				a.runningEndless++
			} else {
				a.running += float64(max(t.Slots, 1)) * max(t.Started.Add(length).Sub(at), 0).Hours()
			}
		}
	}
}

// words says how much work comes first.
func (a *ahead) words() []string {
	if !a.known {
		return nil
	}
	text := "Nothing that waits comes before it"
	if a.jobs > 0 {
		text = "Before it: " + plural(a.jobs, "waiting job")
		if a.tasks > a.jobs {
			text += " (" + plural(a.tasks, "task") + ")"
		}
		text += " with " + a.work(a.hours, a.endless)
	}
	if a.running == 0 && a.runningEndless == 0 {
		return []string{text + "; nothing runs that has time to go."}
	}
	return []string{text + "; what runs has " + a.work(a.running, a.runningEndless) + " to go."}
}

// work prints slot-hours, and the tasks that nothing ends.
func (a *ahead) work(hours float64, endless int) string {
	text := fmt.Sprintf("%.1f %s", hours, a.unit)
	if hours < 1 {
		text = fmt.Sprintf("%.2f %s", hours, a.unit)
	}
	if endless == 0 {
		return text
	}
	without := plural(endless, "task") + " without limit"
	if hours == 0 {
		return without
	}
	return text + " and " + without
}

func instancesOf(s *model.Snapshot) map[string]*model.QueueInstance {
	m := make(map[string]*model.QueueInstance, len(s.Instances))
	for i := range s.Instances {
		m[s.Instances[i].Name] = &s.Instances[i]
	}
	return m
}

// named are the queue instances of grants.
func named(instances map[string]*model.QueueInstance, grants []model.Grant) []*model.QueueInstance {
	var list []*model.QueueInstance
	for _, g := range grants {
		if q := instances[g.Instance]; q != nil {
			list = append(list, q)
		}
	}
	return list
}
