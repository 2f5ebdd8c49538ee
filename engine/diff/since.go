package diff

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// settle finds the state of the cluster in the run. It plans the run on up to three states, and keeps the
// one whose plan differs least from the actual starts:
//
// First the state of the earlier snapshot. Then the same with all changes that the later snapshot shows.
// Last with the usage of the later snapshot, too, because a PBS scheduler writes down only some of its
// usage.
func (s *step) settle() {
	s.expected, s.expectedMemory = s.state, s.memory
	if s.before.PBS == nil && len(s.starts) == 0 {
		return // nobody was overtaken, and nothing is remembered
	}
	best, state, memory := s.agreement(s.decide(s.Release).Plan), s.state, s.memory
	for _, used := range []bool{false, true} {
		if best == 0 {
			break
		}
		s.plans, s.state = map[model.Quirks]*decided{}, altered(s.expected, s.after)
		if used && s.state.PBS == nil {
			s.state.Users, s.state.Projects = s.after.Users, s.after.Projects
		} else if used {
			s.memory = s.memory.charged(&s.after.PBS.Fairshare.Usage)
		}
		plan, _ := planRun(s.state, s.at, s.Release, s.memory, true)
		if now := s.agreement(plan); now < best {
			best, state, memory = now, s.state, s.memory
		}
	}
	if s.differences = best; s.state != state {
		s.plans, s.state, s.memory = map[model.Quirks]*decided{}, state, memory
	}
}

// agreement counts the tasks that either a plan starts or the run did, but not both.
func (s *step) agreement(p *model.Plan) (differences int) {
	started := map[Task]bool{}
	for _, one := range s.starts {
		started[one.task] = true
	}
	common := 0
	for _, n := range p.Decisions {
		switch t := group(n.Job, n.Tasks).task; {
		case n.Verdict != model.Now:
		case started[t]:
			common++
		default:
			differences++
		}
	}
	return differences + len(started) - common
}

// altered is a state with the configuration of the later snapshot, and waiting jobs as these are there.
func altered(now, after *model.Snapshot) *model.Snapshot {
	own := *now
	own.Policy, own.ShareTree, own.Resources, own.Config, own.Usersets, own.Quotas = after.Policy,
		after.ShareTree, after.Resources,
		after.Config, after.Usersets, after.Quotas
	own.PEs, own.Calendars = after.PEs, after.Calendars
	own.Instances = slices.Clone(now.Instances)
	states := map[string]string{}
	for i := range after.Instances {
		states[after.Instances[i].Name] = after.Instances[i].State
	}
	for i := range own.Instances {
		if state, known := states[own.Instances[i].Name]; known {
			own.Instances[i].State = state
		}
	}
	own.Jobs = slices.Clone(now.Jobs)
	later := jobsOf(after)
	for i := range own.Jobs {
		j := &own.Jobs[i]
		if other := later.of(Task{j.Number, indexOf(j)}); other != nil {
			alter(j, other, wholeSeconds(now.TakenAt, after.TakenAt))
		}
	}
	if now.PBS != nil && after.PBS != nil {
		own.PBS = configured(now.PBS, after.PBS)
		own.Queues = slices.Clone(now.Queues)
		for i := range own.Queues {
			for _, q := range after.Queues {
				if q.Name == own.Queues[i].Name && q.PBS != nil {
					p := *q.PBS
					p.Assigned = own.Queues[i].PBS.Assigned
					own.Queues[i] = q
					own.Queues[i].PBS = &p
				}
			}
		}
	}
	return &own
}

// configured is the state of a PBS server with the configuration of another.
func configured(now, after *model.PBS) *model.PBS {
	p := *now
	p.SchedConfig, p.Formula, p.Schedulers, p.Server = after.SchedConfig, after.Formula, after.Schedulers, after.Server
	p.Server.Assigned = now.Server.Assigned
	p.Fairshare.Groups, p.Fairshare.Policy = after.Fairshare.Groups, after.Fairshare.Policy
	p.Holidays, p.Dedicated = after.Holidays, after.Dedicated
	return &p
}

// wholeSeconds is how much of eligible time passes between two moments: the server counts whole seconds.
func wholeSeconds(from, until time.Time) time.Duration {
	return until.Truncate(time.Second).Sub(from.Truncate(time.Second))
}

// alter makes a waiting job ask for what it asks for later.
func alter(j *model.Job, later *model.Job, by time.Duration) {
	if j.PBS != nil {
		if strings.Contains("QHW", j.PBS.State) {
			*j = waitingAgain(*later, by)
		}
		return
	}
	tasks, started := j.Tasks, j.Predecessors
	if slices.ContainsFunc(tasks, func(t model.Task) bool { return !t.Started.IsZero() }) {
		return
	}
	*j = *later
	j.Tasks, j.Predecessors = tasks, started
	for _, t := range later.Tasks {
		if t.Started.IsZero() && strings.ContainsAny(t.State, "hE") {
			j.Tasks = later.Tasks
		}
	}
}

// waitingAgain is a PBS job as it was before it started: queued, and its eligible time shorter by so much.
func waitingAgain(j model.Job, by time.Duration) model.Job {
	p := *j.PBS
	if hasRun(&p) || p.State == "B" {
		p.State, p.Substate, p.ExecVnode, p.Started, p.Used = "Q", 10, "", time.Time{}, nil
		if j.Array {
			p.ArrayRemaining = j.Structure
		}
	}
	if p.AccrueType == model.Eligible {
		p.EligibleTime = max(0, p.EligibleTime-by)
	}
	j.PBS = &p
	return j
}
