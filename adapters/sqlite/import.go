package sqlite

import (
	"cmp"
	"context"
	"database/sql"
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
	Existed bool   // the store already had this bundle of this cluster; nothing was stored
	Bytes   int64  // added by the import, compressed
}

// Import stores a bundle and its snapshot in one transaction. The same bundle of the same cluster is stored
// once. source tells people where the bundle came from. Import waits for other importing processes. It keeps
// neither bundle nor snapshot.
func (s *Store) Import(ctx context.Context, bundle fs.FS, source string, snap *model.Snapshot) (Imported, error) {
	var done Imported
	err := s.inTransaction(ctx, toWrite, func(conn *sql.Conn) (err error) {
		w := s.newWriter(ctx, conn)
		defer w.close()
		done, err = w.snapshot(bundle, source, snap)
		return err
	})
	var existing *existsError
	if errors.As(err, &existing) {
		return Imported{ID: existing.ID, Existed: true, Cluster: existing.Cluster}, nil
	}
	if err != nil {
		return Imported{}, fmt.Errorf("store %s: import: %w", s.path, err)
	}
	return done, nil
}

// An existsError rolls back an import of a bundle that the store has already.
type existsError struct{ Info }

func (e *existsError) Error() string { return fmt.Sprintf("the bundle is snapshot %d", e.ID) }

// A snapshotRow is the record of a snapshot.
type snapshotRow struct {
	Info   Info
	Bundle hash // of all names and contents
	Parts  hash // of the block with its parts
}

// A part is a block of a snapshot: some elements of a noun, everything that is in no noun (rest), or bytes of the
// bundle (bundle.go).
type part struct {
	Noun string
	Key  int64 // of its first element
	Size int64 // in elements, or bytes of a bundle
	Hash hash
}

const restNoun = "rest"

// A writer writes one snapshot, or its analysis, within a transaction.
type writer struct {
	ctx     context.Context // ends the import; statements are short and run without it
	conn    *sql.Conn
	codec   *codec
	catalog *catalog
	stmts   map[string]*sql.Stmt
	before  map[string][]part // of the cluster's last snapshot, which is probably like this one
	parts   []part
	bytes   int64 // written, compressed
}

func (s *Store) newWriter(ctx context.Context, conn *sql.Conn) *writer {
	return &writer{ctx: ctx, conn: conn, codec: s.codec, catalog: s.catalog, stmts: map[string]*sql.Stmt{}}
}

func (w *writer) close() {
	for _, s := range w.stmts {
		s.Close()
	}
}

// statement prepares a statement once.
func (w *writer) statement(query string) (*sql.Stmt, error) {
	if s, ok := w.stmts[query]; ok {
		return s, nil
	}
	s, err := w.conn.PrepareContext(context.WithoutCancel(w.ctx), query)
	if err == nil {
		w.stmts[query] = s
	}
	return s, err
}

// snapshot writes everything.
func (w *writer) snapshot(bundle fs.FS, source string, snap *model.Snapshot) (Imported, error) {
	infos, err := w.catalog.all(w.ctx, w.conn)
	if err != nil {
		return Imported{}, err
	}
	known, err := clusters(w.ctx, w.conn, infos)
	if err != nil {
		return Imported{}, err
	}
	cluster, called, err := nameOf(known, snap)
	if err != nil {
		return Imported{}, err
	}
	if err := w.findBefore(infos, cluster); err != nil {
		return Imported{}, err
	}
	row := snapshotRow{Info: Info{Cluster: cluster, Called: called, Identity: snap.Identity, Release: snap.Release,
		TakenAt: snap.TakenAt, Source: source, ImportedAt: time.Now().UTC().Truncate(time.Microsecond), Jobs: len(snap.Jobs)}}
	row.Info.Running, row.Info.Pending = model.CountTasks(snap.Jobs)
	row.Info.Ended = snap.CountEnded()
	if row.Bundle, row.Info.RawBytes, err = w.bundle(bundle); err != nil {
		return Imported{}, fmt.Errorf("the bundle: %w", err)
	}
	if old := findBundle(infos, row, snap); old != nil {
		return Imported{}, &existsError{*old}
	}
	if err := w.model(snap); err != nil {
		return Imported{}, err
	}
	if row.Parts, err = w.partList(); err != nil {
		return Imported{}, err
	}
	row.Info.StoredBytes = w.bytes
	id, err := nextID(w.ctx, w.conn, kindSnapshot)
	if err != nil {
		return Imported{}, err
	}
	if err := setBody(w.ctx, w.conn, kindNumbers, id, numbersOf(snap.Jobs)); err != nil {
		return Imported{}, err
	}
	return Imported{ID: id, Cluster: cluster, Bytes: w.bytes}, setRecord(w.ctx, w.conn, kindSnapshot, id, &row)
}

