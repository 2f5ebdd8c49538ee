package act

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/fixtures/master"
)

// busyCluster has two hosts of one slot each, both in use, and a scheduler that runs every two seconds by itself. Jobs run for two seconds
// each; of twenty the fifth and the eighth are anna's, the others carl's.
func busyCluster(t *testing.T) (r *room, jobs, theirs []string) {
	t.Helper()
	m := master.Start(t, master.Options{})
	must(t, m.Apply(master.Scenario{
		Hosts:     []master.Object{{"name": "node01"}, {"name": "node02"}},
		Queues:    []master.Object{{"qname": "all.q", "slots": "1"}},
		Users:     []master.Object{{"name": "anna"}, {"name": "carl"}},
		SchedConf: master.Object{"schedule_interval": "0:0:2"},
	}))
	r = &room{Master: m}
	short := 2
	for i := range 20 {
		if i == 4 || i == 7 {
			jobs = append(jobs, r.submit(t, master.Job{User: "anna", Runtime: &short})...)
		} else {
			theirs = append(theirs, r.submit(t, master.Job{User: "carl", Runtime: &short})...)
		}
	}
	return r, jobs, theirs
}

// TestADrivenJobGetsItsTurnInABusyCluster: no slot is ever seen free, since the run in which one falls free gives it to somebody. Jobs that
// are decided about ahead start in their turn, where they were decided; those that are not never do.
func TestADrivenJobGetsItsTurnInABusyCluster(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r, mine, theirs := busyCluster(t)
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "json"}
	step := func(ahead bool) driveReport {
		report, said, err := r.drive(d, r, func(o *driveOptions) {
			o.own, o.ahead, o.await, o.sleep = []string{"user=anna"}, ahead, 15*time.Second, exporter.Wait
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return report
	}
	for range 2 {
		if report := step(false); len(report.Starts) > 0 {
			t.Logf("a slot was free: %+v", report.Starts)
		}
	}
	started := map[string]bool{}
	for began := time.Now(); len(started) < len(mine) && time.Since(began) < time.Minute; {
		for _, s := range step(true).Starts {
			t.Logf("job %s decided for %s: %s, %s", s.Job, s.Places, s.State, s.Words)
			if s.State == string(model.OrderConfirmed) {
				started[s.Job] = true
			}
		}
	}
	if len(started) < len(mine) {
		t.Errorf("of the driven jobs %v only %v started", mine, started)
	}
	if n := len(r.waiting(t, theirs)); n == 0 {
		t.Error("no job of others waits: nobody was in the way")
	} else {
		t.Logf("%d of %d jobs of others have started", len(theirs)-n, len(theirs))
	}
	r.release(t, d)
}

// waiting are those of some jobs that have not started.
func (r *room) waiting(t *testing.T, jobs []string) (list []string) {
	t.Helper()
	pending := r.inState(t, "p")
	for _, job := range jobs {
		if slices.Contains(pending, job) {
			list = append(list, job)
		}
	}
	return list
}
