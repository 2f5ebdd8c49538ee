package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"

	"qprism/engine/model"
)

// A Reader reads snapshots that follow one another: what one has in common with that before it, it does not read again. Such
// snapshots share slices; who changes one of them changes a copy. It may not be used concurrently.
type Reader struct {
	store *Store
	known *known
}

// known is what was read of the snapshot before.
type known struct {
	lists map[string]knownList // by noun
	rows  map[int64]jobRow
	specs map[int64]*model.Job
}

// A knownList is a list of objects, without what changes of them by itself.
type knownList struct {
	id      int64
	objects reflect.Value
}

// Reader begins to read.
func (s *Store) Reader() *Reader { return &Reader{s, &known{lists: map[string]knownList{}}} }

// Snapshot is Store.Snapshot.
func (r *Reader) Snapshot(ctx context.Context, id int64) (snap *model.Snapshot, err error) {
	err = r.store.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		snap, err = r.store.load(loader{ctx: ctx, db: conn, codec: r.store.codec, snapshot: id, known: r.known})
		return err
	})
	if err != nil {
		r.known = r.store.Reader().known // it may be half of two snapshots
		return nil, fmt.Errorf("store %s: snapshot %d: %w", r.store.path, id, err)
	}
	return snap, nil
}

// listOf is the id of a snapshot's list; 0 for none.
func (l loader) listOf(noun string) (id int64, err error) {
	row := l.db.QueryRowContext(l.ctx, `SELECT list_id FROM snapshot_list WHERE snapshot_id = ? AND noun = ?`, l.snapshot, noun)
	if err = row.Scan(&id); errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, err
}

// keep takes over what is known, and returns the ids of the rest.
func keep[V any](ids []int64, known, now map[int64]V) (rest []int64) {
	for _, id := range ids {
		if v, ok := known[id]; ok {
			now[id] = v
		} else {
			rest = append(rest, id)
		}
	}
	return rest
}
