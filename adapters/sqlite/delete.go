package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Delete deletes snapshots and everything that no other snapshot refers to, as one transaction, and gives the space
// back. It is faster for many at a time. ErrNoSnapshot where the store lacks one of them; then it deletes none.
func (s *Store) Delete(ctx context.Context, ids ...int64) error {
	err := s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		for _, id := range ids {
			if err := deleteSnapshot(ctx, conn, id); err != nil {
				return fmt.Errorf("snapshot %d: %w", id, err)
			}
		}
		return s.sweep(ctx, conn)
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	if err != nil {
		return fmt.Errorf("store %s: delete: %w", s.path, err)
	}
	return nil
}

func deleteSnapshot(ctx context.Context, conn *sql.Conn, id int64) error {
	result, err := conn.ExecContext(ctx, `DELETE FROM snapshot WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return ErrNoSnapshot
	}
	return errors.Join(dropSeal(ctx, conn, sealOfSnapshot, id), dropSeal(ctx, conn, sealOfAnalysis, id))
}

// sweep deletes what nothing refers to, and what only that referred to.
func (s *Store) sweep(ctx context.Context, conn *sql.Conn) error {
	if err := s.sweepJobs(ctx, conn); err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM spec WHERE id NOT IN (SELECT spec_id FROM job)`,
		`DELETE FROM list WHERE id NOT IN (SELECT list_id FROM snapshot_list)`,
		`DELETE FROM object WHERE id NOT IN (SELECT object_id FROM list_object)`,
		`DELETE FROM content WHERE base_id IS NOT NULL AND id NOT IN (SELECT content_id FROM part)`,
		`DELETE FROM content WHERE id NOT IN (SELECT content_id FROM part)
			AND id NOT IN (SELECT base_id FROM content WHERE base_id IS NOT NULL)`,
		`DELETE FROM cluster WHERE id NOT IN (SELECT cluster_id FROM snapshot)`,
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// sweepJobs deletes the rows of jobs that are in no snapshot's order.
func (s *Store) sweepJobs(ctx context.Context, conn *sql.Conn) error {
	used, err := s.usedJobs(ctx, conn)
	if err != nil {
		return err
	}
	rows, err := conn.QueryContext(ctx, `SELECT id FROM job`)
	if err != nil {
		return err
	}
	defer rows.Close()
	unused := []int64{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if !used[id] {
			unused = append(unused, id)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	list, err := json.Marshal(unused)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `DELETE FROM job WHERE id IN (SELECT value FROM json_each(?))`, string(list))
	return err
}

// usedJobs reads the orders of all snapshots.
func (s *Store) usedJobs(ctx context.Context, conn *sql.Conn) (map[int64]bool, error) {
	rows, err := conn.QueryContext(ctx, `SELECT id FROM snapshot`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	used := map[int64]bool{}
	for rows.Next() {
		l := loader{ctx: ctx, db: conn, codec: s.codec}
		if err := rows.Scan(&l.snapshot); err != nil {
			return nil, err
		}
		order, err := l.order()
		if err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", l.snapshot, err)
		}
		for _, o := range order {
			used[o.Job] = true
		}
	}
	return used, rows.Err()
}

// shrink gives free pages back to the file system.
func (s *Store) shrink(ctx context.Context) error {
	for _, pragma := range []string{"PRAGMA incremental_vacuum", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		rows, err := s.db.QueryContext(ctx, pragma)
		if err != nil {
			return err
		}
		for rows.Next() { // each step frees a page
		}
		if err := rows.Close(); err != nil {
			return err
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}
