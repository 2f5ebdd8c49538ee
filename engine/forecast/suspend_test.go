package forecast

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

const hour = time.Hour

// preempted is the third use case of "Scheduler Policies for Job Prioritization": two hosts, on each a queue for jobs that run at once, and
// a regular one that is subordinate to it.
func preempted(jobs ...model.Job) *model.Snapshot {
	s := cluster(1, jobs...)
	s.Instances = nil
	for _, host := range []string{"node01", "node02"} {
		s.Instances = append(s.Instances,
			model.QueueInstance{Name: "immediate.q@" + host, Queue: "immediate.q", Host: host, Slots: 1,
				Subordinates: []model.Subordinate{{Queue: "regular.q"}}},
			model.QueueInstance{Name: "regular.q@" + host, Queue: "regular.q", Host: host, Slots: 1})
	}
	s.Checkpoints = []model.Checkpoint{
		{Name: "again", Settings: []model.Setting{{Name: "when", Value: "xr"}, {Name: "ckpt_command", Value: "NONE"}}},
		{Name: "goes-on", Settings: []model.Setting{{Name: "when", Value: "xr"}, {Name: "ckpt_command", Value: "/opt/checkpoint"}}}}
	return s
}

func in(queue string, j model.Job) model.Job { j.HardQueues = []string{queue + ".q"}; return j }

func TestATaskThatItsQueueSuspendsStandsStill(t *testing.T) {
	climate := func(number uint32, limit time.Duration) model.Job { return in("regular", job(number, "", limit)) }
	noon := with(in("immediate", job(9, "", hour)), func(j *model.Job) { j.ExecutionTime = zero.Add(hour) })
	ckpt := func(j model.Job, name string) model.Job { j.Checkpoint = name; return j }
	for name, c := range map[string]struct {
		s    *model.Snapshot
		want string // job, start and end in hours and minutes from the snapshot, host
	}{
		"nothing is suspended where nothing asks for it": {preempted(climate(1, 0), climate(2, 0)),
			"1 0s 3h0m0s node01, 2 0s 3h0m0s node02"},
		"an hour of suspension is an hour more": {preempted(climate(1, 0), climate(2, 0), noon),
			"1 0s 4h0m0s node01, 2 0s 3h0m0s node02, 9 1h0m0s 2h0m0s node01"},
		"a limit of run time counts on": {preempted(climate(1, 3*hour), climate(2, 0), noon),
			"1 0s 3h0m0s node01, 2 0s 3h0m0s node02, 9 1h0m0s 2h0m0s node01"},
		"nothing starts in a queue that is suspended": {preempted(in("immediate", job(9, "", hour)), in("immediate", job(8, "", hour)),
			with(climate(1, 0), func(j *model.Job) { j.ExecutionTime = zero.Add(minute) })),
			"1 1h0m0s 4h0m0s node01, 8 0s 1h0m0s node02, 9 0s 1h0m0s node01"},
		"of two that start in one run the regular one stands still right away": {preempted(in("immediate", job(9, "", hour)), climate(1, 0)),
			"1 0s 4h0m0s node01, 9 0s 1h0m0s node01"},
		"a checkpoint lets it go elsewhere, and on": {preempted(ckpt(climate(1, 0), "goes-on"), climate(2, 90*time.Minute), noon),
			"1 0s 1h0m0s node01, 1 1h30m0s 3h30m0s node02, 2 0s 1h30m0s node02, 9 1h0m0s 2h0m0s node01"},
		"killed and submitted again, it starts from its beginning": {
			preempted(ckpt(climate(1, 0), "again"), climate(2, 90*time.Minute), noon),
			"1 0s 1h0m0s node01, 1 1h30m0s 4h30m0s node02, 2 0s 1h30m0s node02, 9 1h0m0s 2h0m0s node01"},
	} {
		f := Run(c.s, Options{At: zero, Plan: firstFit, Estimate: 3 * hour})
		lines := []string{}
		for _, s := range f.Starts {
			_, host, _ := strings.Cut(s.Slots[0].Instance, "@")
			lines = append(lines, fmt.Sprintf("%d %v %v %s", s.Job, s.At.Sub(zero), s.End.Sub(zero), host))
		}
		if got := sorted(lines); got != c.want || f.Ending != AllStarted {
			t.Errorf("%s:\n got %s (%s)\nwant %s", name, got, f.Ending, c.want)
		}
	}
}

func TestTheRangeOfAStartFollowsTheLimitOfASuspendedTask(t *testing.T) {
	noon := with(in("immediate", job(9, "", hour)), func(j *model.Job) { j.ExecutionTime = zero.Add(hour) })
	next := with(in("regular", job(3, "", hour)), func(j *model.Job) { j.ExecutionTime = zero.Add(minute) })
	for name, c := range map[string]struct {
		limit time.Duration // of job 1, which stands still for the second hour
		start time.Duration // of job 3
	}{
		"it goes on, and is killed":                               {3 * hour, 3 * hour},
		"it goes on for half an hour":                             {150 * time.Minute, 150 * time.Minute},
		"it is killed while the queue is suspended for an hour":   {90 * time.Minute, 2 * hour},
		"it has no limit, and ends one hour later than estimated": {0, 4 * hour},
	} {
		s := preempted(in("regular", job(1, "", c.limit)), in("regular", job(2, "", 5*hour)), noon, next)
		f := Run(s, Options{At: zero, Plan: firstFit, Estimate: 3 * hour, Latency: 5 * time.Second})
		k := slices.IndexFunc(f.Starts, func(s Start) bool { return s.Job == 3 })
		if k < 0 {
			t.Fatalf("%s: job 3 does not start: %+v", name, f.Starts)
		}
		b := f.Starts[k]
		early, late := b.At.Sub(zero)-c.start, b.Latest.Sub(zero)-c.start
		if early < 0 || early > minute || late > 2*minute || b.At.Before(b.Earliest) || b.At.After(b.Latest) {
			t.Errorf("%s: starts after %v, from %v to %v", name, b.At.Sub(zero), b.Earliest.Sub(zero), b.Latest.Sub(zero))
		}
	}
}

// TestWhatTheLastRunStartedDoesNotWait: for a run, a task that started at its moment still waits, and its start can have
// suspended its own queue instance.
func TestWhatTheLastRunStartedDoesNotWait(t *testing.T) {
	plan := func(s *model.Snapshot, at time.Time, reasons bool) *model.Plan {
		p := firstFit(s, at, reasons)
		for i := range s.Jobs {
			for _, task := range s.Jobs[i].Tasks {
				if task.Started.Equal(at) {
					p.Decisions = append(p.Decisions, model.Decision{Job: s.Jobs[i].Number, Tasks: task.IDs, Verdict: model.Never})
				}
			}
		}
		return p
	}
	s := preempted(in("immediate", job(9, "", 0)), in("immediate", job(8, "", 0)), in("regular", job(1, "", 0)),
		in("regular", job(2, "", 0)), in("regular", job(3, "", 0)))
	f := Run(s, Options{At: zero, Plan: plan})
	if f.Ending != NothingEnds || len(f.Starts) != 4 || len(f.Waits) != 1 || f.Waits[0].Job != 3 {
		t.Errorf("%s: %d starts, waits: %+v", f.Ending, len(f.Starts), f.Waits)
	}
}

func sorted(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, ", ")
}
