package subject

import (
	"context"
	"time"

	"qprism/adapters/sqlite"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/usage"
)

// EndedSince returns the tasks that ended since a moment. It reads a stored snapshot and earlier ones of its
// cluster, because one capture has only the end of the accounting file.
func EndedSince(ctx context.Context, store *sqlite.Store, s *Subject, from time.Time) ([]model.EndedTask, error) {
	infos, err := Infos(ctx, store, func(i *sqlite.Info) bool { return i.Cluster == s.Cluster && i.Ended > 0 })
	if err != nil {
		return nil, err
	}
	ended := s.Batch.Ended()
	before := model.Earliest(usage.FirstEnd(ended), s.TakenAt)
	for i := len(infos) - 1; i >= 0 && before.After(from); i-- {
		info := &infos[i]
		if info.TakenAt.After(before.Add(-time.Second)) {
			continue
		}
		earlier, err := store.Snapshot(ctx, info.ID)
		if err != nil {
			return nil, err
		}
		ended = usage.Joined(ended, NewSubject(earlier, "", lastrun.Options{}).Batch.Ended())
		before = model.Earliest(usage.FirstEnd(ended), info.TakenAt)
	}
	return ended, nil
}
