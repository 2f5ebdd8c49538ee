package qstat

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"qprism/engine/model"
)

// TestJobsKeepWhatTheyHaveWhenTheyMove reads jobs from the last to the first. One is an array of many tasks, and two tasks
// share a report.
func TestJobsKeepWhatTheyHaveWhenTheyMove(t *testing.T) {
	jobs := newJobTable()
	want := make([]model.Job, 300)
	for n := len(want); n > 0; n-- {
		j, _ := jobs.job(uint32(n))
		tasks, shared := 1+n%2, &model.TaskReport{Prio: float64(n)}
		if n == 50 {
			tasks = 200
		}
		for id := range uint32(tasks) {
			j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: id, Max: id, Step: 1}}, State: "qw", Reported: shared})
		}
		if n%3 > 0 {
			j.Reported = &model.JobReport{NPPrior: float64(n)}
		}
		want[n-1] = *j
	}
	got := jobs.sorted()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range got {
		if tasks := got[i].Tasks; cap(tasks) > len(tasks) && i != 49 { // the array has memory of its own
			t.Errorf("job %d: append would write into the tasks of the next job", got[i].Number)
		}
	}
	if newJobTable().sorted() != nil {
		t.Error("no jobs are a list")
	}
}
