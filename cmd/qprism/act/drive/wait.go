package drive

import (
	"context"
	"maps"
	"strings"
	"time"

	"qprism/engine/model"
)

// Wait waits for the next step: until the end of the interval, or until something happens. happened reports
// which. Meanwhile Wait tells the watchdog that the drive is alive. When slots become free, it asks the
// scheduler for a run. It asks a slow master less often, and waits some polls between steps.
func (v *Driver) Wait(ctx context.Context, until time.Time) (happened bool) {
	pause, due := v.opts.poll, v.began.Add(apart*v.opts.poll)
	if v.follows {
		happened, due = true, v.began
	}
	for ctx.Err() == nil && v.stopped() == nil {
		left := until.Sub(v.opts.Now())
		if left <= 0 {
			return false
		}
		if v.opts.Sleep(ctx, min(left, pause)) != nil {
			return false
		}
		asked := v.opts.Now()
		if v.Alive(ctx) != nil || v.Restored {
			return true
		}
		v.looked = asked
		ripe := !v.decideAt.IsZero() && !asked.Before(v.decideAt)
		if happened = v.happened(ctx) || happened || ripe; happened && !asked.Before(due) {
			return true
		}
		pause = max(v.opts.poll, restsFor*v.opts.Now().Sub(asked))
		if come := !v.coming.IsZero() && v.opts.Now().After(v.coming); v.moved || come {
			v.coming = time.Time{}
			v.runNow(ctx)
		}
	}
	return false
}

// apart is how many polls lie between the beginnings of two steps at least.
const apart = 3

// restsFor is how many times the duration of the last answer passes before the next question.
const restsFor = 10

// A listing is the master's list of jobs, without values that change all the time.
type listing struct {
	waiting map[string]string // the states of jobs that wait
	running map[string]bool   // running tasks: job, state and place
}

// happened reports whether a step is due: a job came or changed its state while waiting; with rules, also when
// a job began or ended. A lost connection makes a step due, too, which connects again.
func (v *Driver) happened(ctx context.Context) bool {
	was := v.seen
	if v.look(ctx) != nil {
		return true
	}
	for job, state := range v.seen.waiting {
		if before, there := was.waiting[job]; !there || before != state {
			return true
		}
	}
	return v.ruled && !maps.Equal(was.running, v.seen.running)
}

// list asks for all jobs by the cheapest question to the master.
func (v *Driver) list() []string {
	if v.system == model.GridEngine {
		return []string{"qstat", "-u", "*"}
	}
	return []string{"qstat"}
}

// look notes the master's list, and whether a running job has ended. An empty list is no error.
func (v *Driver) look(ctx context.Context) error {
	results, err := v.Runner.Run(ctx, [][]string{v.list()})
	if err != nil || len(results) != 1 || results[0].Exit != 0 {
		return err
	}
	read := listedPBS
	if v.system == model.GridEngine {
		read = listedIn(results[0].Out)
	}
	now := listing{map[string]string{}, map[string]bool{}}
	for line := range strings.Lines(results[0].Out) {
		switch job, state, place := read(line); {
		case job == "":
		case !strings.ContainsAny(state, "qQHTW"):
			now.running[job+place] = true
		case !strings.Contains(now.waiting[job], state):
			now.waiting[job] += state + " "
		}
	}
	for place := range v.seen.running {
		v.moved = v.moved || !now.running[place]
	}
	v.seen = now
	return nil
}

// listedIn reads lines of Grid Engine's qstat by the columns of the heading. The state is without holds,
// because these are the drive's own or matter only in the next step.
func listedIn(text string) func(line string) (job, state, place string) {
	head, _, _ := strings.Cut(text, "\n")
	at, since := strings.Index(head, " state "), strings.Index(head, " submit/start")
	return func(line string) (job, state, place string) {
		number, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		if at < 0 || since < at || len(line) < since || strings.Trim(number, "0123456789") != "" {
			return "", "", ""
		}
		return number, strings.ReplaceAll(strings.TrimSpace(line[at:since]), "h", ""), line[since:]
	}
}

// listedPBS reads a line of qstat of PBS. The time used is left out, as it changes without an event.
func listedPBS(line string) (job, state, place string) {
	f := strings.Fields(line)
	if len(f) < 6 || !strings.Contains(f[0], ".") {
		return "", "", ""
	}
	return f[0], f[len(f)-2], ""
}
