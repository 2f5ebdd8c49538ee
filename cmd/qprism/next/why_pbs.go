package next

import (
	"cmp"
	"fmt"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// why finds why a job of PBS does not start; subjobs are jobs there.
func (s pbsOutlook) why(p *model.Plan, j *model.Job, _ uint32) *whyReport {
	r := &whyReport{Delay: delay.OfPBS(s.Snapshot, p, j), id: j.PBS.ID, asks: selectAsked(j), at: p.RunAt}
	if p := j.PBS; p.State == "R" && !j.Array {
		r.state = fmt.Sprintf("It runs since %s UTC on %s.", p.Started.UTC().Format("2006-01-02 15:04:05"), p.ExecVnode)
	}
	if p := j.PBS; p.Comment != "" && p.State != "R" {
		r.comment = p.Comment
	}
	if r.Decision != nil {
		r.advice = s.advise(r)
	}
	return r
}

// selectAsked is what a job asks for: its select and place, and its walltime.
func selectAsked(j *model.Job) string {
	parts := []string{"queue " + j.PBS.Queue}
	if text := cmp.Or(j.PBS.Select, j.PBS.SchedSelect); text != "" {
		parts = append(parts, "select="+text)
	}
	if j.PBS.Place != "" {
		parts = append(parts, "place="+j.PBS.Place)
	}
	if length := cycle.Length(j); length != model.Forever {
		parts = append(parts, "walltime="+show.SpanText(length))
	} else {
		parts = append(parts, "no walltime")
	}
	return strings.Join(parts, ", ")
}

// vnodeText says why a vnode has no room.
func vnodeText(r *model.Reason) string {
	switch {
	case r.Kind == model.ReasonQueueState && r.Later:
		return "is full (" + r.Offered + ")"
	case r.Kind == model.ReasonQueueState:
		return "is " + strings.ReplaceAll(r.Offered, ",", ", ")
	case r.Kind == model.ReasonResource && r.Later:
		return "has too little " + r.Resource + " free" + words.AskedOffered(r)
	case r.Differs:
		return "has " + r.Resource + " " + cmp.Or(r.Offered, "none") + ", not " + r.Asked
	case r.Kind == model.ReasonResource:
		return "has too little " + r.Resource + " even if nothing ran" + words.AskedOffered(r)
	}
	return words.ReasonText(r)
}

// advise is the command that helps on.
func (s pbsOutlook) advise(r *whyReport) string {
	forecast := "qprism forecast says when it is likely to start"
	if len(r.Decision.Why) == 0 {
		return forecast
	}
	why, id := &r.Decision.Why[0], r.id
	switch {
	case why.Kind == model.ReasonJobState:
		return s.adviseAside(why, id)
	case why.Kind == model.ReasonShares:
		return "qprism shares shows the fairshare tree; qprism lint has the line of resource_group that gives it shares"
	case why.Never:
		return fmt.Sprintf("qalter -l %s changes what it asks for: with what is configured it can never run", id)
	case why.Kind == model.ReasonThreshold:
		return "qprism priorities shows the value of each job; qmgr -c 'list sched' the threshold"
	case why.Kind == model.ReasonLimit:
		return "qmgr -c 'list server' and 'list queue' show limits; " + forecast
	}
	return forecast
}

func (pbsOutlook) adviseAside(why *model.Reason, id string) string {
	switch {
	case why.Resource == "depend":
		return fmt.Sprintf("qstat -f %s shows what it waits for (depend)", id)
	case why.Offered == "H":
		return fmt.Sprintf("qrls -h %s %s lets it go", cmp.Or(why.Asked, "u"), id)
	case why.Offered == "S":
		return fmt.Sprintf("qsig -s resume %s lets it go on", id)
	case why.Offered == "W":
		return fmt.Sprintf("qalter -a with another time lets %s start sooner", id)
	}
	return fmt.Sprintf("qmove QUEUE %s puts it into another queue", id)
}
