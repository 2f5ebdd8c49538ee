package audit

import (
	"slices"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

func running(number uint32, owner string, age, since time.Duration) model.Job {
	j := waiting(number, owner, age)
	j.Tasks[0].State, j.Tasks[0].Started = "r", noon.Add(-since)
	j.Tasks[0].Granted = []model.Grant{{Instance: "all.q@h", Slots: 1}}
	return j
}

// record is what the accounting file says of a running job's only task.
func record(j model.Job, ended time.Time) model.EndedTask {
	return model.EndedTask{Job: j.Number, Task: 1, Owner: j.Owner, Queue: "all.q", Host: "h", Slots: 1, Submitted: j.Submitted,
		Started: j.Tasks[0].Started, Ended: ended}
}

func allAgree(t *testing.T, r *Report) {
	t.Helper()
	if !r.Agrees() {
		t.Errorf("at %v: %+v %+v", r.Moment, r.Sum(), r.Disagreements)
	}
}

func TestATaskThatEndedAfterTheRunWasRunningInIt(t *testing.T) {
	gone := running(9, "b", 60*time.Second, 30*time.Second)
	s := cluster(running(1, "a", 90*time.Second, 30*time.Second), waiting(2, "b", 40*time.Second), gone)
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:2]
	s.Ended = []model.EndedTask{record(gone, noon.Add(time.Second))}
	allAgree(t, run(s))
	s.Ended = nil
	if run(s).Agrees() {
		t.Error("also without the record")
	}
}

func TestATaskThatStartedInTheRunAndEndedWasWaitingInIt(t *testing.T) {
	gone := running(9, "b", 60*time.Second, 0)
	s := cluster(waiting(2, "b", 40*time.Second), waiting(3, "a", 40*time.Second), gone)
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:2]
	s.Ended = []model.EndedTask{record(gone, noon.Add(time.Second))}
	allAgree(t, run(s))
}

// TestATaskThatEndedBeforeTheRunCountsAgainstItsArray: until a run has booked its usage.
func TestATaskThatEndedBeforeTheRunCountsAgainstItsArray(t *testing.T) {
	s := cluster(array(1, "a", 50*time.Second), waiting(2, "a", 40*time.Second))
	j := &s.Jobs[0]
	j.MaxRunningTasks = 2
	j.Tasks[0].IDs[0].Min = 2
	ended := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r", Enrolled: true, Started: noon.Add(-20 * time.Second),
		Ended: noon.Add(-3 * time.Second)}
	j.Tasks = append(j.Tasks, ended)
	print(s, split.Assumed{})
	j.Tasks = j.Tasks[:1]
	s.Trace = []model.TraceLine{{At: noon.Add(-10 * time.Second), Text: "PROF: schedd run took: 0"},
		{At: noon, Text: "PROF: schedd run took: 0"}}
	s.Ended = []model.EndedTask{{Job: 1, Task: 1, Owner: "a", Started: ended.Started, Ended: ended.Ended}}
	allAgree(t, run(s))
	s.Ended[0].Ended = noon.Add(-10 * time.Minute) // booked long ago
	if run(s).Agrees() {
		t.Error("it counts for ever")
	}
}

// TestAFinishedJobBringsTheNodeOfAUserWhoMapsToDefault: his usage counts in the run that books the job.
func TestAFinishedJobBringsTheNodeOfAUserWhoMapsToDefault(t *testing.T) {
	gone := running(9, "b", 60*time.Second, 30*time.Second)
	gone.Tasks[0].Ended = noon.Add(-time.Second)
	s := cluster(running(1, "a", 90*time.Second, 30*time.Second), waiting(2, "c", 40*time.Second), waiting(3, "a", 40*time.Second), gone)
	s.Policy.ShareTreeTickets, s.Has = 10000, append(slices.Clip(everyFile), "share_tree.txt", "sge_share_mon.txt")
	s.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{
		{Name: "g", Shares: 1, Children: []*model.ShareNode{{Name: "a", Shares: 1}, {Name: "default", Shares: 1}}}, {Name: "c", Shares: 1}}}
	s.Users = append(s.Users, model.User{Name: "c"})
	for i := range s.Users {
		s.Users[i].Usage.Decayed = []model.Amount{{Name: "cpu", Value: 100}}
	}
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:3]
	s.Trace = []model.TraceLine{{At: noon.Add(-10 * time.Second), Text: "PROF: schedd run took: 0"},
		{At: noon, Text: "PROF: schedd run took: 0"}}
	s.Ended = []model.EndedTask{record(gone, noon.Add(-time.Second))}
	allAgree(t, run(s))
	s.Ended = nil
	if run(s).Agrees() {
		t.Error("also without the record")
	}
}

func TestAJobWaitedForOneThatEndedSince(t *testing.T) {
	gone := running(9, "b", 60*time.Second, 30*time.Second)
	gone.Name = "first"
	next, named := waiting(2, "b", 40*time.Second), waiting(3, "b", 30*time.Second)
	next.Predecessors, next.PredecessorNames = []uint32{9}, []string{"9"}
	named.Predecessors, named.PredecessorNames = []uint32{9}, []string{"fir*"}
	s := cluster(next, named, waiting(4, "a", 20*time.Second), gone)
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:3]
	s.Jobs[0].Predecessors, s.Jobs[1].Predecessors = nil, nil
	s.Ended = []model.EndedTask{record(gone, noon)}
	s.Ended[0].Name = gone.Name
	allAgree(t, run(s))
}

func TestASnapshotBeforeTellsOfWhatEnded(t *testing.T) {
	gone := running(9, "b", 60*time.Second, 30*time.Second)
	gone.OverrideTickets = 70
	s := cluster(running(1, "a", 90*time.Second, 30*time.Second), waiting(2, "b", 40*time.Second), gone)
	before := *s
	print(s, split.Assumed{})
	s.Jobs = s.Jobs[:2]
	allAgree(t, Run(s, Options{Options: byRules, Before: &before}))
}

