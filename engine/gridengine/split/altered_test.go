package split

import (
	"testing"
	"time"

	"qprism/engine/model"
)

// What the last run computed of a job, of another -p than it has now or not at all, shows that it was altered since. Then it is behind all
// others in the next run.
func TestWhatWasAlteredSinceTheLastRunIsBehindAllOthers(t *testing.T) {
	job := func(number uint32, age time.Duration, npprior float64, task model.Task) model.Job {
		task.IDs = ids("1")
		return model.Job{Number: number, Submitted: noon.Add(-age), Tasks: []model.Task{task}, Reported: &model.JobReport{NPPrior: npprior}}
	}
	waits, held := model.Task{State: "qw"}, model.Task{State: "hqw"}
	runs := func(since time.Duration) model.Task { return model.Task{State: "r", Started: noon.Add(-since)} }
	for name, c := range map[string]struct {
		change func(s *model.Snapshot, j *model.Job)
		want   bool
	}{
		"nothing":             {func(*model.Snapshot, *model.Job) {}, false},
		"another -p":          {func(_ *model.Snapshot, j *model.Job) { j.PosixPriority = -100 }, true},
		"an npprior of no -p": {func(_ *model.Snapshot, j *model.Job) { j.Reported.NPPrior = 0.50012 }, false},
		"it was held":         {func(_ *model.Snapshot, j *model.Job) { j.Reported.NPPrior = 0 }, true},
		"it is held":          {func(_ *model.Snapshot, j *model.Job) { *j = job(1, time.Hour, 0, held) }, false},
		"its time came":       {func(_ *model.Snapshot, j *model.Job) { j.Reported.NPPrior, j.ExecutionTime = 0, noon.Add(-2) }, false},
		"no run is known":     {func(s *model.Snapshot, j *model.Job) { s.Trace, j.PosixPriority = nil, -100 }, false},
		"nothing is reported": {func(s *model.Snapshot, j *model.Job) {
			s.Policy.ReportPendingTickets, j.PosixPriority = false, -100
		}, false},
		"it may be beyond maxujobs": {func(s *model.Snapshot, j *model.Job) { j.Reported.NPPrior, s.Policy.MaxUserJobs = 0, 2 }, false},
		"the run ranked nothing":    {func(s *model.Snapshot, j *model.Job) { j.Reported.NPPrior, s.Jobs[1].Reported.NPPrior = 0, 0 }, false},
		"one that runs":             {func(_ *model.Snapshot, j *model.Job) { *j = job(1, time.Hour, 0.40039, runs(time.Minute)) }, true},
		"that the last run started": {func(_ *model.Snapshot, j *model.Job) { *j = job(1, time.Hour, 0.40039, runs(9*time.Second)) }, false},
		"it came after that run":    {func(_ *model.Snapshot, j *model.Job) { *j = job(1, 5*time.Second, 0, waits) }, false},
	} {
		s := &model.Snapshot{TakenAt: noon.Add(-time.Second), Policy: model.Policy{ReportPendingTickets: true},
			Jobs:  []model.Job{job(1, time.Hour, 0.5, waits), job(2, time.Minute, 0.5, waits), job(3, 6*time.Second, 0, waits)},
			Trace: []model.TraceLine{{At: noon.Add(-9 * time.Second), Text: "PROF: schedd run took: 0.010 s"}}}
		c.change(s, &s.Jobs[0])
		if got := alteredSince(s)[1]; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		lists := Jobs(s, noon, model.Quirks{}, Assumed{Coming: true})
		if got := lists.Pending[len(lists.Pending)-1].Job.Number == 1; c.want && s.Jobs[0].Tasks[0].State == "qw" && !got {
			t.Errorf("%s: the job is not the last one that waits", name)
		}
	}
}
