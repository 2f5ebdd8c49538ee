package sqlite

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"qprism/engine/model"
)

// Snapshot loads a snapshot as it was imported. The error is ErrNoSnapshot if it does not exist, and ErrDamaged
// if it is damaged.
func (s *Store) Snapshot(ctx context.Context, id int64) (snap *model.Snapshot, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { snap = t.snapshot(id) })
	return snap, s.named(err, "snapshot %d", id)
}

// snapshot reads a snapshot.
func (t *tx) snapshot(id int64) *model.Snapshot {
	info := t.info(id)
	snap := t.snapshotOf(byNoun(t.parts(info.parts)))
	if t.err != nil {
		return nil
	}
	if len(snap.Jobs) != info.Jobs {
		t.fail(fmt.Errorf("%w: %d jobs, but %d were stored", ErrDamaged, len(snap.Jobs), info.Jobs))
	}
	snap.Cluster = info.Cluster
	return snap
}

// HostsOf reads only the hosts and queue instances of a snapshot.
func (s *Store) HostsOf(ctx context.Context, id int64) (*model.Snapshot, error) {
	snap := &model.Snapshot{}
	err := s.transaction(ctx, toRead, func(t *tx) {
		parts := byNoun(t.parts(t.info(id).parts))
		for _, n := range nounsOf(snap) {
			if n.name == "host" || n.name == "queue_instance" {
				t.readNoun(parts, n)
			}
		}
	})
	return snap, s.named(err, "hosts of snapshot %d", id)
}

// parts reads a list of parts from its block.
func (t *tx) parts(list hash) (parts []part) {
	t.unpack(t.block(list), reflect.ValueOf(&parts).Elem())
	return parts
}

// snapshotOf joins parts to a snapshot.
func (t *tx) snapshotOf(parts map[string][]part) *model.Snapshot {
	rest := make([]model.Snapshot, 1)
	t.read(parts[restNoun], reflect.ValueOf(&rest).Elem())
	snap := &rest[0]
	for _, n := range nounsOf(snap) {
		t.readNoun(parts, n)
	}
	var stored []storedJob
	t.read(parts[jobNoun], reflect.ValueOf(&stored).Elem())
	if len(stored) == 0 {
		return snap
	}
	snap.Jobs = make([]model.Job, len(stored))
	for i := range stored {
		place := stored[i].Place
		if place < 0 || place >= len(stored) {
			t.fail(fmt.Errorf("%w: job %d has the place %d of %d", ErrDamaged, stored[i].Number, place, len(stored)))
			break
		}
		snap.Jobs[place] = stored[i].job()
	}
	return snap
}

func (t *tx) readNoun(parts map[string][]part, n noun) {
	if t.err != nil {
		return
	}
	if t.read(parts[n.name], n.slice); t.err != nil {
		t.err = fmt.Errorf("%s: %w", n.name, t.err)
	}
}

// read sets a slice to the elements of all parts of a noun.
func (t *tx) read(parts []part, slice reflect.Value) {
	total := 0
	for _, p := range parts {
		total += int(p.Size)
	}
	if total == 0 {
		return
	}
	slice.Set(reflect.MakeSlice(slice.Type(), total, total))
	start := 0
	for _, p := range parts {
		end := start + int(p.Size)
		t.unpack(t.block(p.Hash), slice.Slice(start, end))
		start = end
	}
}

// unpack sets a slice to the elements of a packed block.
func (t *tx) unpack(data []byte, slice reflect.Value) {
	if t.err != nil {
		return
	}
	if err := unpack(data, slice); err != nil {
		t.fail(fmt.Errorf("%w: %w", ErrDamaged, err))
	}
}

// Each loads several snapshots at the same time. It passes them to do one by one, in order.
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

// A turn is a loaded snapshot, or the error of loading it.
type turn struct {
	snap *model.Snapshot
	err  error
}

// readEvery loads one of every snapshots in a list, and sends it to the caller.
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
