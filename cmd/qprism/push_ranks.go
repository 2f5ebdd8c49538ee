package main

import (
	"slices"
	"strconv"
	"time"

	"qprism/engine/model"
	"qprism/engine/priority"
	"qprism/engine/split"
	"qprism/exporter"
	"qprism/exporter/gridengine"
	"qprism/exporter/levels"
)

// ranks recomputes how the scheduler ranks pending jobs in the run at a moment, after changes of -p.
type ranks struct {
	input priority.Input
}

func (s *subject) ranks(at time.Time) ranks {
	unburied := split.Unburied(s.Snapshot, at)
	lists := split.Jobs(unburied, at, s.look.Quirks, split.Assumed{Sequence: s.sequence()})
	return ranks{priority.Input{Snapshot: unburied, Lists: lists, At: at, FreeSlots: split.FreeSlots(unburied, at), Quirks: s.look.Quirks}}
}

// after is the run after changes. Jobs that are altered go to the end of the scheduler's list, which can move tickets among them.
func (r ranks) after(changes []levels.Change) *priority.Result {
	in := r.input
	in.Lists = altered(in.Lists, changes)
	return priority.Compute(in)
}

// native are the pending jobs in the order of that run.
func (r ranks) native(changes []levels.Change) []levels.Waiting {
	result := r.after(changes)
	list := make([]levels.Waiting, len(result.Pending))
	for i, j := range result.Pending {
		list[i] = waitingOf(result, j)
	}
	return list
}

// expected is what each job is ranked by in that run, and by which weights.
func (r ranks) expected(changes []levels.Change) (map[string]gridengine.Ranked, gridengine.Weights) {
	result := r.after(changes)
	jobs := make(map[string]gridengine.Ranked, len(result.Pending))
	for _, j := range result.Pending {
		jobs[strconv.FormatUint(uint64(j.Job.Number), 10)] = gridengine.Ranked{P: j.Job.PosixPriority,
			Terms: exporter.Terms{Urgency: j.Urgency.Norm, Tickets: rankingTask(j).NTckts}}
	}
	return jobs, gridengine.Weights(result.Weights)
}

// rankingTask is the task of a job that ranks it, and stands for all.
func rankingTask(j *priority.Job) priority.Task {
	if len(j.Pending) > 0 {
		return j.Pending[0]
	}
	return j.Template
}

// waitingOf is a job as the planner of levels sees it.
func waitingOf(r *priority.Result, j *priority.Job) levels.Waiting {
	base := r.Weights
	base.Priority = 0
	return levels.Waiting{Job: j.Job.Number, P: j.Job.PosixPriority, Base: base.Blend(j.Urgency.Norm, rankingTask(j).NTckts, 0), Submitted: j.Job.Submitted.Unix()}
}

// altered are the lists of a run after changes, in the order in which the scheduler then holds the jobs.
func altered(lists split.Lists, changes []levels.Change) split.Lists {
	to := make(map[uint32]int, len(changes))
	place := make(map[uint32]int, len(changes))
	for i, c := range changes {
		to[c.Job], place[c.Job] = c.To, i+1
	}
	jobs := map[uint32]*model.Job{} // one copy, whatever the number of lists it is in
	move := func(list []split.Entry) []split.Entry {
		list = slices.Clone(list)
		for i, e := range list {
			if place[e.Job.Number] == 0 {
				continue
			}
			if jobs[e.Job.Number] == nil {
				j := *e.Job
				j.PosixPriority = to[j.Number]
				jobs[j.Number] = &j
			}
			list[i].Job = jobs[e.Job.Number]
		}
		slices.SortStableFunc(list, func(a, b split.Entry) int { return place[a.Job.Number] - place[b.Job.Number] })
		return list
	}
	lists.Running, lists.Pending = move(lists.Running), move(lists.Pending)
	return lists
}
