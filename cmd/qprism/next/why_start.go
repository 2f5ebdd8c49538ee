package next

import (
	"cmp"
	"context"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/delay"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// longestForecast limits how long why plays runs forward for one job, after the plan is made.
const longestForecast = 4 * time.Second

// An outlook is when a job is likely to start.
type outlook struct {
	Start    time.Time `json:"start"`    // null if no start is predicted
	Earliest time.Time `json:"earliest"` // null where no range is known
	Latest   time.Time `json:"latest"`
	ByEnded  bool      `json:"by_ended_jobs"`   // jobs were taken to run as long as those before them, not to their limits
	Ending   string    `json:"ending,omitzero"` // why no start is predicted
	// when the scheduler runs, where it does so only after the time that is reserved for the job
	Cadence string `json:"cadence,omitzero"`
}

// outlookOf simulates runs until the job starts. If somebody must do something first, it simulates nothing. It uses
// limits of run time. It also uses run times of ended jobs, if the bundle has them.
func outlookOf(ctx context.Context, s *subject.Subject, at lastrun.Moment, job *model.Job,
	report func() *whyReport) *outlook {
	if until := adviceFor(s).until(job); until != "" {
		return &outlook{Ending: "the job cannot start " + until}
	}
	limits := firstStart(ctx, s, at, job, report, nil)
	history := s.History()
	if history == nil || limits.Start.IsZero() {
		return limits
	}
	ended := firstStart(ctx, s, at, job, report, history)
	if ended.Start.IsZero() {
		return limits
	}
	ended.ByEnded = true
	ended.Earliest = model.Earliest(ended.Earliest, ended.Start, limits.Start)
	ended.Latest = model.Latest(ended.Latest, limits.Latest, ended.Start, limits.Start)
	return ended
}

// heldUntil says what somebody must do before a job of Grid Engine can start; empty if a run can start a task without
// that. A hold for other jobs (-hold_jid, -hold_jid_ad) ends without help.
func heldUntil(j *model.Job) string {
	if len(j.Predecessors)+len(j.ArrayPredecessor) > 0 {
		return ""
	}
	until := ""
	for i := range j.Tasks {
		t := &j.Tasks[i]
		switch {
		case !t.Started.IsZero():
		case strings.Contains(t.State, "E"):
			until = "until somebody clears its error"
		case strings.Contains(t.State, "h"):
			until = cmp.Or(until, "until somebody releases it")
		default:
			return ""
		}
	}
	return until
}

// firstStart finds the first start of a task that does not start now. It calls report when the forecast has a start of the
// job.
func firstStart(ctx context.Context, s *subject.Subject, at lastrun.Moment, job *model.Job, report func() *whyReport,
	history *forecast.History) *outlook {
	o := forecastOptionsOf(s, at)
	o.History = history
	o.Stop = func() bool { return ctx.Err() != nil }
	seen, found := 0, (*forecast.Start)(nil)
	o.Enough = func(f *forecast.Forecast) bool {
		for ; seen < len(f.Starts) && found == nil; seen++ {
			if b := f.Starts[seen]; b.Job == job.Number && report().isMeant(&b) {
				found = &b
			}
		}
		return found != nil
	}
	f := s.Batch.Forecast(o)
	if o.Enough(f) {
		return &outlook{Start: found.At, Earliest: found.Earliest, Latest: found.Latest}
	}
	if f.Ending == forecast.Stopped {
		return &outlook{Ending: "the start is after the end of this forecast; \"qprism forecast\" looks further ahead"}
	}
	return &outlook{Ending: string(f.Ending)}
}

// isMeant reports whether a start of the job is its first one that is not now.
func (r *whyReport) isMeant(b *forecast.Start) bool {
	if r.Decision == nil {
		return false
	}
	if b.ID != "" { // PBS: tasks of an array that start now come first
		return b.At.After(r.at)
	}
	return delay.Concerns(r.Decision.Tasks, b.Task)
}

// text says when the job starts, the earliest and the latest time, and the assumptions.
func (o *outlook) text(out show.Output, at time.Time) string {
	if o.Start.IsZero() {
		return "qprism predicts no start: " + o.Ending
	}
	text := "likely at " + out.Short(o.Start, at) + " (" + inText(max(o.Start.Sub(at.Truncate(time.Second)), 0)) + ")"
	if !o.Latest.IsZero() && !o.Latest.Equal(o.Earliest) {
		text += ", between " + out.Short(o.Earliest, at) + " and " + out.Short(o.Latest, at)
	}
	text += ". Assumption: jobs run "
	if o.ByEnded {
		return text + "as long as earlier jobs (at most to their limits), and nobody submits new jobs."
	}
	return text + "to their limits, and nobody submits new jobs. Most jobs end before their limits."
}

// waitsInTurn reports whether a job can start after some time: it is not held, not in error, and can run.
func (r *whyReport) waitsInTurn() bool {
	return r.Decision != nil && r.Decision.Verdict != model.Now && !r.chance.Never
}
