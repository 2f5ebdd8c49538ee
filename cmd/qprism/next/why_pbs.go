package next

import (
	"cmp"
	"fmt"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/engine/pbs/simulate"
)

// runsSince says since when a job of PBS runs. It is empty for an array, because its subjobs run.
func runsSince(j *model.Job) string {
	if p := j.PBS; p.State == "R" && !j.Array {
		return fmt.Sprintf("It has been running since %s UTC on %s.", p.Started.UTC().Format(
			"2006-01-02 15:04:05"), p.ExecVnode)
	}
	return ""
}

// commentOf is the comment of a job that does not run.
func commentOf(j *model.Job) string {
	if j.PBS.State == "R" {
		return ""
	}
	return j.PBS.Comment
}

// selectAsked prints a job's requests: select, place and walltime.
func selectAsked(j *model.Job) string {
	parts := []string{"queue " + j.PBS.Queue}
	if text := cmp.Or(j.PBS.Select, j.PBS.SchedSelect); text != "" {
		parts = append(parts, "select="+text)
	}
	if j.PBS.Place != "" {
		parts = append(parts, "place="+j.PBS.Place)
	}
	if length := simulate.Length(j); length != model.Forever {
		parts = append(parts, "walltime="+show.SpanText(length))
	} else {
		parts = append(parts, "no walltime")
	}
	return strings.Join(parts, ", ")
}

// advisePBS returns what helps. It is empty if only time helps.
func advisePBS(s *subject.Subject, r *whyReport) string {
	if len(r.Decision.Why) == 0 {
		return ""
	}
	why, id := &r.Decision.Why[0], r.id
	switch {
	case r.chance.Never && why.Kind != model.ReasonShares:
		return adviseNeverPBS(id, r.chance)
	case why.Kind == model.ReasonJobState:
		return cmp.Or(adviseScheduler(s.Snapshot, why), adviseJobState(why, id))
	case why.Kind == model.ReasonShares:
		return "\"" + s.Command("shares") + "\" shows the fairshare tree; its owner needs a line with shares in resource_group"
	case why.Kind == model.ReasonThreshold:
		return "\"" + s.Command("priorities") + "\" shows the value of each job; \"qmgr -c 'list sched'\" shows the threshold"
	case why.Kind == model.ReasonLimit:
		return "\"qmgr -c 'list server'\" and \"qmgr -c 'list queue'\" show the limits"
	}
	return ""
}

// adviseScheduler names the scheduler that manages the queue of a job, if the planned one does not. It is empty
// if there is none.
func adviseScheduler(s *model.Snapshot, why *model.Reason) string {
	if why.Offered != "Q" {
		return ""
	}
	if sched := s.ServedElsewhere(why.Asked); sched != nil {
		return fmt.Sprintf("add --scheduler %s: then qprism plans for the scheduler of queue %s", sched.Name, why.Asked)
	}
	return ""
}

func adviseJobState(why *model.Reason, id string) string {
	switch {
	case why.Resource == "depend":
		return fmt.Sprintf("\"qstat -f %s\" shows what it waits for (depend)", id)
	case why.Offered == "H":
		return fmt.Sprintf("\"qrls -h %s %s\" releases it", cmp.Or(why.Asked, "u"), id)
	case why.Offered == "S":
		return fmt.Sprintf("\"qsig -s resume %s\" resumes it", id)
	case why.Offered == "W":
		return fmt.Sprintf("\"qalter -a TIME %s\" with an earlier time lets it start earlier", id)
	}
	return fmt.Sprintf("\"qmove QUEUE %s\" moves it to another queue", id)
}
