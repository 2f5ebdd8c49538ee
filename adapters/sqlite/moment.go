package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"
)

// At is the snapshot that shows a cluster at a moment: the one that was taken last until then; of several taken at one
// time, the one imported last. An EarlyError where all snapshots were taken later, ErrNoSnapshot where there are none.
func (s *Store) At(ctx context.Context, cluster string, at time.Time) (Info, error) {
	var info Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		until, err := micros(at)
		if err != nil {
			return err
		}
		infos, err := s.infosOf(ctx, conn, cluster)
		if err != nil {
			return err
		}
		for _, i := range infos {
			if i.TakenAt.UnixMicro() <= until {
				info = i
			}
		}
		if info.ID == 0 {
			return &EarlyError{First: infos[0]}
		}
		return nil
	})
	if err != nil {
		return Info{}, fmt.Errorf("store %s: cluster %q at %s: %w", s.path, cluster, at.UTC().Format(time.RFC3339), err)
	}
	return info, nil
}

// An EarlyError means that a moment is before a cluster's first snapshot.
type EarlyError struct{ First Info }

func (e *EarlyError) Error() string {
	return fmt.Sprintf("the first snapshot, %d, was taken at %s", e.First.ID, e.First.TakenAt.UTC().Format(time.RFC3339))
}

// Prune deletes the snapshots taken before a moment and what only they refer to, but never the last one of a cluster. It
// returns what it deleted, by cluster and time. A trial only tells.
func (s *Store) Prune(ctx context.Context, before time.Time, trial bool) ([]Info, error) {
	infos, err := s.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	var old []Info
	var ids []int64
	for i, info := range infos {
		last := i+1 == len(infos) || infos[i+1].Cluster != info.Cluster
		if !last && info.TakenAt.Before(before) {
			old, ids = append(old, info), append(ids, info.ID)
		}
	}
	if trial || len(ids) == 0 {
		return old, nil
	}
	return old, s.Delete(ctx, ids...)
}

// Size is how many bytes the store's files take.
func (s *Store) Size() (total int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(s.path + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}
