package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// reserving are waiting jobs with -R y.
func (l *linter) reserving() []*priority.Job {
	return those(l.waiting(), func(j *priority.Job) bool { return j.Job.Reserve })
}

// reservationsOff finds jobs that request reservations although the scheduler makes none.
func reservationsOff(l *linter) []lint.Trap {
	asked := l.reserving()
	if l.policy.MaxReservation > 0 || len(asked) == 0 {
		return nil
	}
	wide := those(asked, func(j *priority.Job) bool { return j.Job.PE != "" })
	return []lint.Trap{{
		Name:  "reservations-off",
		What:  "jobs request a reservation (-R y), but the scheduler makes none: max_reservation is 0",
		Place: l.Sched("max_reservation"),
		Effect: fmt.Sprintf("%s (parallel jobs: %d): %s. %s can start before %s",
			lint.Many(len(asked), "waiting job")+" "+
				lint.Verb(len(asked), "requests a reservation but gets none", "request a reservation but get none"),
			len(wide), numbers(asked), lint.Many(behindFirst(l.waiting(), asked[0]), "job")+" of lower priority",
			lint.Verb(len(asked), "it", "the first of them")),
		Fix: []string{setSched("max_reservation", fmt.Sprint(max(20, len(asked))))},
	}}
}

// behindFirst counts the jobs that come after one.
func behindFirst(jobs []*priority.Job, first *priority.Job) int {
	return len(jobs) - 1 - slices.Index(jobs, first)
}

// endless is a run time that no reservation can be planned with.
const endless = 30 * 24 * time.Hour

// runtimesUnknown finds reservations among jobs that say no run time.
func runtimesUnknown(l *linter) []lint.Trap {
	p := l.policy
	if p.MaxReservation == 0 || p.DefaultDuration < endless || len(l.reserving()) == 0 {
		return nil
	}
	running := those(l.running(), func(j *priority.Job) bool { return !timed(j.Job) && !l.queueLimits(j.Job) })
	waiting := those(l.waiting(), func(j *priority.Job) bool { return !timed(j.Job) })
	if len(running)+len(waiting) == 0 {
		return nil
	}
	length := "forever"
	if p.DefaultDuration != model.Forever {
		length = lint.Lasting(p.DefaultDuration)
	}
	var effects []string
	if n := len(running); n > 0 {
		effects = append(effects, fmt.Sprintf("no reservation can use the slots of %s, because their end is not known",
			lint.Many(n, "running job")))
	}
	if n := len(waiting); n > 0 {
		effects = append(effects, lint.Many(n, "waiting job")+" cannot backfill before a reservation")
	}
	return []lint.Trap{{
		Name: "runtimes-unknown",
		What: fmt.Sprintf("the scheduler makes reservations (max_reservation %d), but it expects a job "+
			"without h_rt to run for %s", p.MaxReservation,
			length),
		Place:  l.Sched("default_duration"),
		Effect: strings.Join(effects, "; "),
		Fix: []string{setSched("default_duration", "24:00:00"),
			"echo '-l h_rt=24:0:0' >> $SGE_ROOT/$SGE_CELL/common/sge_request"},
	}}
}

// timed says whether a job says how long it runs.
func timed(j *model.Job) bool { return lint.Asks(j, "h_rt") || lint.Asks(j, "s_rt") }

// queueLimits says whether the queue of a running job limits its run time.
func (l *linter) queueLimits(j *model.Job) bool {
	for _, t := range j.Tasks {
		for _, g := range t.Granted {
			i := slices.IndexFunc(l.Instances, func(q model.QueueInstance) bool { return q.Name == g.Instance })
			if i < 0 {
				continue
			}
			for _, name := range []string{"h_rt", "s_rt"} {
				if v, ok := model.Text(l.Instances[i].Limits, name); ok && !strings.EqualFold(v, "INFINITY") {
					return true
				}
			}
		}
	}
	return false
}
