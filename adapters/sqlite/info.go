package sqlite

import (
	"cmp"
	"context"
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
	Called     string         // its name in its bundles; other clusters may have the same name
	Identity   model.Identity // facts of the bundle that distinguish this cluster from others
	Release    model.Release
	TakenAt    time.Time
	Source     string // origin of the bundle
	ImportedAt time.Time

	Jobs             int
	Running, Pending int64 // tasks, including each task of a group
	Ended            int   // ended tasks in its accounting
	RawBytes         int64 // size of the bundle's files
	StoredBytes      int64 // compressed size that the import added; shared data counts for the first snapshot
}

// A storedInfo is an Info with the hashes of the snapshot's bundle and of its list of parts. Many lists share the Info.
type storedInfo struct {
	*Info
	bundle, parts hash
}

// Snapshots lists all snapshots, by cluster and time.
func (s *Store) Snapshots(ctx context.Context) (list []Info, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { list = plain(s.catalog.all(t)) })
	return list, s.named(err, "snapshots")
}

// EachInfo visits all snapshots, by cluster and time. It copies nothing: a store can have 100,000 snapshots.
func (s *Store) EachInfo(ctx context.Context, visit func(*Info)) error {
	var all []storedInfo
	err := s.transaction(ctx, toRead, func(t *tx) { all = s.catalog.all(t) })
	for _, i := range all {
		visit(i.Info)
	}
	return s.named(err, "snapshots")
}

// Latest is the last snapshot of a cluster by time of capture. Of several with the same time it is the last
// imported one. The error is ErrNoSnapshot if there is none.
func (s *Store) Latest(ctx context.Context, cluster string) (info Info, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		if infos := t.snapshotsOf(cluster); len(infos) > 0 {
			info = *infos[len(infos)-1].Info
		}
	})
	return info, s.named(err, "cluster %q", cluster)
}

// snapshotsOf lists the snapshots of a cluster by time. The error is ErrNoSnapshot if there are none. Callers
// share the list.
func (t *tx) snapshotsOf(cluster string) []storedInfo {
	infos := t.catalog.of(t, cluster)
	if len(infos) == 0 {
		t.fail(ErrNoSnapshot)
	}
	return infos
}

func (r *snapshotRow) info(id int64) storedInfo {
	r.Info.ID = id
	return storedInfo{&r.Info, r.Bundle, r.Parts}
}

// info reads the Info of a snapshot. The error is ErrNoSnapshot if it does not exist.
func (t *tx) info(id int64) storedInfo {
	row := findRecord[snapshotRow](t, kindSnapshot, id)
	if row == nil {
		t.fail(ErrNoSnapshot)
		return storedInfo{Info: &Info{}}
	}
	return row.info(id)
}

// plain returns the Infos without their hashes.
func plain(stored []storedInfo) []Info {
	all := make([]Info, len(stored))
	for i := range stored {
		all[i] = *stored[i].Info
	}
	return all
}

// inSnapshot adds the number of the snapshot to an error.
func inSnapshot(id int64, err error) error { return fmt.Errorf("snapshot %d: %w", id, err) }

// At is the last snapshot of a cluster that was captured at a moment or before. Of several with the same time
// it is the last imported one. The error is an EarlyError if all snapshots are later, and ErrNoSnapshot if
// there are none.
func (s *Store) At(ctx context.Context, cluster string, at time.Time) (info Info, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		infos := t.snapshotsOf(cluster)
		later, _ := slices.BinarySearchFunc(infos, at, func(i storedInfo, at time.Time) int {
			return cmp.Or(i.TakenAt.Compare(at), -1) // find the place after all snapshots of that moment
		})
		if later > 0 {
			info = *infos[later-1].Info
		} else if len(infos) > 0 {
			t.fail(&EarlyError{First: *infos[0].Info})
		}
	})
	return info, s.named(err, "cluster %q at %s", cluster, at.UTC().Format(time.RFC3339))
}

// An EarlyError means that the moment is before the cluster's first snapshot.
type EarlyError struct{ First Info }

func (e *EarlyError) Error() string {
	return fmt.Sprintf("the first snapshot, %d, was taken at %s", e.First.ID, e.First.TakenAt.UTC().Format(time.RFC3339))
}

// Prune deletes the snapshots from before a moment, and data that only they need. It never deletes the last
// snapshot of a cluster. It returns the deleted snapshots by cluster and time. If trial is true, it deletes
// nothing.
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
