package diff

import (
	"strings"
	"time"

	"qprism/engine/gridengine/record"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/reason"
)

// recorded is what findRecorded finds, once for each task.
func (s *step) recorded(late Task) (Cause, bool) {
	known, asked := s.remembered.recorded[late]
	if !asked {
		if s.remembered.recorded == nil {
			s.remembered.recorded = map[Task]found{}
		}
		known.Cause, known.ok = s.findRecorded(late)
		s.remembered.recorded[late] = known
	}
	return known.Cause, known.ok
}

// A found cause, where there is one.
type found struct {
	Cause
	ok bool
}

// findRecorded is why a task waited by what the scheduler recorded of the run: a reservation, or why it did not start.
func (s *step) findRecorded(late Task) (Cause, bool) {
	if s.causes == nil {
		s.causes = map[Task]Cause{}
		if s.before.PBS != nil {
			s.readLog()
		} else {
			s.readReservations()
		}
	}
	if c, ok := s.causes[late]; ok {
		return c, true
	}
	if c, ok := s.causes[Task{Job: late.Job}]; ok { // of the array as a whole
		return c, true
	}
	return s.said(late)
}

// readReservations reads for whom the run reserved, from the schedule file.
func (s *step) readReservations() {
	for _, run := range s.after.Runs {
		p := record.Plan(run)
		if !p.RunAt.Equal(s.at) {
			continue
		}
		s.fileTells = true
		for _, d := range p.Decisions {
			if d.Verdict == model.Later {
				s.causes[group(d.Job, d.Tasks).task] = Cause{Kind: Backfilled,
					Detail: "according to the schedule file", Start: d.Start}
			}
		}
	}
}

// lacksReservation reports whether the schedule file tells of the run, and not that it reserved for a task.
func (s *step) lacksReservation(t Task) bool {
	s.recorded(t) // reads the file
	return s.fileTells && s.causes[t].Kind != Backfilled
}

// readLog reads what the log of a PBS scheduler says of the jobs of the cycle. Of an array it speaks as a
// whole, task 0 here.
func (s *step) readLog() {
	if s.cycle == 0 {
		return
	}
	tops := map[uint32]time.Time{}
	for _, e := range s.after.PBS.Cycles[s.cycle-1].Events {
		name, rest, isArray := strings.Cut(e.Object, "[]")
		t, ok := taskOf(name + rest)
		if isArray {
			t.Number = 0
		}
		switch {
		case !ok:
		case e.Kind == model.EventTopJob:
			tops[t.Job] = e.Start
		case e.Kind == model.EventNotRun:
			if r, known := reason.Parse(e.Text); known {
				if c, known := causeOf([]model.Reason{r}); known {
					c.reserve(tops[t.Job])
					s.causes[t] = c
				}
			}
		}
	}
}

// said is what the scheduler's messages, or a job's comment, say after the run, where it was the last one
// before the later snapshot.
func (s *step) said(late Task) (Cause, bool) {
	j := s.jobIn(s.after, late)
	if j == nil || !s.isLast {
		return Cause{}, false
	}
	var why []model.Reason
	if j.PBS != nil && s.cycle == 0 {
		if r, known := reason.Parse(j.PBS.Comment); known {
			why = append(why, r)
		}
	}
	for _, m := range j.Messages {
		if r, ok := ofMessage(m); ok {
			why = append(why, r)
		}
	}
	return causeOf(why)
}

// causeOf is the cause that reasons amount to which a master gave.
func causeOf(why []model.Reason) (Cause, bool) {
	best := heaviest(why)
	if best == nil || best.Kind == Unknown {
		return Cause{}, false
	}
	return best.Cause, true
}

// messages are the kinds of what a Grid Engine scheduler says of a job by the number of the message, where
// that decides it (sge_schedd_text.h).
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

// ofOffers is the reason that offers of a place make, "hc:slots=0.000000": of several the first that time
// does not mend.
func ofOffers(offers []string) (r model.Reason, ok bool) {
	for _, text := range offers {
		scope, amount, named := strings.Cut(text, ":")
		name, _, valued := strings.Cut(amount, "=")
		if !named || !valued {
			return model.Reason{}, false
		}
		reserved := strings.HasSuffix(text, "due to a reservation")
		one := model.Reason{Kind: model.ReasonResource, Resource: name, Later: reserved ||
			strings.HasSuffix(scope, "c"), Reserved: reserved}
		if !ok || r.Later && !one.Later {
			r, ok = one, true
		}
	}
	return r, ok
}
