package delay

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// Work is what comes before a job, in slot-hours, of PBS in processor-hours. What nothing ends is counted, not added.
type Work struct {
	Jobs           int     `json:"jobs"`
	Tasks          int     `json:"tasks"`               // that wait; PBS counts no tasks
	Hours          float64 `json:"slot_hours"`          // of those
	Endless        int     `json:"tasks_without_limit"` // of those
	Running        float64 `json:"running_slot_hours"`  // what runs has to go
	RunningEndless int     `json:"running_tasks_without_limit"`
}

// wait adds tasks that wait, each of so many slots or processors.
func (w *Work) wait(tasks int, size float64, length time.Duration) {
	if length == model.Forever {
		w.Endless += tasks
	} else {
		w.Hours += float64(tasks) * size * length.Hours()
	}
}

// run adds a task that runs.
func (w *Work) run(size float64, started, at time.Time, length time.Duration) {
	if length == model.Forever {
		w.RunningEndless++
	} else {
		w.Running += size * max(started.Add(length).Sub(at), 0).Hours()
	}
}

// workAhead adds up what Grid Engine decides before a decision, and what runs.
func workAhead(s *model.Snapshot, p *model.Plan, decision int, clock forecast.Clock) *Work {
	w, jobs, seen := &Work{}, jobsOf(s), map[uint32]bool{}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || d.Job == p.Decisions[decision].Job || !TriedInTurn(d.Why) {
			continue
		}
		if !seen[d.Job] {
			seen[d.Job] = true
			w.Jobs++
		}
		tasks := model.CountOf(d.Tasks)
		w.Tasks += tasks
		w.wait(tasks, float64(slotsOf(j, d)), clock.Length(j, nil))
	}
	w.addRunning(s, p.RunAt, clock)
	return w
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

func (w *Work) addRunning(s *model.Snapshot, at time.Time, clock forecast.Clock) {
	instances := map[string]*model.QueueInstance{}
	for i := range s.Instances {
		instances[s.Instances[i].Name] = &s.Instances[i]
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if t.Started.IsZero() || !t.Started.Before(at) {
				continue
			}
			var on []*model.QueueInstance
			for _, g := range t.Granted {
				if q := instances[g.Instance]; q != nil {
					on = append(on, q)
				}
			}
			w.run(float64(max(t.Slots, 1)), t.Started, at, clock.Length(j, on))
		}
	}
}

// workAheadPBS adds up what a cycle of PBS tries before a decision, and what runs.
func workAheadPBS(s *model.Snapshot, p *model.Plan, decision int) *Work {
	w, jobs, seen := &Work{}, jobsOf(s), map[string]bool{}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || !d.Tried || d.Job == p.Decisions[decision].Job || seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		w.Jobs++
		w.wait(1, cpus(j), cycle.Length(j))
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && j.PBS.State == "R" {
			w.run(cpus(j), j.PBS.Started, p.RunAt, cycle.Length(j))
		}
	}
	return w
}

// cpus is how many processors a job asks for.
func cpus(j *model.Job) float64 {
	for _, r := range j.Hard {
		if n, ok := model.PBSAmount(r.Value); ok && r.Resource == "ncpus" {
			return n
		}
	}
	return 1
}

func jobsOf(s *model.Snapshot) map[uint32]*model.Job {
	m := make(map[uint32]*model.Job, len(s.Jobs))
	for i := range s.Jobs {
		m[s.Jobs[i].Number] = &s.Jobs[i]
	}
	return m
}
