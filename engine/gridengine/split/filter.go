package split

import (
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// Filtered reports whether params of sched_conf(5) has JC_FILTER.
func Filtered(p *model.Policy) bool {
	text, set := model.Text(p.Params, "JC_FILTER")
	on, err := model.ParseBool(text)
	return set && err == nil && on
}

// The bounds of how many waiting jobs of a kind JC_FILTER shows to a run.
const leastSeen, mostSeen = 5, 300

// filter parts the jobs as JC_FILTER does (sched_conf(5), params): the scheduler sees of each kind of
// waiting jobs about as many as slots are free, of those with -R y and of what has tasks of its own all. Jobs are places in the
// snapshot.
// Jobs are of one kind that ask for the same and whose tickets, -p and deadline are given alike. An array
// counts with all tasks that it was submitted with, a parallel job with its least slots. What is seen comes
// kind by kind, and of each kind what has tasks of its own first (R6).
func filter(jobs []int32, begunJobs []*model.Job, s *model.Snapshot, at time.Time) (seen, hidden []int32) {
	if !Filtered(&s.Policy) {
		return jobs, nil
	}
	type kind struct{ begun, waiting []int32 }
	var kinds []*kind
	byKey := map[string]*kind{}
	for _, i := range jobs {
		j := &s.Jobs[i]
		key := kindOf(j)
		k := byKey[key]
		if k == nil {
			k = &kind{}
			kinds, byKey[key] = append(kinds, k), k
		}
		if begun(j, at) {
			k.begun = append(k.begun, i)
		} else {
			k.waiting = append(k.waiting, i)
		}
	}
	most := uint64(min(max(freeSlots(s, begunJobs, at), leastSeen), mostSeen))
	for _, k := range kinds {
		seen = append(seen, k.begun...)
		taken := uint64(0)
		for _, i := range k.waiting {
			j := &s.Jobs[i]
			if taken >= most && !j.Reserve {
				hidden = append(hidden, i)
				continue
			}
			seen = append(seen, i)
			taken += amountOf(j)
		}
	}
	return seen, hidden
}

// kindOf names the kind of a job: what its category is made of, and what its tickets, urgency and -p depend on.
func kindOf(j *model.Job) string {
	return fmt.Sprint(j.Deadline.Unix(), j.PosixPriority, j.OverrideTickets, j.JobShare, j.Immediate(),
		j.Reservation, j.PERange) +
		fmt.Sprintf("%q %q %q %q %q %q", j.Owner, j.Project, j.PE, j.Checkpoint, sorted(j.HardQueues),
			sorted(j.MasterQueues)) +
		fmt.Sprintf("%q %q", sorted(texts(j.Hard)), sorted(texts(j.Soft)))
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func texts(requests []model.Request) (list []string) {
	for _, r := range requests {
		list = append(list, r.Resource+"="+r.Value)
	}
	return list
}

// begun reports whether the master keeps tasks of a job one by one when the run begins: those that ran, and
// those that wait again.
func begun(j *model.Job, at time.Time) bool {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Enrolled && (!StartedAt(t, at) || has(t.State, 'R')) {
			return true
		}
	}
	return false
}

// amountOf is for how many slots the filter counts a job.
func amountOf(j *model.Job) uint64 {
	amount := uint64(1)
	if len(j.Structure) > 0 {
		amount = uint64(model.CountOf(j.Structure[:1]))
	}
	if len(j.PERange) > 0 {
		amount *= uint64(j.PERange[0].Min)
	}
	return amount
}
