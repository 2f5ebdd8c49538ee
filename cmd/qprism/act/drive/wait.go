package drive

import (
	"context"
	"maps"
	"strings"
	"time"

	"qprism/engine/model"
)

// rest waits until the next step is due: something happened that it is about, the watchdog or the
// connection needs one, which it reports, or the interval is over. Meanwhile the watchdog hears of this
// process, and slots that become free are told to the scheduler, which has its orders. A master that
// answers slowly, since it has many jobs or much to do, is asked less often; and steps, which ask more of
// it, are some polls apart.
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
		if v.Alive(ctx) != nil || v.Paid {
			return true
		}
		v.looked = asked
		ripe := !v.ripe.IsZero() && !asked.Before(v.ripe)
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

// apart is by how many polls the beginnings of steps are apart at least: what comes in between is one step.
const apart = 3

// restsFor is how many times as long as the last answer took nothing is asked.
const restsFor = 10

// A listing is what the master lists, as far as it changes by an event.
type listing struct {
	waiting map[string]string // the states of jobs that wait
	running map[string]bool   // what runs: job, state and place
}

// happened reports whether something happened that a step is about: a job came, or waits in another state;
// where rules go by what runs, a job that began or ended. A lost connection is for a step to mend.
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

// list asks for all jobs. Of all that the master can be asked this costs it the least.
func (v *Driver) list() []string {
	if v.system == model.GridEngine {
		return []string{"qstat", "-u", "*"}
	}
	return []string{"qstat"}
}

// look notes what the master lists, and whether something that ran is gone. That it lists nothing is no error.
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

// listedIn reads lines of a listing of Grid Engine's by the columns of its head: the job, its state without
// holds, which are ours or matter at the next step, and since when it runs where.
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

// listedPBS reads a line of a listing of PBS's; the time used changes without an event.
func listedPBS(line string) (job, state, place string) {
	f := strings.Fields(line)
	if len(f) < 6 || !strings.Contains(f[0], ".") {
		return "", "", ""
	}
	return f[0], f[len(f)-2], ""
}
