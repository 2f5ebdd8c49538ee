package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

func (l *pbsLinter) strict() bool {
	return l.either(func(p *model.CyclePolicy) bool { return p.StrictOrdering })
}

// depthWithoutStrict finds a backfill_depth that does nothing (quirk P15). One is what every server says by itself.
func depthWithoutStrict(l *pbsLinter) []lint.Trap {
	object, part := "server", "server"
	depth := l.pbs.Server.BackfillDepth
	for _, q := range l.Queues {
		if q.PBS != nil && q.PBS.BackfillDepth.Set && q.PBS.BackfillDepth.N > 0 && !(depth.Set && depth.N > 1) {
			object, part, depth = "queue "+q.Name, "queues", q.PBS.BackfillDepth
		}
	}
	if l.strict() || !depth.Set || depth.N < 1 || object == "server" && depth.N == 1 {
		return nil
	}
	return []lint.Trap{{
		Name: "depth-without-strict-ordering",
		What: fmt.Sprintf("backfill_depth %d of %s does nothing: without strict_ordering the scheduler "+
			"reserves for no job, and large jobs starve", depth.N, object),
		Place:  l.setting(part, object, "backfill_depth"),
		Effect: l.mended(func(s *model.Snapshot) { both(s, func(p *model.CyclePolicy) { p.StrictOrdering = true }) }),
		Fix:    []string{l.setOption("strict_ordering", "True ALL"), qmgr("unset %s backfill_depth", object)},
	}}
}

// strictWithoutBackfill finds strict_ordering that lets one job stop all others.
func strictWithoutBackfill(l *pbsLinter) []lint.Trap {
	depth := l.pbs.Server.BackfillDepth
	if !l.strict() || !depth.Set || depth.N != 0 || slices.ContainsFunc(l.Queues,
		func(q model.Queue) bool { return q.PBS != nil && q.PBS.BackfillDepth.N > 0 }) {
		return nil
	}
	stopped := 0
	for _, d := range l.plan.Decisions {
		if slices.ContainsFunc(d.Why, func(r model.Reason) bool { return r.Kind == model.ReasonStrictOrder }) {
			stopped++
		}
	}
	return []lint.Trap{{
		Name:  "strict-without-backfill",
		What:  "with strict_ordering and backfill_depth 0, the first job that cannot start blocks all others",
		Place: l.setting("server", "server", "backfill_depth"),
		Effect: lint.Sentences(fmt.Sprintf("%s behind a job that cannot start", lint.Many(stopped, "job")+" "+
			""+lint.Verb(stopped, "waits", "wait")),
			l.mended(func(s *model.Snapshot) { s.PBS.Server.BackfillDepth.N = 1 })),
		Fix: []string{qmgr("set server backfill_depth = 1")},
	}}
}

// walltimesUnknown finds top jobs among jobs that say no walltime: each counts as running for five years.
func walltimesUnknown(l *pbsLinter) []lint.Trap {
	depth := l.pbs.Server.BackfillDepth
	if !l.strict() || depth.Set && depth.N == 0 {
		return nil
	}
	var running, waiting []string
	for i := range l.Jobs {
		j := &l.Jobs[i]
		if j.PBS == nil || lint.Asks(j, "walltime") || lint.Asks(j, "max_walltime") || lint.Asks(j, "soft_walltime") {
			continue
		}
		switch j.PBS.State {
		case "R":
			running = append(running, j.PBS.ID)
		case "Q":
			waiting = append(waiting, j.PBS.ID)
		}
	}
	if len(running)+len(waiting) == 0 {
		return nil
	}
	var effects []string
	if n := len(running); n > 0 {
		effects = append(effects, fmt.Sprintf("the scheduler cannot plan a top job after %s: %s",
			lint.Many(n, "running job"), lint.Few(running)))
	}
	if n := len(waiting); n > 0 {
		effects = append(effects, fmt.Sprintf("%s (%s) cannot start as backfill on vnodes that are reserved for a top job",
			lint.Many(n, "waiting job"), lint.Few(waiting)))
	}
	return []lint.Trap{{
		Name: "walltimes-unknown",
		What: "the scheduler reserves vnodes for top jobs (strict_ordering), but it expects a job without " +
			"walltime to run for five years",
		Place:  l.option("strict_ordering"),
		Effect: strings.Join(effects, "; "),
		Fix:    []string{qmgr("set server resources_default.walltime = 24:00:00")},
	}}
}

