package audit

import (
	"testing"

	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// TestARecordWithoutTimesStartedWhenTheMasterSays: job 4 of a simulated host started in the run and ended before qstat -j, whose
// accounting record has no times. Its urgency was the greatest in the run.
func TestARecordWithoutTimesStartedWhenTheMasterSays(t *testing.T) {
	const bundle = "testdata/8.1.9-no-times.tar.gz/run1/after"
	allAgree(t, audited(recorded(t, bundle, "")))
	forget := func(of func(*model.Job)) *model.Snapshot {
		s := recorded(t, bundle, "")
		for i := range s.Jobs {
			of(&s.Jobs[i])
		}
		return s
	}
	unfinished := func(j *model.Job) { j.Finished = nil }
	allAgree(t, audited(forget(unfinished))) // the schedule file tells it, too
	s := forget(unfinished)
	s.Runs = nil
	if sum := audited(s).Sum(); sum.Unexplained == 0 {
		t.Errorf("also where no file tells: %+v", sum)
	}
}

// TestAJobThatIsGoneHasTheRequestsOfItsRecord: the same where qstat -j no longer has the job, and one with a number beside was submitted in
// its second.
func TestAJobThatIsGoneHasTheRequestsOfItsRecord(t *testing.T) {
	s := recorded(t, "testdata/8.1.9-no-times.tar.gz/run1/after", "")
	var submitted = s.Jobs[0].Submitted
	var kept []model.Job
	for _, j := range s.Jobs {
		if j.Number != 4 {
			kept = append(kept, j)
		} else {
			submitted = j.Submitted
		}
	}
	s.Jobs = kept
	for i := range s.Ended {
		s.Ended[i].Submitted = submitted
	}
	allAgree(t, audited(s))
	for i := range s.Ended {
		s.Ended[i].Category = ""
	}
	if sum := audited(s).Sum(); sum.Unexplained == 0 {
		t.Errorf("also without the requests: %+v", sum)
	}
}

// TestAStartShowsThePriorityOfTheRunBefore: job 20 got -p 188 after one run, and started in the next. Its npprior is of the first one, its
// prio of the second.
func TestAStartShowsThePriorityOfTheRunBefore(t *testing.T) {
	const bundle = "testdata/8.1.9-priority-before.tar.gz/run4/"
	s := recorded(t, bundle+"after", "")
	for _, d := range audited(s).Disagreements {
		if d.Class != batch.Stale {
			t.Errorf("%s of job %d: %s", d.Field, d.Job.Number, d.Class)
		}
	}
	_, quirks := compat.For(s.Release)
	opts := Options{Options: lastrun.Options{Quirks: quirks}, Before: recorded(t, bundle+"before", "")}
	allAgree(t, Run(s, opts))
	for i := range s.Jobs {
		if s.Jobs[i].Number == 20 {
			s.Jobs[i].PosixPriority++
		}
	}
	if sum := Run(s, opts).Sum(); sum.Unexplained != 1 {
		t.Errorf("any other -p explains it: %+v", sum)
	}
}

// TestAStartedTaskThatWasRescheduledLeavesTheOrderToNewOnes: tasks 2 and 4 of job 2 filled the last slot, and the order about the waiting
// ones named task 6. So task 4 shows what a start leaves (R38), and the new ones the tickets of this run (Q17).
func TestAStartedTaskThatWasRescheduledLeavesTheOrderToNewOnes(t *testing.T) {
	const bundle = "testdata/8.1.9-names-new.tar.gz/run4/"
	s := recorded(t, bundle+"after", "")
	_, quirks := compat.For(s.Release)
	allAgree(t, Run(s, Options{Options: lastrun.Options{Quirks: quirks}, Before: recorded(t, bundle+"before", "")}))
	if sum := audited(s).Sum(); sum.Unexplained != 0 {
		t.Errorf("from one bundle: %+v", sum)
	}
}

// TestARunIsOfTheSecondInWhichItReadItsClock: it took in events and computed urgencies at :10, and wrote the rest at :11, in the second of
// the bundle. Starts at :06 are of the run before.
func TestARunIsOfTheSecondInWhichItReadItsClock(t *testing.T) {
	r := audited(recorded(t, "testdata/8.1.9-clock.tar.gz/run3/after", ""))
	allAgree(t, r)
	if second := r.Moment.At.Second(); second != 10 {
		t.Errorf("second %d", second)
	}
}

// TestATaskWithoutTimesThatStartedInTheRunBeforeEndedAfterIt: the accounting file has 34.1 before nine others. It started in the run
// before, so that both tasks of the array count against -tc 2, and its urgency of a passed deadline in no sum.
func TestATaskWithoutTimesThatStartedInTheRunBeforeEndedAfterIt(t *testing.T) {
	const bundle = "testdata/8.1.9-many-ended.tar.gz/run1/"
	s := recorded(t, bundle+"after", "")
	if sum := audited(s).Sum(); sum.Unexplained > 0 || sum.Stale != 26 {
		t.Errorf("%+v", sum)
	}
	allAgree(t, Run(s, Options{Options: byRules, Before: recorded(t, bundle+"before", "")}))
	s.Runs = nil
	if sum := audited(s).Sum(); sum.Unexplained == 0 {
		t.Errorf("also where no file tells when it started: %+v", sum)
	}
}

// TestAJobThatOnlyQstatJListsHasItsDepartment: jobs 2 and 7 ended after the run, qstat does not list them any more, and qstat -j prints no
// department. With other entries the department has none of its 300 tickets to share with them.
func TestAJobThatOnlyQstatJListsHasItsDepartment(t *testing.T) {
	const bundle = "testdata/8.1.9-department-not-printed.tar.gz/run1/"
	s, before := recorded(t, bundle+"after", ""), recorded(t, bundle+"before", "")
	allAgree(t, audited(s))
	for i := range s.Usersets {
		s.Usersets[i].Entries = nil
	}
	if sum := audited(s).Sum(); sum.Unexplained == 0 {
		t.Errorf("also with departments of nobody: %+v", sum)
	}
	allAgree(t, Run(s, Options{Options: byRules, Before: before})) // which prints it
}

// TestAQueueThatAStartSuspendedCountedInTheRun: the start of job 3 suspends all.q, whose two free slots let four tasks of the array have
// tickets, not two. Of the others no number tells but the share.
func TestAQueueThatAStartSuspendedCountedInTheRun(t *testing.T) {
	s := recorded(t, "testdata/8.1.9-suspended-by-start.tar.gz/run1/after", "")
	allAgree(t, audited(s))
	for i := range s.Instances {
		s.Instances[i].Subordinates = nil
	}
	if sum := audited(s).Sum(); sum.Unexplained != 1 {
		t.Errorf("without subordinate_list: %+v", sum)
	}
}

// TestTwoRunsInOneSecond: the first started 4.4, which runs, the second six jobs that are still being sent.
func TestTwoRunsInOneSecond(t *testing.T) {
	s := recorded(t, "testdata/8.1.9-two-runs.tar.gz/run1/after", "")
	r := audited(s)
	allAgree(t, r)
	if !r.Moment.Begun {
		t.Errorf("the moment is %+v", r.Moment)
	}
	s.Trace = nil // without PROFILE=1
	allAgree(t, audited(s))
}

// TestABundleBetweenTwoRunsOfOneSecondExcusesAtMost: another run took place after the bundle before, in its second. It does not
// contradict what that run printed.
func TestABundleBetweenTwoRunsOfOneSecondExcusesAtMost(t *testing.T) {
	const bundle = "testdata/8.1.9-run-between.tar.gz/run3/"
	r := Run(recorded(t, bundle+"after", ""), Options{Options: byRules, Before: recorded(t, bundle+"before", "")})
	if sum := r.Sum(); sum.Unexplained != 0 || sum.Stale != 4 {
		t.Errorf("%+v", sum)
	}
}
