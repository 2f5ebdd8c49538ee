package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"qprism/engine/model"
)

// Imported says what an import did.
type Imported struct {
	ID      int64  // of the snapshot
	Cluster string // its name in the store
	Existed bool   // the store held this very bundle of this cluster already, and nothing was stored
	Bytes   int64  // that the import added, compressed
}

// Import stores a bundle and what was read from it, as one transaction: it is stored whole or not at all. The same
// bundle of the same cluster is stored once. The source says for people where the bundle came from. Import waits for
// another process that imports. It reads the bundle and the snapshot, and keeps neither.
//
// Times that the store keeps in columns (TakenAt, Job.Submitted) are kept to the microsecond, and must lie within
// 290,000 years of 1970.
func (s *Store) Import(ctx context.Context, bundle fs.FS, source string, snap *model.Snapshot) (Imported, error) {
	var done Imported
	err := s.inTransaction(ctx, toWrite, func(conn *sql.Conn) (err error) {
		w := newWriter(ctx, conn, s.codec)
		defer w.close()
		cluster, err := w.findCluster(snap)
		if err != nil {
			return err
		}
		w.raw = s.startRaw(ctx, bundle, cluster)
		defer w.raw.stop()
		done, err = w.snapshot(source, snap)
		done.Cluster = cluster
		return err
	})
	var existing *existsError
	if errors.As(err, &existing) {
		var info Info
		err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
			info, err = s.info(ctx, conn, existing.id)
			return err
		})
		return Imported{ID: existing.id, Existed: true, Cluster: info.Cluster}, err
	}
	if err != nil {
		return Imported{}, fmt.Errorf("store %s: import: %w", s.path, err)
	}
	return done, nil
}

// An existsError undoes an import of a bundle that is there already.
type existsError struct{ id int64 }

func (e *existsError) Error() string { return fmt.Sprintf("the bundle is snapshot %d", e.id) }

// A writer writes one snapshot within a transaction. Rows that refer to the snapshot are written last, when its bundle
// is known.
type writer struct {
	ctx     context.Context // ends the import; statements are short and run without it
	conn    *sql.Conn
	codec   *codec
	raw     *rawStream
	stmts   map[string]*sql.Stmt
	cluster int64
	parts   []partRef
	lists   []listRef
	offset  int64 // of the next block of the bundle, in bytes
	bytes   int64 // written, compressed
}

// A partRef and a listRef are rows to be.
type (
	partRef struct {
		noun           string
		first, content int64
	}
	listRef struct {
		noun string
		list int64
	}
)

func newWriter(ctx context.Context, conn *sql.Conn, codec *codec) *writer {
	return &writer{ctx: ctx, conn: conn, codec: codec, stmts: map[string]*sql.Stmt{}}
}

func (w *writer) close() {
	for _, s := range w.stmts {
		s.Close()
	}
}

// snapshot writes everything. The bundle is read at the same time, and its blocks are stored in between.
func (w *writer) snapshot(source string, snap *model.Snapshot) (Imported, error) {
	takenAt, err := micros(snap.TakenAt)
	if err != nil {
		return Imported{}, fmt.Errorf("taken at: %w", err)
	}
	if err := w.nouns(snap); err != nil {
		return Imported{}, err
	}
	if err := w.jobs(snap.Jobs); err != nil {
		return Imported{}, err
	}
	bundle, err := w.bundle(snap)
	if err != nil {
		return Imported{}, fmt.Errorf("the bundle: %w", err)
	}
	running, pending := model.CountTasks(snap.Jobs)
	id, err := w.insert(`INSERT INTO snapshot (cluster_id, bundle, product, version, taken_at, location, source,
		imported_at, jobs, running, pending, raw_bytes, stored_bytes, identity) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		w.cluster, bundle[:], escape(snap.Release.Product), escape(snap.Release.Version), takenAt, escape(snap.Location),
		escape(source), time.Now().UnixMicro(), len(snap.Jobs), running, pending, w.offset, w.bytes,
		escape(snap.Identity.Text()))
	if err != nil {
		return Imported{}, err
	}
	if err := w.references(id); err != nil {
		return Imported{}, err
	}
	return Imported{ID: id, Bytes: w.bytes}, setSeal(context.WithoutCancel(w.ctx), w.conn, sealOfSnapshot, id)
}

// bundle stores what is left of the bundle, and finds out whether the store had it before.
func (w *writer) bundle(snap *model.Snapshot) (hash, error) {
	if err := w.blocks(true); err != nil {
		return hash{}, err
	}
	bundle := w.raw.bundle
	id, err := w.find(`SELECT id FROM snapshot WHERE cluster_id = ? AND bundle = ?`, w.cluster, bundle.bundle[:])
	if err == nil && id == 0 && snap.Cluster == "" && snap.Identity.Given == "" { // of a cluster without a name, which its first import made
		id, err = w.find(`SELECT s.id FROM snapshot s JOIN cluster k ON k.id = s.cluster_id WHERE k.called = '' AND s.bundle = ?`,
			bundle.bundle[:])
	}
	if err != nil {
		return hash{}, err
	}
	if id != 0 {
		return hash{}, &existsError{id}
	}
	return bundle.bundle, w.fileNames(bundle.files)
}

// references writes the rows that refer to the snapshot.
func (w *writer) references(snapshot int64) error {
	for _, l := range w.lists {
		if _, err := w.insert(`INSERT INTO snapshot_list (snapshot_id, noun, list_id) VALUES (?, ?, ?)`,
			snapshot, l.noun, l.list); err != nil {
			return err
		}
	}
	for _, p := range w.parts {
		if _, err := w.insert(`INSERT INTO part (snapshot_id, noun, first, content_id) VALUES (?, ?, ?, ?)`,
			snapshot, p.noun, p.first, p.content); err != nil {
			return err
		}
	}
	return nil
}
