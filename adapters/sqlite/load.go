package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"sync"

	"qprism/engine/model"
)

// Snapshot loads a snapshot as it was imported. The error is ErrNoSnapshot if there is none, ErrDamaged if it
// cannot be read.
func (s *Store) Snapshot(ctx context.Context, id int64) (*model.Snapshot, error) {
	var snap *model.Snapshot
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		snap, err = newLoader(ctx, conn, s.codec).snapshot(id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: snapshot %d: %w", s.path, id, err)
	}
	return snap, nil
}

// snapshot reads a snapshot.
func (l loader) snapshot(id int64) (*model.Snapshot, error) {
	info, err := findInfo(l.ctx, l.db, id)
	if err != nil {
		return nil, err
	}
	parts, err := l.parts(info.parts)
	if err != nil {
		return nil, err
	}
	snap, err := l.snapshotOf(byNoun(parts))
	if err == nil && len(snap.Jobs) != info.Jobs {
		err = fmt.Errorf("%w: %d jobs, but %d were stored", ErrDamaged, len(snap.Jobs), info.Jobs)
	}
	if err == nil {
		snap.Cluster = info.Cluster
	}
	return snap, err
}

// HostsOf reads the hosts and queue instances of a snapshot, and nothing else.
func (s *Store) HostsOf(ctx context.Context, id int64) (*model.Snapshot, error) {
	snap := &model.Snapshot{}
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		l := newLoader(ctx, conn, s.codec)
		list, err := l.partsOf(id)
		if err != nil {
			return err
		}
		parts := byNoun(list)
		for _, n := range nounsOf(snap) {
			if n.name != "host" && n.name != "queue_instance" {
				continue
			}
			if err := l.read(parts[n.name], n.slice); err != nil {
				return fmt.Errorf("%s: %w", n.name, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: hosts of snapshot %d: %w", s.path, id, err)
	}
	return snap, nil
}

// partsOf reads the list of a snapshot's parts.
func (l loader) partsOf(id int64) ([]part, error) {
	info, err := findInfo(l.ctx, l.db, id)
	if err != nil {
		return nil, err
	}
	return l.parts(info.parts)
}

// parts reads a list of parts from its block.
func (l loader) parts(list hash) (parts []part, err error) {
	data, err := l.block(list)
	if err != nil {
		return nil, err
	}
	if err := unpack(data, reflect.ValueOf(&parts).Elem()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return parts, nil
}

// snapshotOf puts a snapshot together.
func (l loader) snapshotOf(parts map[string][]part) (*model.Snapshot, error) {
	rest := make([]model.Snapshot, 1)
	if err := l.read(parts[restNoun], reflect.ValueOf(&rest).Elem()); err != nil {
		return nil, err
	}
	snap := &rest[0]
	for _, n := range nounsOf(snap) {
		if err := l.read(parts[n.name], n.slice); err != nil {
			return nil, fmt.Errorf("%s: %w", n.name, err)
		}
	}
	var stored []storedJob
	if err := l.read(parts[jobNoun], reflect.ValueOf(&stored).Elem()); err != nil || len(stored) == 0 {
		return snap, err
	}
	snap.Jobs = make([]model.Job, len(stored))
	for i := range stored {
		place := stored[i].Place
		if place < 0 || place >= len(stored) {
			return nil, fmt.Errorf("%w: job %d has the place %d of %d", ErrDamaged, stored[i].Number, place, len(stored))
		}
		snap.Jobs[place] = stored[i].job()
	}
	return snap, nil
}

// read sets a slice to the elements of all parts of a noun.
func (l loader) read(parts []part, slice reflect.Value) error {
	total := 0
	for _, p := range parts {
		total += int(p.Size)
	}
	if total == 0 {
		return nil
	}
	slice.Set(reflect.MakeSlice(slice.Type(), total, total))
	start := 0
	for _, p := range parts {
		data, err := l.block(p.Hash)
		if err != nil {
			return err
		}
		end := start + int(p.Size)
		if err := unpack(data, slice.Slice(start, end)); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		start = end
	}
	return nil
}

// Each loads snapshots, several at a time, and passes them to do one by one, in order.
func (s *Store) Each(ctx context.Context, infos []Info, atOnce int, do func(Info, *model.Snapshot) error) error {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	turns := make([]chan turn, min(max(atOnce, 1), max(len(infos), 1)))
	for k := range turns {
		turns[k] = make(chan turn)
		all.Go(func() { s.readEvery(ctx, infos[min(k, len(infos)):], len(turns), turns[k]) })
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

// A turn is a snapshot that was read, or why it was not.
type turn struct {
	snap *model.Snapshot
	err  error
}

// readEvery reads each every-th snapshot of a list, and sends it to the caller.
func (s *Store) readEvery(ctx context.Context, infos []Info, every int, to chan<- turn) {
	for i := 0; i < len(infos); i += every {
		snap, err := s.Snapshot(ctx, infos[i].ID)
		select {
		case to <- turn{snap, err}:
		case <-ctx.Done():
			return
		}
	}
}