// findBundle finds the snapshot of a bundle. A cluster without a name is the one that the bundle's first import made.
func findBundle(infos []storedInfo, row snapshotRow, snap *model.Snapshot) *Info {
	for i := range infos {
		old := &infos[i]
		unnamed := snap.Cluster == "" && snap.Identity.Given == "" && old.Called == ""
		if old.bundle == row.Bundle && (old.Cluster == row.Info.Cluster || unnamed) {
			return &old.Info
		}
	}
	return nil
}

// findBefore reads the parts of the cluster's last snapshot. Without them everything is stored whole.
func (w *writer) findBefore(infos []storedInfo, cluster string) error {
	last := storedInfo{}
	for _, i := range infos {
		if i.Cluster == cluster && i.ID > last.ID {
			last = i
		}
	}
	if last.ID == 0 {
		return nil
	}
	parts, err := newLoader(w.ctx, w.conn, w.codec).parts(last.parts)
	if errors.Is(err, ErrDamaged) {
		return nil
	}
	w.before = byNoun(parts)
	return err
}

// byNoun sorts parts out, in their order.
func byNoun(parts []part) map[string][]part {
	all := map[string][]part{}
	for _, p := range parts {
		all[p.Noun] = append(all[p.Noun], p)
	}
	return all
}

// like is the block of the snapshot before at the place of a part, none if it had no such noun.
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

// model writes what was read from the bundle.
func (w *writer) model(snap *model.Snapshot) error {
	nouns, rest := splitSnapshot(snap)
	for _, n := range nouns {
		if err := w.noun(n); err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
	}
	return w.part(restNoun, 0, reflect.ValueOf([]model.Snapshot{*rest}))
}

// noun writes the parts of a noun.
func (w *writer) noun(n noun) error {
	for start := 0; start < n.slice.Len(); {
		end := n.partEnd(start)
		if err := w.part(n.name, n.keyOf(start), n.slice.Slice(start, end)); err != nil {
			return err
		}
		start = end
	}
	return nil
}

// part writes one part.
func (w *writer) part(noun string, key int64, slice reflect.Value) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	packed, err := pack(slice)
	if err != nil {
		return err
	}
	h, err := w.block(packed, w.like(noun, key))
	w.parts = append(w.parts, part{noun, key, int64(slice.Len()), h})
	return err
}

// partList writes the list of parts.
func (w *writer) partList() (hash, error) {
	packed, err := pack(reflect.ValueOf(w.parts))
	if err != nil {
		return "", err
	}
	return w.block(packed, "")
}

// find returns the id that a query yields, 0 for none.
func (w *writer) find(query string, args ...any) (id int64, err error) {
	s, err := w.statement(query)
	if err != nil {
		return 0, err
	}
	err = s.QueryRow(args...).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, err
}

func (w *writer) insert(query string, args ...any) error {
	s, err := w.statement(query)
	if err == nil {
		_, err = s.Exec(args...)
	}
	return err
}
