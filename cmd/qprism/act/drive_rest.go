package act

import (
	"context"
	"strings"
	"time"

	"qprism/engine/model"
)

// rest waits until the next step is due: a job came, began or ended, the watchdog or the connection needs one, which it reports, or the
// interval is over. Meanwhile the watchdog hears of this process.
func (v *driver) rest(ctx context.Context, until time.Time) (happened bool) {
	for ctx.Err() == nil && v.stopped() == nil {
		left := until.Sub(v.opts.now())
		if left <= 0 {
			return false
		}
		if v.opts.sleep(ctx, min(left, v.opts.poll)) != nil {
			return false
		}
		if v.Beat(ctx) != nil || v.Paid || v.happened(ctx) {
			return true
		}
	}
	return false
}

// happened reports whether the master lists other jobs than the last step looked at, or in other states.
func (v *driver) happened(ctx context.Context) bool {
	was := v.seen
	v.look(ctx)
	return v.seen != was
}

// listing asks for all jobs. Of all that the master can be asked this costs it the least.
func (v *driver) listing() []string {
	if v.system == model.GridEngine {
		return []string{"qstat", "-u", "*"}
	}
	return []string{"qstat"}
}

// look notes what the master lists.
func (v *driver) look(ctx context.Context) {
	results, err := v.Runner.Run(ctx, [][]string{v.listing()})
	if err != nil || len(results) != 1 || results[0].Exit != 0 {
		return
	}
	var seen, jobs strings.Builder
	for line := range strings.Lines(results[0].Out) {
		job, rest := v.listed(line)
		seen.WriteString(job + rest)
		jobs.WriteString(job)
	}
	v.moved = v.moved || v.seen != "" && v.jobs != jobs.String()
	v.seen, v.jobs = seen.String(), jobs.String()
}

// listed is the job of a line, and what of it changes by an event.
func (v *driver) listed(line string) (job, rest string) {
	if v.system == model.GridEngine {
		const number, priority = 7, 16 // columns; a priority changes without an event
		if len(line) <= priority {
			return "", ""
		}
		return line[:number], strings.Replace(line[priority:], " hqw ", " qw  ", 1) // holds are ours, or matter at the next step
	}
	if f := strings.Fields(line); len(f) > 2 { // the time used changes without an event
		return f[0], f[len(f)-2] + " "
	}
	return "", ""
}
