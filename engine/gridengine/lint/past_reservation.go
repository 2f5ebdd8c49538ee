package lint

import (
	"fmt"
	"time"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// reservationsInPast finds reservations that the release makes for a time that is over (quirks D1 and D2):
// they hold nothing back.
func reservationsInPast(l *linter) []lint.Trap {
	if l.policy.MaxReservation == 0 || len(l.reserving()) == 0 {
		return nil
	}
	p := schedule.Run(l.Snapshot, schedule.Options{At: l.view.At, Quirks: l.Quirks})
	for i, d := range p.Decisions {
		if d.Verdict != model.Later || !d.Start.Before(l.view.At.Truncate(time.Second)) {
			continue
		}
		effect := "no job of lower priority starts in this run"
		if first := passer(p.Decisions[i+1:]); first != nil {
			effect = fmt.Sprintf("job %d has lower priority and starts in this run, as if job %d had no "+
				"reservation", first.Job, d.Job)
		}
		return []lint.Trap{{
			Name: "reservation-astray",
			What: fmt.Sprintf("the reservation of job %d is for the year %d and so reserves nothing: "+
				"this release treats a queue instance that started a job earlier in the run as always free (D1)",
				d.Job, d.Start.Year()),
			Place:  l.Sched("max_reservation"),
			Effect: effect + ". The reservation is correct again in the next run that starts no job before it",
		}}
	}
	return nil
}

// passer is the first task that starts; nil if none starts.
func passer(list []model.Decision) *model.Decision {
	for i := range list {
		if list[i].Verdict == model.Now {
			return &list[i]
		}
	}
	return nil
}

// reservationsForAll finds reservations for jobs that queue for no bottleneck, sched_conf(5)
// max_reservation: each run searches for all.
func reservationsForAll(l *linter) []lint.Trap {
	const enough = 20 // as the document sets max_reservation
	all := l.reserving()
	small := 0
	for _, j := range all {
		if j.Job.PE == "" {
			small++
		}
	}
	if int(l.policy.MaxReservation) <= enough || small <= enough || 2*small < len(l.waiting()) {
		return nil
	}
	p := schedule.Run(l.Snapshot, schedule.Options{At: l.view.At, Quirks: l.Quirks})
	made := 0
	for _, d := range p.Decisions {
		if d.Verdict == model.Later {
			made++
		}
	}
	return []lint.Trap{{
		Name: "reservations-for-all",
		What: fmt.Sprintf("nearly every job requests a reservation (-R y), even one-slot jobs, and each run makes "+
			"up to %d reservations (max_reservation); only jobs that wait for scarce resources need -R "+
			"y", l.policy.MaxReservation),
		Place: l.Sched("max_reservation"),
		Effect: fmt.Sprintf("%d of %d waiting jobs request a reservation, %d of them are not parallel. The next "+
			"run makes %s and writes %d lines to the schedule file", len(all),
			len(l.waiting()), small, lint.Many(made, "reservation"), len(p.Lines)),
		Fix: []string{setSched("max_reservation", fmt.Sprint(enough))},
	}}
}

// triggered is an interval beyond which runs are asked for by other means.
const triggered = 10 * time.Minute

// offsetTooLow finds a DURATION_OFFSET that is shorter than the time until the next run hears of an end:
// reservations are delayed with each run that finds the job still there.
func offsetTooLow(l *linter) []lint.Trap {
	offset, wait := cluster.DurationOffset(l.policy), l.policy.ScheduleInterval
	if flush := l.policy.FlushFinish; flush > 0 {
		wait = min(wait, flush)
	}
	if l.policy.MaxReservation == 0 || len(l.reserving()) == 0 || offset >= wait || wait > triggered {
		return nil
	}
	return []lint.Trap{{
		Name: "offset-too-low",
		What: fmt.Sprintf("the scheduler books a job for %s more than its run time (params "+
			"DURATION_OFFSET), but the next run comes up to %s after the job's end: this can delay later reservations "+
			"again and again", lint.Lasting(offset), lint.Lasting(wait)),
		Place: l.Sched("params"),
		Effect: fmt.Sprintf("%s: each can be delayed by %s for every job that it waits for",
			lint.Many(len(l.reserving()), "waiting job")+" with -R y",
			lint.Lasting(wait-offset)),
		Fix: []string{l.setParam("DURATION_OFFSET", fmt.Sprint(int((2 * wait).Seconds())))},
	}}
}

// setParam sets one of the params of sched_conf(5), and keeps the others.
func (l *linter) setParam(name, value string) string {
	text := ""
	for _, p := range l.policy.Params {
		if p.Name != name {
			text += p.Name + "=" + p.Value + ","
		}
	}
	return setSched("params", text+name+"="+value)
}

// monitorWords say what MONITOR costs: the schedule file is never truncated.
func (l *linter) monitorWords() string {
	if text, ok := model.Text(l.policy.Params, "MONITOR"); !ok || text == "0" || l.policy.ScheduleInterval <= 0 {
		return ""
	}
	const line, day = 60, 24 * 3600
	p := schedule.Run(l.Snapshot, schedule.Options{At: l.view.At, Quirks: l.Quirks})
	if len(p.Lines) == 0 {
		return ""
	}
	runs := day / l.policy.ScheduleInterval.Seconds()
	return fmt.Sprintf("MONITOR is on: each run appends lines to common/schedule, and nothing truncates that "+
		"file. The next run appends %s. If each run appends this number of lines, the file grows by about %s MB a day",
		lint.Many(len(p.Lines), "line"), lint.Rounded(float64(len(p.Lines)+1)*line*runs/1e6))
}
