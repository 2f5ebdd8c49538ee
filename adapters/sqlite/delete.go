package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Delete deletes snapshots, and data that no other snapshot needs, in one transaction, and frees the space.
// Many at once are faster. If one does not exist, the error is ErrNoSnapshot and nothing is deleted.
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

// deleteSnapshot deletes the records of a snapshot, whether they are damaged or not.
func deleteSnapshot(ctx context.Context, conn *sql.Conn, id int64) error {
	there, err := deleteRecord(ctx, conn, kindSnapshot, id)
	if err == nil && !there {
		err = ErrNoSnapshot
	}
	_, err2 := deleteRecord(ctx, conn, kindNumbers, id)
	_, err3 := deleteRecord(ctx, conn, kindAnalysis, id)
	return errors.Join(err, err2, err3)
}

// sweep deletes the blocks that nothing needs.
func (s *Store) sweep(ctx context.Context, conn *sql.Conn) error {
	used, err := s.usedBlocks(ctx, conn, nil)
	if err != nil {
		return err
	}
	return errors.Join(
		// no row refers to one that goes first
		withIDs(ctx, conn, `UPDATE block SET base = NULL WHERE id NOT IN wanted`, used),
		withIDs(ctx, conn, `DELETE FROM block WHERE id NOT IN wanted`, used))
}

// withIDs runs a statement; wanted are ids.
func withIDs(ctx context.Context, conn *sql.Conn, statement string, ids []int64) error {
	list, err := json.Marshal(append([]int64{}, ids...))
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `WITH wanted AS MATERIALIZED (SELECT value FROM json_each(?)) `+statement, string(list))
	return err
}

// usedBlocks are the ids of the blocks that some snapshots need; nil for all.
func (s *Store) usedBlocks(ctx context.Context, db queryer, snapshots []int64) ([]int64, error) {
	used, err := s.usedHashes(ctx, db, snapshots)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `SELECT id, hash, coalesce(base, 0) FROM block`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := map[int64]bool{}
	for rows.Next() {
		var id, base int64
		var h []byte
		if err := rows.Scan(&id, &h, &base); err != nil {
			return nil, err
		}
		if used[hash(h)] {
			ids[id] = true
			ids[cmp.Or(base, id)] = true
		}
	}
	return slices.Sorted(maps.Keys(ids)), rows.Err()
}

// usedHashes are the hashes of the blocks that some snapshots and their analyses consist of.
func (s *Store) usedHashes(ctx context.Context, db queryer, snapshots []int64) (map[hash]bool, error) {
	l, used := newLoader(ctx, db, s.codec), map[hash]bool{}
	add := func(parts []part) {
		for _, p := range parts {
			used[p.Hash] = true
		}
	}
	wanted := func(id int64) bool { return snapshots == nil || slices.Contains(snapshots, id) }
	infos, err := s.catalog.all(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, i := range infos {
		if !wanted(i.ID) {
			continue
		}
		parts, err := l.parts(i.parts)
		if err != nil {
			return nil, inSnapshot(i.ID, err)
		}
		used[i.parts] = true
		add(parts)
	}
	analyses, err := records[analysisRow](ctx, db, kindAnalysis)
	for _, a := range analyses {
		if wanted(a.id) {
			add(a.value.Parts)
		}
	}
	return used, err
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
