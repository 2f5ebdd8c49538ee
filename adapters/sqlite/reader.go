package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"sync"

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

// Each reads snapshots, some at a time with a Reader for each, and hands them on one by one in their order.
func (s *Store) Each(ctx context.Context, infos []Info, atOnce int, do func(Info, *model.Snapshot) error) error {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	turns := make([]chan turn, min(max(atOnce, 1), max(len(infos), 1)))
	for k := range turns {
		turns[k] = make(chan turn)
		all.Go(func() { s.Reader().read(ctx, infos[min(k, len(infos)):], len(turns), turns[k]) })
	}
	for i := range infos {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case t := <-turns[i%len(turns)]:
			if t.err == nil {
				t.err = do(infos[i], t.snap)
			}
			if t.err != nil {
				return t.err
			}
		}
	}
	return nil
}

// A turn is what came of reading a snapshot.
type turn struct {
	snap *model.Snapshot
	err  error
}

// read reads every so many of some snapshots, until nobody wants more.
func (r *Reader) read(ctx context.Context, infos []Info, every int, to chan<- turn) {
	for i := 0; i < len(infos); i += every {
		snap, err := r.Snapshot(ctx, infos[i].ID)
		select {
		case to <- turn{snap, err}:
		case <-ctx.Done():
			return
		}
	}
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
