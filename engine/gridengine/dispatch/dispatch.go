package dispatch

import (
	"errors"
	"fmt"
	"slices"

	"qprism/engine/model"
)

// An Input is a cluster at a moment.
type Input struct {
	Snapshot *model.Snapshot
	// Owned are the tasks that wait under the dispatcher's hold, or will before it starts anything, and under no other one.
	Owned map[uint32]model.TaskSet
	// Wanted plans a run in the dispatcher's order, Native the one that the scheduler will make, and InOrder one that takes some
	// jobs first. They take a snapshot in which holds are lifted or laid.
	Wanted, Native func(*model.Snapshot) *model.Plan
	InOrder        func(*model.Snapshot, []uint32) *model.Plan
	// Most bounds the jobs that start; 0 for no bound.
	Most int
	// Ahead says that slots which are still taken are decided about as well, where others wait for them too.
	Ahead bool
}

// A Start is a job, or tasks of an array that start alike, and where.
type Start struct {
	Job    uint32
	Tasks  model.TaskSet
	Array  bool
	PE     string        // parallel environment granted
	Slots  []model.Grant // of each task, the master's queue instance first
	Hosts  []string      // that -l hostname narrows it to
	Queues []string      // that -l qname narrows it to
	First  []string      // hosts that a soft -l hostname asks for, so that they fill first; nil where no such request is needed
}

// A Left is a job that the dispatcher's plan would start, and that is not started now.
type Left struct {
	Job   uint32
	Tasks int
	Why   string
}

// A Result is what is to be started, in the dispatcher's order, and what is not.
type Result struct {
	Plan   *model.Plan // the run in the dispatcher's order
	Starts []Start
	Ahead  []Start // for slots that are still taken
	Left   []Left
}

// Decide decides what starts.
func Decide(in Input) (*Result, error) {
	if err := narrowable(in.Snapshot); err != nil {
		return nil, err
	}
	c := &cluster{Input: in, jobs: map[uint32]*model.Job{}, rules: map[string]string{}}
	for i := range in.Snapshot.Jobs {
		c.jobs[in.Snapshot.Jobs[i].Number] = &in.Snapshot.Jobs[i]
	}
	for _, pe := range in.Snapshot.PEs {
		c.rules[pe.Name] = pe.AllocationRule
	}
	lifted := Lift(in.Snapshot, in.Owned)
	r := &Result{Plan: in.Wanted(lifted)}
	if queues := r.take(c); len(queues) > 0 {
		*r = Result{Plan: in.Wanted(within(lifted, queues))}
		r.take(c)
	}
	r.limit(in.Most)
	r.confirm(c)
	if in.Ahead {
		return r, r.ahead(c)
	}
	return r, nil
}

type cluster struct {
	Input
	jobs  map[uint32]*model.Job
	rules map[string]string // allocation rules by parallel environment
}

// The complex attributes that narrow a job to queue instances. Other than a list of queues (-q), requests for them can be taken
// back where there were none: qalter has no way to empty a list of queues.
const (
	hostname = "hostname"
	qname    = "qname"
)

// narrowable is an error where jobs may not ask for hosts and queues.
func narrowable(s *model.Snapshot) error {
	for _, name := range []string{hostname, qname} {
		i := slices.IndexFunc(s.Resources, func(r model.Resource) bool { return r.Name == name })
		if i < 0 || s.Resources[i].Requestable == model.RequestNo {
			return fmt.Errorf("jobs cannot be told where to start: the complex attribute %s is not requestable (qconf -mc)", name)
		}
	}
	if len(s.Instances) == 0 {
		return errors.New("the snapshot has no queue instances")
	}
	return nil
}

// take gathers the starts of owned jobs from the dispatcher's plan: one for each job. Jobs that cannot be narrowed to where they would
// start are returned with a queue in which they may be.
func (r *Result) take(c *cluster) (queues map[uint32]string) {
	byJob := map[uint32][]model.Decision{}
	var order []uint32
	for _, d := range r.Plan.Decisions {
		if d.Verdict != model.Now || len(c.Owned[d.Job]) == 0 {
			continue
		}
		if byJob[d.Job] == nil {
			order = append(order, d.Job)
		}
		byJob[d.Job] = append(byJob[d.Job], d)
	}
	queues = map[uint32]string{}
	for _, number := range order {
		start, later := alike(byJob[number])
		start.Array = c.jobs[number].Array
		if why := c.narrow(&start); why != "" {
			r.leave(start, why)
			if len(start.Queues) > 1 {
				queues[number] = start.Queues[0]
			}
		} else {
			r.Starts = append(r.Starts, start)
		}
		if later > 0 {
			r.Left = append(r.Left, Left{number, later, "other tasks of the array start elsewhere first: its tasks have one request"})
		}
	}
	return queues
}

// limit leaves the last starts for later where there are more than some.
func (r *Result) limit(most int) {
	if most <= 0 || len(r.Starts) <= most {
		return
	}
	for _, s := range r.Starts[most:] {
		r.leave(s, fmt.Sprintf("%d jobs start in this step, and no more may", most))
	}
	r.Starts = r.Starts[:most]
}

func (r *Result) leave(s Start, why string) {
	r.Left = append(r.Left, Left{s.Job, len(s.Tasks), why})
}

// alike makes a start of those decisions about a job that share one queue instance, the one with most of them: -l is a request
// of the whole array. A parallel array starts one task at a time.
func alike(list []model.Decision) (start Start, later int) {
	count := map[string]int{}
	best := list[0]
	for _, d := range list {
		if len(d.Slots) == 1 && d.PE == "" {
			count[d.Slots[0].Instance]++
			if count[d.Slots[0].Instance] > count[best.Slots[0].Instance] {
				best = d
			}
		}
	}
	start = Start{Job: best.Job, PE: best.PE, Slots: best.Slots, Tasks: model.TaskSet{}}
	for _, d := range list {
		switch {
		case best.PE == "" && d.PE == "" && d.Slots[0].Instance == best.Slots[0].Instance,
			best.PE != "" && len(start.Tasks) == 0:
			start.Tasks = start.Tasks.With(model.TasksOf(d.Tasks))
		default:
			later++
		}
	}
	return start, later
}
