package diff

import (
	"strings"

	"qprism/engine/cycle"
	"qprism/engine/model"
	"qprism/engine/record"
)

// told is what recorded tells, found out once for each task.
func (s *step) told(late Task) (Cause, bool) {
	return remember(&s.remembered.told, late, s.recorded)
}

// recorded is why a task waited by what the scheduler itself recorded of the run: that it reserved for it, or why it did not start it.
func (s *step) recorded(late Task) (Cause, bool) {
	if s.before.PBS != nil {
		return s.logged(late)
	}
	for _, run := range s.after.Runs {
		p := record.Plan(run)
		if !p.RunAt.Equal(s.at) {
			continue
		}
		for _, d := range p.Decisions {
			if d.Verdict == model.Later && group(d.Job, d.Tasks).task == late {
				return Cause{Kind: Backfilled, Detail: "as the schedule file says", Start: d.Start}, true
			}
		}
	}
	j := s.jobIn(s.after, late)
	if j == nil || !s.isLast {
		return Cause{}, false // its messages are of a later run
	}
	var why []model.Reason
	for _, m := range j.Messages {
		if r, ok := ofMessage(m); ok {
			why = append(why, r)
		}
	}
	return causeOf(why)
}

// logged is what the log of a PBS scheduler says of a task in this cycle, or the job's comment where it is of this cycle.
func (s *step) logged(late Task) (c Cause, ok bool) {
	if s.cycle == 0 {
		if j := s.jobIn(s.after, late); j != nil && s.isLast {
			if r, known := cycle.Told(j.PBS.Comment); known {
				return causeOf([]model.Reason{r})
			}
		}
		return Cause{}, false
	}
	var start Cause
	for _, e := range s.after.PBS.Cycles[s.cycle-1].Events {
		t, isTask := taskOf(strings.Replace(e.Object, "[]", "", 1))
		if !isTask || t.Job != late.Job || t != late && strings.Contains(e.Object, "[") && !strings.Contains(e.Object, "[]") {
			continue
		}
		switch e.Kind {
		case model.EventTopJob:
			start.Start = e.Start
		case model.EventNotRun:
			if r, known := cycle.Told(e.Text); known {
				c, ok = causeOf([]model.Reason{r})
			}
		}
	}
	c.reserve(start.Start)
	return c, ok
}

// causeOf is the cause that reasons amount to which a master gave.
func causeOf(why []model.Reason) (Cause, bool) {
	best := heaviest(why)
	if best == nil || best.Kind == Unknown {
		return Cause{}, false
	}
	return best.Cause, true
}

// messages are the kinds of what a Grid Engine scheduler says of a job by the number of the message, where that decides it
// (sge_schedd_text.h).
var messages = map[uint32]model.Reason{
	1:  {Kind: model.ReasonAccess},
	6:  {Kind: model.ReasonQueueList},
	8:  {Kind: model.ReasonPE},
	14: {Kind: model.ReasonForced},
	24: {Kind: model.ReasonPESlots, Later: true},
	31: {Kind: model.ReasonExecutionTime},
	33: {Kind: model.ReasonHold},
	34: {Kind: model.ReasonUserLimit},
	35: {Kind: model.ReasonDependency},
	45: {Kind: model.ReasonTaskLimit},
	50: {Kind: model.ReasonQuota, Later: true},
}

// ofMessage is the reason that a scheduler's message gives; ok is false where it does not say what is short.
func ofMessage(m model.JobReason) (r model.Reason, ok bool) {
	if r, ok = messages[m.Code]; ok {
		if _, rule, quota := strings.Cut(m.Text, `in rule "`); quota {
			r.Object, _, _ = strings.Cut(rule, `"`)
		}
		return r, true
	}
	if _, what, unknown := strings.Cut(m.Text, "job requests unknown resource ("); unknown {
		name, _, _ := strings.Cut(what, ")")
		return model.Reason{Kind: model.ReasonUnknown, Resource: name}, true
	}
	return ofOffers(strings.Split(m.Text, "it offers only ")[1:])
}

// ofOffers is the reason that offers of a place make, "hc:slots=0.000000": of several the first that time does not mend.
func ofOffers(offers []string) (r model.Reason, ok bool) {
	for _, text := range offers {
		scope, amount, named := strings.Cut(text, ":")
		name, _, valued := strings.Cut(amount, "=")
		if !named || !valued {
			return model.Reason{}, false
		}
		reserved := strings.HasSuffix(text, "due to a reservation")
		one := model.Reason{Kind: model.ReasonResource, Resource: name, Later: reserved || strings.HasSuffix(scope, "c"), Reserved: reserved}
		if !ok || r.Later && !one.Later {
			r, ok = one, true
		}
	}
	return r, ok
}
