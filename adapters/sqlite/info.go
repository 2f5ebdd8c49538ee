package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"qprism/engine/model"
)

// An Info describes a stored snapshot.
type Info struct {
	ID         int64
	Cluster    string         // its name in the store
	Called     string         // as its bundles call it, which others may be called too
	Identity   model.Identity // what the bundle says tells it from others
	Release    model.Release
	TakenAt    time.Time
	Source     string // where the bundle came from
	ImportedAt time.Time

	Jobs             int
	Running, Pending int64 // tasks, each one of a group
	RawBytes         int64 // of the bundle's files
	StoredBytes      int64 // that the import added to the store, compressed; what snapshots share is counted for the first
}

const selectInfo = `SELECT s.id, k.name, k.called, s.identity, s.product, s.version, s.taken_at, s.source, s.imported_at,
	s.jobs, s.running, s.pending, s.raw_bytes, s.stored_bytes
	FROM snapshot s JOIN cluster k ON k.id = s.cluster_id `

// Snapshots lists all snapshots, by cluster and time.
func (s *Store) Snapshots(ctx context.Context) ([]Info, error) {
	var infos []Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		rows, err := conn.QueryContext(ctx, selectInfo+`ORDER BY k.name, s.taken_at, s.id`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			info, err := scanInfo(rows.Scan)
			if err != nil {
				return err
			}
			infos = append(infos, info)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: snapshots: %w", s.path, err)
	}
	return infos, nil
}

// Latest is the snapshot of a cluster that was taken last; of several taken at one time, the one imported last.
// ErrNoSnapshot where there is none.
func (s *Store) Latest(ctx context.Context, cluster string) (Info, error) {
	var info Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		info, err = s.info(ctx, conn, `WHERE k.name = ? ORDER BY s.taken_at DESC, s.id DESC LIMIT 1`, escape(cluster))
		return err
	})
	if err != nil {
		return Info{}, fmt.Errorf("store %s: cluster %q: %w", s.path, cluster, err)
	}
	return info, nil
}

// infoOf describes the snapshot of a number.
func (s *Store) infoOf(ctx context.Context, id int64) (i Info, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		i, err = s.info(ctx, conn, `WHERE s.id = ?`, id)
		return err
	})
	return i, err
}

func (s *Store) info(ctx context.Context, db queryer, where string, args ...any) (Info, error) {
	info, err := scanInfo(db.QueryRowContext(ctx, selectInfo+where, args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoSnapshot
	}
	return info, err
}

func scanInfo(scan func(...any) error) (i Info, err error) {
	var takenAt, importedAt int64
	var identity string
	err = scan(&i.ID, &i.Cluster, &i.Called, &identity, &i.Release.Product, &i.Release.Version, &takenAt, &i.Source, &importedAt,
		&i.Jobs, &i.Running, &i.Pending, &i.RawBytes, &i.StoredBytes)
	if err == nil {
		i.Identity, err = parseIdentity(identity)
	}
	for _, text := range []*string{&i.Cluster, &i.Called, &i.Release.Product, &i.Release.Version, &i.Source} {
		*text = unescape(*text)
	}
	i.TakenAt, i.ImportedAt = time.UnixMicro(takenAt).UTC(), time.UnixMicro(importedAt).UTC()
	return i, err
}
