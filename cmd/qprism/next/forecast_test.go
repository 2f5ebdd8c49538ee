package next

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// starving is a cluster of four hosts with one slot each, on which short jobs run that end one after the other. A job that
// needs all four hosts at once waits first in the queue, and behind it a stream of short jobs.
func starving(reserve bool) *subject.Subject {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	s := &model.Snapshot{TakenAt: at, Has: []string{"sched_conf.txt"},
		PEs: []model.PE{{Name: "mpi", Slots: 99, AllocationRule: "$round_robin", UrgencySlots: "min"}},
		Resources: []model.Resource{{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeYes, Default: "1", Urgency: "0"},
			{Name: "h_rt", Shortcut: "h_rt", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeNo,
				Default: "0:0:0", Urgency: "0"}},
		Policy: model.Policy{ScheduleInterval: 15 * time.Second, FlushFinish: time.Second, MaxReservation: 5, DefaultDuration: model.Forever,
			QueueSort:   "seqno",
			LoadFormula: "slots", Params: []model.Setting{{Name: "DURATION_OFFSET", Value: "0"}}, WeightPriority: 1}}
	add := func(number uint32, minutes int, change func(*model.Job)) {
		limit := time.Duration(minutes) * time.Minute
		j := model.Job{Number: number, Owner: "o", Submitted: at.Add(time.Duration(number)*time.Second - time.Hour), Detailed: true, Type: 0,
			Hard:  []model.Request{{Resource: "h_rt", Value: fmt.Sprint(int(limit.Seconds())), Amount: limit.Seconds()}},
			Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}}
		if change != nil {
			change(&j)
		}
		s.Jobs = append(s.Jobs, j)
	}
	for n := range 4 {
		host := fmt.Sprintf("node%d", n+1)
		instance := "all.q@" + host
		s.Hosts = append(s.Hosts, model.Host{Name: host})
		s.Instances = append(s.Instances, model.QueueInstance{Name: instance, Queue: "all.q", Host: host, Type: "BATCH INTERACTIVE", Slots: 1,
			Used: 1, PEs: []string{"mpi"}, Listed: true,
			Limits: []model.Setting{{Name: "s_rt", Value: "INFINITY"}, {Name: "h_rt", Value: "INFINITY"}}})
		add(uint32(n+1), 8+4*n, func(j *model.Job) {
			t := &j.Tasks[0]
			t.State, t.Enrolled, t.Started, t.Granted = "r", true, at.Add(-time.Minute), []model.Grant{{Instance: instance, Slots: 1}}
		})
	}
	add(10, 30, func(j *model.Job) {
		j.Name, j.PE, j.PERange, j.Reserve, j.PosixPriority = "large", "mpi", []model.Range{{Min: 4, Max: 4, Step: 1}}, reserve, 100
		j.Tasks[0].Slots = 4
	})
	for n := range 40 {
		add(uint32(20+n), []int{10, 3, 7}[n%3], nil)
	}
	return subject.NewSubject(s, "fixed", lastrun.Options{Quirks: compat.Profiles["fixed"]})
}

// TestAReservationEndsTheStarvationOfALargeParallelJob plays the same queue with and without -R y.
func TestAReservationEndsTheStarvationOfALargeParallelJob(t *testing.T) {
	play := func(reserve bool) (large forecast.Start, before, all int, promised time.Time) {
		s := starving(reserve)
		for _, d := range s.Batch.Plan(s.TakenAt).Decisions {
			if d.Job == 10 && d.Verdict == model.Later {
				promised = d.Start
			}
		}
		f := forecast.Run(s.Snapshot, forecast.Options{At: s.TakenAt, Plan: subject.GridEngine{Subject: s}.Planner()})
		if f.Ending != forecast.AllStarted {
			t.Fatalf("-R %v: %s after %d runs", reserve, f.Ending, f.Runs)
		}
		for i, b := range f.Starts {
			if b.Job == 10 {
				large, before = b, i
			}
		}
		return large, before, len(f.Starts), promised
	}
	starved, before, all, promised := play(false)
	if before != all-1 || !promised.IsZero() {
		t.Errorf("without reservation it starts as number %d of %d, at %v; promised for %v", before+1, all, starved.At, promised)
	}
	large, before, _, promised := play(true)
	if !large.At.Equal(promised) || before == 0 {
		t.Errorf("with reservation it starts at %v, promised for %v, after %d short jobs", large.At, promised, before)
	}
	t.Logf("without reservation at %v, with it at %v, as promised; %d short jobs fill in before", starved.At.Format(time.TimeOnly),
		large.At.Format(time.TimeOnly), before)
}

