package delay

import (
	"qprism/engine/delay"
	"qprism/engine/model"
	"qprism/engine/pbs/simulate"
)

// workAheadPBS adds up what a cycle of PBS tries before a decision, and what runs.
func workAheadPBS(s *model.Snapshot, p *model.Plan, decision int) *delay.Work {
	w, jobs, seen := &delay.Work{}, s.JobsByNumber(), map[string]bool{}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || !d.Tried || d.Job == p.Decisions[decision].Job || seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		w.Jobs++
		w.Wait(1, cpus(j), simulate.Length(j))
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && j.PBS.State == "R" {
			w.Run(cpus(j), j.PBS.Started, p.RunAt, simulate.Length(j))
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
