package act

import (
	"context"
	"strings"
	"time"

	"qprism/engine/model"
)

// rest waits until the next step is due: a job came, began or ended, or the interval is over. Meanwhile the watchdog hears of this process.
func (v *driver) rest(ctx context.Context, until time.Time) {
	for ctx.Err() == nil && v.stopped() == nil {
		left := until.Sub(v.opts.now())
		if left <= 0 {
			return
		}
		_ = v.opts.sleep(ctx, min(left, v.opts.poll))
		if v.Beat(ctx) != nil || v.Paid || v.happened(ctx) {
			return
		}
	}
}

// happened reports whether the master lists other jobs than the last step looked at, or in other states.
func (v *driver) happened(ctx context.Context) bool {
	if v.system != model.GridEngine {
		return false
	}
	was := v.seen
	v.look(ctx)
	return v.seen != was
}

// look notes what the master lists. Of all that it can be asked this costs it the least.
func (v *driver) look(ctx context.Context) {
	results, err := v.Runner.Run(ctx, [][]string{{"qstat", "-u", "*"}})
	if err != nil || len(results) != 1 || results[0].Exit != 0 {
		return
	}
	const number, priority = 7, 16 // columns; a priority changes without an event
	var seen, jobs strings.Builder
	for line := range strings.Lines(results[0].Out) {
		if len(line) > priority {
			seen.WriteString(line[:number] + strings.Replace(line[priority:], " hqw ", " qw  ", 1)) // holds are ours, or matter at the next step
			jobs.WriteString(line[:number])
		}
	}
	v.moved = v.moved || v.seen != "" && v.jobs != jobs.String()
	v.seen, v.jobs = seen.String(), jobs.String()
}
