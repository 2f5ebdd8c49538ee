package qstat

import (
	"slices"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// InferTaskLimits infers -tc of an array if its release does not print -tc. When an array has reached its
// limit, a run clears the job's numbers. So cleared numbers show a limit. Other limits stay unknown. (Rule Q54)
func InferTaskLimits(r *bundle.Reader) error {
	s := r.Snap
	if !s.Release.HidesTaskLimits() || s.Policy.MaxUserJobs != 0 {
		return nil
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Array && j.MaxRunningTasks == 0 && limitReached(j, s) {
			j.MaxRunningTasks = enrolled(j)
		}
	}
	return nil
}

// limitReached reports whether the last run cleared the numbers of a job, and only a limit keeps its tasks from
// starting.
func limitReached(j *model.Job, s *model.Snapshot) bool {
	free := func(t model.Task) bool { return t.State == "qw" }
	return j.Reported != nil && j.Reported.NPPrior == 0 && enrolled(j) > 0 && len(j.Predecessors) == 0 &&
		len(j.ArrayPredecessor) == 0 && !j.ExecutionTime.After(s.TakenAt) && slices.ContainsFunc(j.Tasks, free)
}

// enrolled counts the tasks of a job that count against its limit. These are tasks with an object in the
// master, as long as the master keeps it.
func enrolled(j *model.Job) uint32 {
	count := len(j.Finished)
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Enrolled || len(t.Granted) > 0 {
			count++
		}
	}
	return uint32(count)
}