// TestARealMasterStarvesAndReservesAsForecast holds forecasts against what a real 8.1.9 master went on to do with the same
// queue, submitted without and with -R y: a large job first, and a stream of short ones behind it. The master notes the end of
// a simulated job a few seconds late.
func TestARealMasterStarvesAndReservesAsForecast(t *testing.T) {
	const archive = "../../../fixtures/gridengine/starvation-8.1.9.tar.gz"
	for folder, c := range map[string]struct {
		late   time.Duration // at most, of the large job
		before []uint32      // short jobs that start before it
	}{
		"without": {late: 36 * time.Second, before: []uint32{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
		"with":    {late: 6 * time.Second, before: []uint32{7, 10, 13}},
	} {
		first, end := recorded.OpenBundle(t, archive+"/"+folder+"/start"), recorded.OpenBundle(t, archive+"/"+folder+"/end")
		s := &subject.Subject{Snapshot: first, Look: lastrun.Options{Quirks: compat.Profiles["8.1.9"]}}
		f := forecast.Run(first, forecast.Options{At: first.TakenAt, Plan: subject.GridEngine{Subject: s}.Planner()})
		var predicted, recorded []forecast.Start
		predicted = append(predicted, f.Starts...)
		for _, run := range end.Runs {
			for _, l := range run.Lines {
				if l.State == "STARTING" && l.Level == "P" || l.State == "STARTING" && l.Level == "Q" && l.Job > 5 {
					recorded = append(recorded, forecast.Start{Job: l.Job, At: l.Start})
				}
			}
		}
		large, order := startOf(t, recorded, 5)
		foreseen, _ := startOf(t, predicted, 5)
		if late := large.Sub(foreseen); late < 0 || late > c.late {
			t.Errorf("%s: the large job started at %v, %v after the forecast", folder, large, late)
		}
		if !slices.Equal(order, c.before) {
			t.Errorf("%s: before the large job started %v, want %v", folder, order, c.before)
		}
		for _, job := range order {
			if at, _ := startOf(t, predicted, job); !at.Before(foreseen) {
				t.Errorf("%s: job %d was not foreseen to start before the large one", folder, job)
			}
		}
	}
}

// startOf is when a job starts, and which started before it.
func startOf(t *testing.T, starts []forecast.Start, job uint32) (at time.Time, before []uint32) {
	t.Helper()
	for _, b := range starts {
		if b.Job == job {
			return b.At, before
		}
		before = append(before, b.Job)
	}
	t.Fatalf("job %d does not start", job)
	return at, nil
}

// TestAForecastSaysHowLongJobsRun names --runtime accounting where the bundle tells of ended jobs, and where nobody asked for it.
func TestAForecastSaysHowLongJobsRun(t *testing.T) {
	for _, c := range []struct {
		runtime, better  string
		limit, suggested bool
	}{{"", "--runtime accounting", true, true}, {"2h", "--runtime accounting", true, true}, {"", "", true, false},
		{fromAccounting, "--runtime accounting", false, false}} {
		text := assumption(c.runtime, c.better)
		if strings.Contains(text, "to its limit") != c.limit || strings.Contains(text, "--runtime accounting") != c.suggested {
			t.Errorf("%+v: %s", c, text)
		}
	}
}
