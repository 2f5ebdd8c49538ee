package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"time"

	"qprism/engine/model"
)

// Imported is the result of an import.
type Imported struct {
	ID      int64  // of the snapshot
	Cluster string // its name in the store
	Existed bool   // the store already had this bundle of this cluster; Import stored nothing
	Bytes   int64  // compressed size of the data that the import added
}

// Import stores a bundle and its snapshot in one transaction. It stores the same bundle of the same cluster
// only once. source tells people where the bundle came from. Import waits while other processes import. It
// keeps no reference to bundle or snapshot.
func (s *Store) Import(ctx context.Context, bundle fs.FS, source string, snap *model.Snapshot) (Imported, error) {
	var done Imported
	err := s.transaction(ctx, toWrite, func(t *tx) { done = (&writer{tx: t}).snapshot(bundle, source, snap) })
	var existing *existsError
	switch {
	case errors.As(err, &existing):
		return Imported{ID: existing.ID, Existed: true, Cluster: existing.Cluster}, nil
	case err != nil:
		return Imported{}, s.named(err, "import")
	}
	return done, nil
}

// An existsError rolls back an import, because the store already has the bundle.
type existsError struct{ Info }

func (e *existsError) Error() string { return fmt.Sprintf("the bundle is snapshot %d", e.ID) }

// A snapshotRow is the record of a snapshot.
type snapshotRow struct {
	Info   Info
	Bundle hash // hash of all names and contents
	Parts  hash // hash of the block that lists its parts
}

// A part is a block of a snapshot. It has some elements of a noun, everything that is in no noun (rest), or
// bytes of the bundle (bundle.go).
type part struct {
	Noun string
	Key  int64 // key of its first element
	Size int64 // number of elements, or of bytes of a bundle
	Hash hash
}

const restNoun = "rest"

// A writer writes one snapshot, or its analysis, within a transaction.
type writer struct {
	*tx
	before map[string][]part // parts of the cluster's last snapshot, which is probably similar
	parts  []part
	bytes  int64 // compressed bytes written so far
}

// snapshot writes all parts of a snapshot.
func (w *writer) snapshot(bundle fs.FS, source string, snap *model.Snapshot) Imported {
	infos := w.catalog.all(w.tx)
	cluster, called, err := nameOf(w.clusters(), snap)
	w.fail(err)
	if w.findBefore(infos, cluster); w.err != nil {
		return Imported{}
	}
	row := snapshotRow{Info: Info{Cluster: cluster, Called: called, Identity: snap.Identity, Release: snap.Release,
		TakenAt: snap.TakenAt, Source: source, ImportedAt: time.Now().UTC().Truncate(time.Microsecond), Jobs: len(snap.Jobs)}}
	row.Info.Running, row.Info.Pending = model.CountTasks(snap.Jobs)
	row.Info.Ended = snap.CountEnded()
	if row.Bundle, row.Info.RawBytes = w.bundle(bundle); w.err != nil {
		return Imported{}
	}
	if old := findBundle(infos, row, snap); old != nil {
		w.fail(&existsError{*old})
		return Imported{}
	}
	w.model(snap)
	row.Parts = w.block(w.pack(reflect.ValueOf(w.parts)), "")
	row.Info.StoredBytes = w.bytes
	id := w.nextID(kindSnapshot)
	w.setBody(kindNumbers, id, numbersOf(snap.Jobs))
	setRecord(w.tx, kindSnapshot, id, &row)
	return Imported{ID: id, Cluster: cluster, Bytes: w.bytes}
}

// findBundle finds the stored snapshot of a bundle. A cluster without a name is the one that the first import
// of the bundle made.
func findBundle(infos []storedInfo, row snapshotRow, snap *model.Snapshot) *Info {
	for i := range infos {
		old := &infos[i]
		unnamed := snap.Cluster == "" && snap.Identity.Given == "" && old.Called == ""
		if old.bundle == row.Bundle && (old.Cluster == row.Info.Cluster || unnamed) {
			return old.Info
		}
	}
	return nil
}

// findBefore reads the parts of the cluster's last snapshot. Without them, the new snapshot is stored without
// dictionaries.
func (w *writer) findBefore(infos []storedInfo, cluster string) {
	last := storedInfo{Info: &Info{}}
	for _, i := range infos {
		if i.Cluster == cluster && i.ID > last.ID {
			last = i
		}
	}
	if last.ID == 0 || w.err != nil {
		return
	}
	if w.before = byNoun(w.tx.parts(last.parts)); errors.Is(w.err, ErrDamaged) {
		w.err = nil
	}
}

// byNoun groups parts by noun, and keeps their order.
func byNoun(parts []part) map[string][]part {
	all := map[string][]part{}
	for _, p := range parts {
		all[p.Noun] = append(all[p.Noun], p)
	}
	return all
}

// like returns the block at the same place in the last snapshot. It is empty if that snapshot has no such noun.
func (w *writer) like(noun string, key int64) hash {
	parts := w.before[noun]
	if len(parts) == 0 {
		return ""
	}
	i, found := slices.BinarySearchFunc(parts, key, func(p part, key int64) int { return cmp.Compare(p.Key, key) })
	if !found {
		i = max(i-1, 0)
	}
	return parts[i].Hash
}

// model writes the snapshot that was read from the bundle.
func (w *writer) model(snap *model.Snapshot) {
	nouns, rest := splitSnapshot(snap)
	for _, n := range nouns {
		if w.noun(n); w.err != nil {
			w.err = fmt.Errorf("%s: %w", n.name, w.err)
			return
		}
	}
	w.part(restNoun, 0, reflect.ValueOf([]model.Snapshot{*rest}))
}

// noun writes the parts of a noun.
func (w *writer) noun(n noun) {
	for start := 0; start < n.slice.Len(); {
		end := n.partEnd(start)
		w.part(n.name, n.keyOf(start), n.slice.Slice(start, end))
		start = end
	}
}

// part writes one part.
func (w *writer) part(noun string, key int64, slice reflect.Value) {
	if w.fail(w.ctx.Err()); w.err != nil {
		return
	}
	h := w.block(w.pack(slice), w.like(noun, key))
	w.parts = append(w.parts, part{noun, key, int64(slice.Len()), h})
}

func (w *writer) pack(slice reflect.Value) []byte {
	packed, err := pack(slice)
	w.fail(err)
	return packed
}
