package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A Memory is all data of a cluster in the store.
type Memory struct {
	Cluster        string
	Snapshots      []Info // by time
	Pushes, Drives int
}

// An openError means that a push to a cluster is not finished, or that a drive is open.
type openError struct{ Pushes, Drives int }

func (e *openError) Error() string {
	if e.Drives > 0 {
		return "a drive of it has not given everything back; qprism drive --release --apply does"
	}
	return "a push to it is not finished; qprism push --resume --apply finishes it, --undo --apply takes it back"
}

// MemoryOf is what Forget would delete. The error is ErrNoSnapshot if the store has no snapshot of the
// cluster.
func (s *Store) MemoryOf(ctx context.Context, cluster string) (m Memory, err error) {
	err = s.inTransaction(ctx, toRead, func(c *sql.Conn) error {
		m, _, err = s.memoryOf(ctx, c, cluster)
		return err
	})
	if err != nil {
		return m, fmt.Errorf("store %s: cluster %q: %w", s.path, cluster, err)
	}
	return m, nil
}

// memoryOf also counts what is open.
func (s *Store) memoryOf(ctx context.Context, db queryer, cluster string) (m Memory, open openError, err error) {
	infos, err1 := s.catalog.of(ctx, db, cluster)
	pushes, err2 := pushesOf(ctx, db, cluster)
	drives, err3 := drivesOf(ctx, db, cluster)
	for i := range pushes {
		if pushes[i].Open() {
			open.Pushes++
		}
	}
	for _, d := range drives {
		if d.Ended.IsZero() {
			open.Drives++
		}
	}
	return Memory{cluster, plain(infos), len(pushes), len(drives)}, open, cmp.Or(err1, err2, err3)
}

// Forget deletes all data of a cluster in one transaction, and frees the space. While a push or drive of the
// cluster is open, it refuses.
func (s *Store) Forget(ctx context.Context, cluster string) (m Memory, err error) {
	err = s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		var open openError
		if m, open, err = s.memoryOf(ctx, conn, cluster); err != nil {
			return err
		}
		if open != (openError{}) {
			return &open
		}
		return s.forget(ctx, conn, m)
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	if err != nil {
		return m, fmt.Errorf("store %s: forget %q: %w", s.path, cluster, err)
	}
	return m, nil
}

// forget deletes what there is of a cluster.
func (s *Store) forget(ctx context.Context, conn *sql.Conn, m Memory) error {
	for _, i := range m.Snapshots {
		if err := deleteSnapshot(ctx, conn, i.ID); err != nil {
			return err
		}
	}
	pushes, err1 := pushesOf(ctx, conn, m.Cluster)
	for _, p := range pushes {
		err1 = errors.Join(err1, deleteAll(ctx, conn, p.ID, kindPush, kindOrders))
	}
	drives, err2 := drivesOf(ctx, conn, m.Cluster)
	for _, d := range drives {
		err2 = errors.Join(err2, deleteAll(ctx, conn, d.ID, kindDrive))
	}
	return cmp.Or(err1, err2, s.sweep(ctx, conn))
}

// deleteAll deletes the records of several kinds that have an id.
func deleteAll(ctx context.Context, conn *sql.Conn, id int64, kinds ...string) error {
	for _, kind := range kinds {
		if _, err := deleteRecord(ctx, conn, kind, id); err != nil {
			return err
		}
	}
	return nil
}
