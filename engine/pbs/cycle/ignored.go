package cycle

import (
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
)

// Aside lists the jobs that wait and that the scheduler does not look at: held ones, those that may not
// start before some time, those that somebody suspended, and those in queues that are not its own, by
// number. A plan has no decisions about them.
func Aside(s *model.Snapshot) (list []model.Decision) {
	if s.PBS == nil {
		return nil
	}
	own := ownQueues(s)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || j.PBS.Array != "" {
			continue
		}
		if why := aside(j, own); why.Kind != "" {
			d := model.Decision{Job: j.Number, ID: j.PBS.ID, Verdict: model.Never, Why: []model.Reason{why}}
			if j.Array {
				d.Tasks = j.PBS.ArrayRemaining
			}
			list = append(list, d)
		}
	}
	return list
}

// ownQueues are the execution queues that the scheduler looks after.
func ownQueues(s *model.Snapshot) map[string]bool {
	sched := s.PBS.Scheduler()
	own := map[string]bool{}
	for i := range s.Queues {
		q := &s.Queues[i]
		own[q.Name] = q.PBS != nil && q.PBS.Type == "Execution" && sched.Serves(q.PBS.Partition)
	}
	return own
}

// aside is why the scheduler does not look at a job; without a kind where it does.
func aside(j *model.Job, own map[string]bool) model.Reason {
	p := j.PBS
	state := model.Reason{Kind: model.ReasonJobState, Offered: p.State}
	switch p.State {
	case "H":
		if state.Asked = p.Holds; strings.Contains(p.Holds, "s") && p.Depend != "" {
			state.Resource, state.Asked = "depend", p.Depend
		}
	case "W":
		state.Asked = j.ExecutionTime.UTC().Format("2006-01-02 15:04:05")
	case "S", "U":
		if p.Substate == cluster.SuspendedByScheduler {
			return model.Reason{}
		}
	case "Q", "B":
		if own[p.Queue] || p.State == "B" && len(p.ArrayRemaining) == 0 {
			return model.Reason{}
		}
		state.Asked = p.Queue
	case "T", "M":
	default:
		return model.Reason{}
	}
	return state
}
