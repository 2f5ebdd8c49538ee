package check

import (
	"slices"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// jobs are those that the scheduler evaluates at the snapshot's time, in its order: queue by queue as the server lists
// them. Finished jobs and subjobs that have not started are not among them.
func jobs(s *model.Snapshot) []Job {
	place := map[string]int{}
	priority := map[string]int{}
	for i, q := range s.Queues {
		place[q.Name] = i
		if q.PBS != nil {
			priority[q.Name] = q.PBS.Priority
		}
	}
	var list []Job
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || !evaluated(j.PBS) {
			continue
		}
		in := formula.InputOf(j, priority[j.PBS.Queue], 0)
		list = append(list, Job{Job: j, Waits: waits(j.PBS), input: in})
	}
	slices.SortStableFunc(list, func(a, b Job) int { return place[a.PBS.Queue] - place[b.PBS.Queue] })
	addShares(list, s)
	return list
}

// evaluated says whether the scheduler reads a job.
func evaluated(j *model.PBSJob) bool {
	switch j.State {
	case "F", "X", "M":
		return false
	}
	return j.Array == "" || j.State != "Q"
}

// waits says whether a job can be started, or resumed.
func waits(j *model.PBSJob) bool {
	return j.State == "Q" || j.State == "S" || j.State == "B"
}

// addShares gives every job the numbers of its entity in the fairshare tree, as a scheduler that starts now has them.
func addShares(list []Job, s *model.Snapshot) {
	if s.PBS == nil {
		return
	}
	at := s.TakenAt.Truncate(time.Second)
	tree := fairshare.Start(s.PBS.Fairshare, at)
	names := make([]string, len(list))
	for i := range list {
		names[i] = fairshare.EntityOf(s.PBS.Fairshare.Policy, list[i].Job)
	}
	nodes := tree.Entities(names)
	tree.Begin(fairshare.Cycle{At: at, Formula: true})
	for i, n := range nodes {
		list[i].input.Perc, list[i].input.TreeUsage = n.Perc, n.TreeUsage
	}
}
