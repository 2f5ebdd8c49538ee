package next

import (
	"cmp"
	"context"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/intend"
)

// longestLikely is how long all jobs that wait are played forward.
const longestLikely = time.Minute

// LikelyStarts forecasts the start of the first task of each waiting job, by the id that people know.
func LikelyStarts(ctx context.Context, s *subject.Subject) map[string]time.Time {
	at, err := s.Moment()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, longestLikely)
	defer cancel()
	o := forecastOptionsOf(s, at)
	o.History = s.History()
	o.Stop = func() bool { return ctx.Err() != nil }
	starts := map[string]time.Time{}
	for _, b := range s.Batch.Forecast(o).Starts {
		id := cmp.Or(b.ID, show.Number32(b.Job))
		if _, known := starts[id]; !known {
			starts[id] = b.At
		}
	}
	return starts
}

// CheckNow checks sentences against the current jobs, or against a forecast.
func CheckNow(ctx context.Context, s *subject.Subject, list []intend.Intention) (verdicts []intend.Verdict) {
	at, err := s.Moment()
	if err != nil || s.Batch.Lacks(false) != nil {
		for _, i := range list {
			verdicts = append(verdicts, intend.Verdict{Intention: i, Answer: intend.Unknown})
		}
		return verdicts
	}
	ctx, cancel := context.WithTimeout(ctx, longestLikely)
	defer cancel()
	o := forecastOptionsOf(s, at)
	o.History = s.History()
	o.Stop = func() bool { return ctx.Err() != nil }
	return intend.Check(intend.Input{Snapshot: s.Snapshot, Quirks: s.Look.Quirks, At: at.At, Play: o, AtHand: true}, list)
}
