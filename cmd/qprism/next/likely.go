package next

import (
	"context"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

// longestLikely is how long all jobs that wait are played forward.
const longestLikely = time.Minute

// LikelyStarts are when the first task of each job would start that waits in a snapshot, by the ids that people know; of those alone of
// which it is foreseen.
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
		id := b.ID
		if id == "" {
			id = show.Number32(b.Job)
		}
		if _, known := starts[id]; !known {
			starts[id] = b.At
		}
	}
	return starts
}
