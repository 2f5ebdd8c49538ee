package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"time"

	"qprism/engine/model"
)

// An Info describes a stored snapshot.
type Info struct {
	ID         int64
	Cluster    string         // its name in the store
	Called     string         // its name in its bundles, which other clusters may share
	Identity   model.Identity // facts of the bundle that distinguish it from other clusters
	Release    model.Release
	TakenAt    time.Time
	Source     string // origin of the bundle
	ImportedAt time.Time

	Jobs             int
	Running, Pending int64 // tasks, including each task of a group
	Ended            int   // tasks that its accounting tells of
	RawBytes         int64 // of the bundle's files
	StoredBytes      int64 // added by the import, compressed; shared data counts for the first snapshot
}

// A storedInfo is an Info with the hashes of the snapshot's bundle and of its list of parts.
type storedInfo struct {
	Info
	bundle, parts hash
}

// Snapshots lists all snapshots, by cluster and time.
func (s *Store) Snapshots(ctx context.Context) ([]Info, error) {
	var list []Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		all, err := s.catalog.all(ctx, conn)
		list = plain(all)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: snapshots: %w", s.path, err)
	}
	return list, nil
}

// Latest is the last snapshot of a cluster by time of capture; of several at one time, the last one imported.
// The error is ErrNoSnapshot if there is none.
func (s *Store) Latest(ctx context.Context, cluster string) (Info, error) {
	var info Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		infos, err := s.catalog.of(ctx, conn, cluster)
		if err == nil {
			info = infos[len(infos)-1].Info
		}
		return err
	})
	if err != nil {
		return Info{}, fmt.Errorf("store %s: cluster %q: %w", s.path, cluster, err)
	}
	return info, nil
}

func (r *snapshotRow) info(id int64) storedInfo {
	r.Info.ID = id
	return storedInfo{r.Info, r.Bundle, r.Parts}
}

// findInfo reads about one snapshot; ErrNoSnapshot where there is none.
func findInfo(ctx context.Context, db queryer, id int64) (storedInfo, error) {
	row, err := findRecord[snapshotRow](ctx, db, kindSnapshot, id)
	if err == nil && row == nil {
		err = ErrNoSnapshot
	}
	if err != nil {
		return storedInfo{}, err
	}
	return row.info(id), nil
}

// plain takes the Infos out.
func plain(stored []storedInfo) []Info {
	var all []Info
	for i := range stored {
		all = append(all, stored[i].Info)
	}
	return all
}

// inSnapshot says in which snapshot something is wrong.
func inSnapshot(id int64, err error) error { return fmt.Errorf("snapshot %d: %w", id, err) }

// At is the last snapshot of a cluster up to a moment; of several at one time, the last one imported. The
// error is an EarlyError if all snapshots are later, and ErrNoSnapshot if there are none.
func (s *Store) At(ctx context.Context, cluster string, at time.Time) (Info, error) {
	var info Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		infos, err := s.catalog.of(ctx, conn, cluster)
		if err != nil {
			return err
		}
		later, _ := slices.BinarySearchFunc(infos, at, func(i storedInfo, at time.Time) int {
			return cmp.Or(i.TakenAt.Compare(at), -1) // behind those of that moment
		})
		if later == 0 {
			return &EarlyError{First: infos[0].Info}
		}
		info = infos[later-1].Info
		return nil
	})
	if err != nil {
		return Info{}, fmt.Errorf("store %s: cluster %q at %s: %w", s.path, cluster, at.UTC().Format(time.RFC3339), err)
	}
	return info, nil
}

// An EarlyError means that the moment is before the cluster's first snapshot.
type EarlyError struct{ First Info }

func (e *EarlyError) Error() string {
	return fmt.Sprintf("the first snapshot, %d, was taken at %s", e.First.ID, e.First.TakenAt.UTC().Format(time.RFC3339))
}

// Prune deletes snapshots from before a moment, and data that only they need, but never the last one of a
// cluster. It returns them by cluster and time. With trial it deletes nothing.
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

// Size is the size of the store's files in bytes.
func (s *Store) Size() (total int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(s.path + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}
