package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A Memory is what the store holds of a cluster.
type Memory struct {
	Cluster        string
	Snapshots      []Info // by time
	Pushes, Drives int
}

// An OpenError means that a push to a cluster is not finished, or that the cluster is driven.
type OpenError struct{ Pushes, Drives int }

func (e *OpenError) Error() string {
	if e.Drives > 0 {
		return "a drive of it has not given everything back; qprism drive --release --apply does"
	}
	return "a push to it is not finished; qprism push --resume --apply finishes it, --undo --apply takes it back"
}

// MemoryOf is what Forget would delete. ErrNoSnapshot where the store has no snapshot of the cluster.
func (s *Store) MemoryOf(ctx context.Context, cluster string) (m Memory, err error) {
	err = s.inTransaction(ctx, toRead, func(c *sql.Conn) error {
		m, err = s.memoryOf(ctx, c, cluster)
		return err
	})
	if err != nil {
		return m, fmt.Errorf("store %s: cluster %q: %w", s.path, cluster, err)
	}
	return m, nil
}

func (s *Store) memoryOf(ctx context.Context, c *sql.Conn, cluster string) (Memory, error) {
	m := Memory{Cluster: cluster}
	var err error
	if m.Snapshots, err = s.infosOf(ctx, c, cluster); err != nil {
		return m, err
	}
	if err := errors.Join(verifyRows(ctx, c, sealOfPush), verifyRows(ctx, c, sealOfDrive)); err != nil {
		return m, err
	}
	return m, c.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM push NOT INDEXED WHERE cluster = ?1), (SELECT count(*) FROM drive NOT INDEXED WHERE cluster = ?1)`,
		escape(cluster)).Scan(&m.Pushes, &m.Drives)
}

// Forget deletes everything that the store holds of a cluster, as one transaction, and gives the space back. It refuses while
// something of the cluster may have to be taken back (*OpenError).
func (s *Store) Forget(ctx context.Context, cluster string) (m Memory, err error) {
	err = s.inTransaction(ctx, toWrite, func(c *sql.Conn) error {
		if m, err = s.memoryOf(ctx, c, cluster); err != nil {
			return err
		}
		var open OpenError
		if err := c.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM push WHERE cluster = ?1 AND ended_at IS NULL),
			(SELECT count(*) FROM drive WHERE cluster = ?1 AND ended_at IS NULL)`, escape(cluster)).Scan(&open.Pushes, &open.Drives); err != nil {
			return err
		}
		if open != (OpenError{}) {
			return &open
		}
		for _, i := range m.Snapshots {
			if err := deleteSnapshot(ctx, c, i.ID); err != nil {
				return err
			}
		}
		for _, kind := range []string{sealOfPush, sealOfDrive} {
			if err := deleteSealed(ctx, c, kind, `cluster = ?`, escape(cluster)); err != nil {
				return err
			}
		}
		return s.sweep(ctx, c)
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	if err != nil {
		return m, fmt.Errorf("store %s: forget %q: %w", s.path, cluster, err)
	}
	return m, nil
}

// deleteSealed deletes rows of a table and their seals.
func deleteSealed(ctx context.Context, conn *sql.Conn, kind, where string, args ...any) error {
	ids, err := readIDs(ctx, conn, `DELETE FROM `+kind+` WHERE `+where+` RETURNING id`, args...)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := dropSeal(ctx, conn, kind, id); err != nil {
			return err
		}
	}
	return nil
}