// slowFuzz is a fuzz that makes estimates so late that jobs backfill into the gap.
const slowFuzz = 10 * time.Minute

// fuzzyEstimates finds opt_backfill_fuzzy that makes estimates late (quirk P14).
func fuzzyEstimates(l *pbsLinter) []lint.Trap {
	fuzz := map[string]time.Duration{"high": time.Hour, "medium": 10 * time.Minute}[l.sched.Fuzzy]
	if n, ok := model.PBSAmount(l.sched.Fuzzy); ok && fuzz == 0 {
		fuzz = lint.Seconds(n)
	}
	if !l.strict() || fuzz < slowFuzz {
		return nil
	}
	after := reserved(cycle.Run(l.changed(func(s *model.Snapshot) {
		for i := range s.PBS.Schedulers {
			s.PBS.Schedulers[i].Fuzzy = "off"
		}
	}), cycle.Options{At: l.at}))
	effect := "the scheduler reserves for no job now"
	if now := reserved(l.plan); len(now) > 0 {
		effect = fmt.Sprintf("the scheduler estimates the start of job %d at %s", now[0].Job,
			now[0].Start.UTC().Format("15:04:05"))
		for _, d := range after {
			if d.Job == now[0].Job {
				effect += fmt.Sprintf("; the job could start at %s: the estimate is %s late", d.Start.UTC().Format("15:04:05"),
					lint.Lasting(now[0].Start.Sub(d.Start)))
			}
		}
	}
	return []lint.Trap{{
		Name: "fuzzy-estimates",
		What: fmt.Sprintf("opt_backfill_fuzzy %s makes the estimates of top jobs up to %s late; other "+
			"jobs start in the gap and delay the top jobs", l.sched.Fuzzy, lint.Lasting(fuzz)),
		Place:  l.setting("schedulers", "sched", "opt_backfill_fuzzy"),
		Effect: effect,
		Fix:    []string{qmgr("set sched opt_backfill_fuzzy = low")},
	}}
}

// expressQueues finds queues whose priority makes them express, above any formula and share (quirk P12).
func expressQueues(l *pbsLinter) (traps []lint.Trap) {
	if !l.either(func(p *model.CyclePolicy) bool { return p.Preemptive }) {
		return nil
	}
	limit := l.sched.PreemptQueuePrio
	if limit == 0 {
		limit = 150
	}
	for _, q := range l.Queues {
		if q.PBS == nil || q.PBS.Priority < limit {
			continue
		}
		inside := l.standing(func(s *criteria.JobValues) bool { return s.Queue == q.Name })
		preempted := 0
		for _, p := range l.plan.Preempted {
			if slices.ContainsFunc(inside, func(s *criteria.JobValues) bool { return s.ID == p.For }) {
				preempted++
			}
		}
		traps = append(traps, lint.Trap{
			Name: "express-queue",
			What: fmt.Sprintf("queue %s (Priority %d) is an express queue: preemptive_sched is on and "+
				"preempt_queue_prio is %d; its jobs come before all others, whatever the formula and "+
				"the shares, and preempt running jobs", q.Name, q.PBS.Priority, limit),
			Place: l.setting("queues", "queue "+q.Name, "Priority"),
			Effect: lint.Sentences(fmt.Sprintf("the queue has %s; this cycle preempts %s for them", lint.Many(len(inside), "waiting job"),
				lint.Many(preempted, "running job")), l.mended(turnedOff("preemptive_sched"))),
			Fix: []string{qmgr("set sched preempt_queue_prio = %d", q.PBS.Priority+1),
				l.setOption("preemptive_sched", "False ALL")},
		})
	}
	return traps
}