// TestAnEndedJobThatIsStillThereHasTheDepartmentOfItsRecord: qstat -j prints a job that no run has booked yet, but not its
// department.
func TestAnEndedJobThatIsStillThereHasTheDepartmentOfItsRecord(t *testing.T) {
	gone := running(9, "b", 60*time.Second, 30*time.Second)
	gone.Department = "d"
	s := cluster(waiting(1, "a", 90*time.Second), waiting(2, "b", 40*time.Second), gone)
	s.Jobs[0].Department, s.Policy.WeightDepartment = "d", 1
	s.Usersets = []model.Userset{{Name: "d", Department: true, FunctionalShares: 100}}
	print(s, split.Assumed{})
	s.Jobs[2].Tasks, s.Jobs[2].Department = nil, ""
	s.Ended = []model.EndedTask{record(gone, noon.Add(time.Second))}
	s.Ended[0].Department = "d"
	allAgree(t, run(s))
	if s.Jobs[2].Department != "" {
		t.Error("the snapshot was changed")
	}
}

func TestATaskThatIsThereHasNotEnded(t *testing.T) {
	again := running(1, "a", 90*time.Second, 30*time.Second) // rescheduled, which writes a record too
	s := cluster(again, waiting(2, "b", 40*time.Second))
	s.Ended = []model.EndedTask{record(again, noon)}
	for v := range revivals(s, nil, noon) {
		if n := len(v.Jobs[0].Tasks); n != 1 {
			t.Errorf("%d tasks", n)
		}
	}
}

func TestTheTrueOrderOfChangesExplains(t *testing.T) {
	jobs := []model.Job{waiting(1, "a", 50*time.Second), waiting(2, "a", 40*time.Second), waiting(3, "a", 30*time.Second),
		waiting(4, "b", 20*time.Second)}
	s := cluster(jobs...)
	s.Policy.Hierarchy, s.Policy.ReportPendingTickets = "S", true
	s.Users[0].OverrideTickets = 1000
	sequence := map[uint32]int{2: 0, 4: 1, 3: 2, 1: 3}
	print(s, split.Assumed{Sequence: sequence})
	v := lastrun.Recompute(s, noon, compat.Profiles["8.1.9"], split.Assumed{Sequence: sequence})
	var order []uint32
	for i := range v.Lists.Pending {
		order = append(order, v.Lists.Pending[i].Job.Number)
	}
	if !slices.Equal(order, []uint32{2, 4, 3, 1}) {
		t.Errorf("order %v", order)
	}
	allAgree(t, Run(s, Options{Options: byRules, Sequence: sequence}))
}

// TestARunMayStartTasksInTwoSeconds: the master stamps each start when it carries out the order.
func TestARunMayStartTasksInTwoSeconds(t *testing.T) {
	s := cluster(array(1, "a", 50*time.Second, 1, 2), waiting(2, "b", 40*time.Second), waiting(3, "a", 30*time.Second))
	print(s, split.Assumed{})
	s.TakenAt = noon.Add(2 * time.Second)
	s.Jobs[0].Tasks[2].Started = noon.Add(time.Second)
	s.Trace = []model.TraceLine{{At: noon.Add(-time.Minute), Text: "PROF: schedd run took: 0"},
		{At: noon.Add(time.Second), Text: "PROF: schedd run took: 0"}}
	s.Policy.WeightWaitingTime = 0
	print(s, split.Assumed{})
	r := run(s)
	allAgree(t, r)
	if !r.Moment.At.Equal(noon) {
		t.Errorf("at %v", r.Moment)
	}
}

// TestAFinishedTaskThatTheMasterKeepsCounts: qstat -j prints it (JAT_status 65536), and no accounting file is needed.
func TestAFinishedTaskThatTheMasterKeepsCounts(t *testing.T) {
	s := cluster(array(1, "a", 50*time.Second), waiting(2, "a", 40*time.Second))
	j := &s.Jobs[0]
	j.MaxRunningTasks, j.Tasks[0].IDs[0].Min = 1, 2
	ran := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r", Enrolled: true, Started: noon.Add(-20 * time.Second),
		Slots: 1}
	j.Tasks = append(j.Tasks, ran)
	print(s, split.Assumed{})
	j.Tasks = j.Tasks[:1]
	if run(s).Agrees() {
		t.Error("also where nothing tells of it")
	}
	j.Finished = []model.FinishedTask{{Number: 1, Started: ran.Started}}
	allAgree(t, run(s))
}

// TestWhatAnAuditTriesIsBoundedByEvidence: forty tasks that ended around the run, none of which says whether the run saw it, are no more
// than the last few records of that time, each taken for earlier or later; and without a record there is one state to try.
func TestWhatAnAuditTriesIsBoundedByEvidence(t *testing.T) {
	s := cluster(running(1, "a", 90*time.Second, 30*time.Second), waiting(2, "b", 40*time.Second))
	s.Trace = []model.TraceLine{{At: noon.Add(-2 * time.Second), Text: "PROF: schedd run took: 0.000 s"}}
	states := func() (n int) {
		for range revivals(s, nil, noon) {
			n++
		}
		return n
	}
	if n := states(); n != 1 {
		t.Errorf("%d states without a record", n)
	}
	for number := range uint32(40) {
		s.Ended = append(s.Ended, record(running(100+number, "b", 60*time.Second, 30*time.Second), noon.Add(-time.Second)))
	}
	if n, most := states(), (mostLate+1)*(mostLate+1); n < 2 || n > most {
		t.Errorf("%d states, want some and at most %d", n, most)
	}
}
