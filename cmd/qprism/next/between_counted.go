package next

import (
	"slices"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A jobCounts has the counts of a run in the messages file: running jobs, and jobs with ended tasks.
type jobCounts struct{ running, ended int }

// countedRun returns the counts of the only run between two snapshots. ok is false if there is no such line, or
// more than one.
func countedRun(before, after *model.Snapshot) (c jobCounts, ok bool) {
	for i := range after.Trace {
		l := &after.Trace[i]
		f := split.Counted(l.Text)
		if f == nil || l.At.Unix() < before.TakenAt.Unix() || l.At.After(after.TakenAt) {
			continue
		}
		if ok {
			return c, false
		}
		c, ok = jobCounts{f["J(r)"], f["J(x)"]}, true
	}
	return c, ok
}

// endedByCount finds tasks that ended before the run, if no file shows it. It uses the counts in the messages
// file, which count jobs, not tasks. Tasks end in the order of the accounting file. If several numbers of ended
// tasks agree with the counts, it takes the greatest. A task that the run starts counts as running, even if it
// has ended since.
func endedByCount(before, after *model.Snapshot, run *model.Plan, told func(TaskID) bool) map[TaskID]bool {
	c, ok := countedRun(before, after)
	if !ok {
		return nil
	}
	ended, running := map[uint32]bool{}, map[uint32]int{}
	for i := range before.Jobs {
		j := &before.Jobs[i]
		if len(j.Finished) > 0 || slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return !t.Ended.IsZero() }) {
			ended[j.Number] = true
		}
	}
	ran := map[TaskID]bool{}
	for id := range startedTasks(before) {
		ran[id] = true
	}
	there := map[TaskID]bool{}
	for id := range startedTasks(after) {
		running[id.Job]++
		there[id] = true
		delete(ran, id)
	}
	for i := range run.Decisions {
		d := &run.Decisions[i]
		number, told := model.First(d.Tasks)
		if !told {
			number = 1
		}
		if !there[TaskID{d.Job, number}] {
			running[d.Job]++
		}
	}
	var open []TaskID // in the order in which they ended
	for i := range after.Ended {
		if id := (TaskID{after.Ended[i].Job, max(after.Ended[i].Task, 1)}); ran[id] {
			delete(ran, id)
			if told(id) {
				ended[id.Job] = true
				continue
			}
			open = append(open, id)
			running[id.Job]++
		}
	}
	if len(ran) > 0 {
		return nil // of these nothing is known at all
	}
	var gone map[TaskID]bool
	for n := 0; ; n++ {
		if len(ended) == c.ended && count(running) == c.running {
			gone = map[TaskID]bool{}
			for _, id := range open[:n] {
				gone[id] = true
			}
		}
		if n == len(open) {
			return gone
		}
		ended[open[n].Job] = true
		running[open[n].Job]--
	}
}

func count(tasks map[uint32]int) (jobs int) {
	for _, n := range tasks {
		if n > 0 {
			jobs++
		}
	}
	return jobs
}
