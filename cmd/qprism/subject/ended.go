package subject

import (
	"context"
	"errors"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/usage"
)

// EndedSince are the tasks that ended since a moment, from a stored snapshot and earlier ones of its cluster.
// One capture has only the end of the accounting file.
func EndedSince(ctx context.Context, d *cli.Deps, s *Subject, from time.Time) ([]model.EndedTask, error) {
	store, err := OpenStore(d)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return EndedBack(s, from, func(at time.Time) (*model.Snapshot, error) {
		info, err := store.At(ctx, s.Cluster, at)
		var early *sqlite.EarlyError
		switch {
		case errors.As(err, &early):
			return nil, nil
		case err != nil:
			return nil, err
		}
		return store.Snapshot(ctx, info.ID)
	})
}

// EndedBack is the same with earlier snapshots from until: the last one up to a moment, or nil.
func EndedBack(s *Subject, from time.Time, until func(at time.Time) (*model.Snapshot, error)) (
	[]model.EndedTask, error) {
	ended, before := s.Batch.Ended(), s.TakenAt
	for {
		if at := usage.FirstEnd(ended); !at.IsZero() && at.Before(before) {
			before = at
		}
		if !before.After(from) {
			return ended, nil
		}
		earlier, err := until(before.Add(-time.Second))
		if earlier == nil || err != nil {
			return ended, err
		}
		before = earlier.TakenAt
		ended = usage.Joined(ended, NewSubject(earlier, "", lastrun.Options{}).Batch.Ended())
	}
}
