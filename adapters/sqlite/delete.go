package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// Delete deletes snapshots, and data that no other snapshot needs, in one transaction. It frees the space. One
// call for many snapshots is faster than many calls. If a snapshot does not exist, the error is ErrNoSnapshot
// and Delete deletes nothing.
func (s *Store) Delete(ctx context.Context, ids ...int64) error {
	err := s.transaction(ctx, toWrite, func(t *tx) {
		for _, id := range ids {
			if t.deleteSnapshot(id); t.err != nil {
				t.err = inSnapshot(id, t.err)
				return
			}
		}
		t.sweep()
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	return s.named(err, "delete")
}

// deleteSnapshot deletes the records of a snapshot, also damaged ones.
func (t *tx) deleteSnapshot(id int64) {
	if !t.deleteRecord(kindSnapshot, id) {
		t.fail(ErrNoSnapshot)
	}
	t.deleteAll(id, kindNumbers, kindAnalysis)
}

// sweep deletes the blocks that nothing needs.
func (t *tx) sweep() {
	used := t.usedBlocks(nil)
	t.withIDs(`UPDATE block SET base = NULL WHERE id NOT IN wanted`, used) // a row may refer to another deleted row
	t.withIDs(`DELETE FROM block WHERE id NOT IN wanted`, used)
}

// withIDs runs a statement in which wanted stands for ids.
func (t *tx) withIDs(statement string, ids []int64) {
	list, err := json.Marshal(append([]int64{}, ids...))
	t.fail(err)
	t.exec(`WITH wanted AS MATERIALIZED (SELECT value FROM json_each(?)) `+statement, string(list))
}

// usedBlocks lists the ids of the blocks that some snapshots need. nil means all snapshots.
func (t *tx) usedBlocks(snapshots []int64) []int64 {
	used, ids := t.usedHashes(snapshots), map[int64]bool{}
	t.each(func(columns func(...any)) {
		var id, base int64
		var h []byte
		if columns(&id, &h, &base); used[hash(h)] {
			ids[id] = true
			ids[cmp.Or(base, id)] = true
		}
	}, `SELECT id, hash, coalesce(base, 0) FROM block`)
	return slices.Sorted(maps.Keys(ids))
}

// usedHashes lists the hashes of the blocks of some snapshots and their analyses.
func (t *tx) usedHashes(snapshots []int64) map[hash]bool {
	used := map[hash]bool{}
	add := func(parts []part) {
		for _, p := range parts {
			used[p.Hash] = true
		}
	}
	wanted := func(id int64) bool { return snapshots == nil || slices.Contains(snapshots, id) }
	for _, i := range t.catalog.all(t) {
		if t.err != nil || !wanted(i.ID) {
			continue
		}
		used[i.parts] = true
		if add(t.parts(i.parts)); t.err != nil {
			t.err = inSnapshot(i.ID, t.err)
		}
	}
	for _, a := range records[analysisRow](t, kindAnalysis) {
		if wanted(a.id) {
			add(a.value.Parts)
		}
	}
	return used
}

// shrink returns free pages to the file system.
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
