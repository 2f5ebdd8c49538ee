package exporter

import (
	"context"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// A StaleError refuses orders because their snapshot is too old or is from the future. A new capture may help.
type StaleError struct{ Refusal *RefusalError }

func (e *StaleError) Error() string { return e.Refusal.Error() }
func (e *StaleError) Unwrap() error { return e.Refusal }

func stale(format string, args ...any) error {
	return &StaleError{refuse(format, args...).(*RefusalError)}
}

// ahead is how far a snapshot may be ahead of the clock. The clock is read in whole seconds.
const ahead = 2 * time.Second

// Age returns a *StaleError if the jobs of a snapshot were listed more than one scheduler interval ago. It also
// does so if they were listed in the future, because then a clock was set. now must come from the clock of the
// snapshot.
func Age(s *model.Snapshot, now time.Time) error {
	listed := s.ListedAt
	if listed.IsZero() {
		listed = s.TakenAt
	}
	age := now.Sub(listed)
	if age < -ahead {
		return stale("the snapshot is from the future (by %s): a clock was changed, or the snapshot is "+
			"from another cluster. Capture again",
			Span(-age))
	}
	if every := s.SchedulerInterval(); every > 0 && age > every {
		return stale("the snapshot is %s old (limit: the scheduler's interval, %s). Capture again",
			Span(age), Span(every))
	}
	return nil
}

// Fresh returns an error if a snapshot is too old, by the clock of the host that runs the commands.
func Fresh(ctx context.Context, r Runner, s *model.Snapshot) error {
	now, err := clockOf(ctx, r)
	if err != nil {
		return err
	}
	return Age(s, now)
}

// clockOf reads the clock of a host, in whole seconds.
func clockOf(ctx context.Context, r Runner) (time.Time, error) {
	results, err := Ask(ctx, r, []string{"date", "-u", "+%s"})
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(results[0].Out), 10, 64)
	if err != nil {
		return time.Time{}, refuse("the clock of the host cannot be read: date -u +%%s says %q", results[0].Out)
	}
	return time.Unix(seconds, 0), nil
}
