package delay

import (
	"time"

	"qprism/engine/delay"
	"qprism/engine/forecast"
	"qprism/engine/model"
)

// workAhead adds up what Grid Engine decides before a decision, and what runs.
func workAhead(s *model.Snapshot, p *model.Plan, decision int, clock forecast.Clock) *delay.Work {
	w, jobs, seen, tried := &delay.Work{}, s.JobsByNumber(), map[uint32]bool{}, map[reasonList]bool{}
	triedInTurn := func(why []model.Reason) bool {
		if len(why) == 0 {
			return true
		}
		list := reasonList{&why[0], len(why)}
		answer, known := tried[list]
		if !known {
			answer = delay.TriedInTurn(why)
			tried[list] = answer
		}
		return answer
	}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || d.Job == p.Decisions[decision].Job || !triedInTurn(d.Why) {
			continue
		}
		if !j.Array {
			w.Jobs++
		} else if !seen[d.Job] {
			seen[d.Job] = true
			w.Jobs++
		}
		tasks := model.CountOf(d.Tasks)
		w.Tasks += tasks
		w.Wait(tasks, float64(slotsOf(j, d)), clock.Length(j, nil))
	}
	addRunning(w, s, p.RunAt, clock)
	return w
}

// A reasonList identifies a list of reasons. Many jobs share one list, with a reason for each queue instance.
type reasonList struct {
	first *model.Reason
	n     int
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

func addRunning(w *delay.Work, s *model.Snapshot, at time.Time, clock forecast.Clock) {
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
			w.Run(float64(max(t.Slots, 1)), t.Started, at, clock.Length(j, on))
		}
	}
}
