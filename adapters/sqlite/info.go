package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
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

const selectInfo = `SELECT s.id, coalesce(k.name, ''), coalesce(k.called, ''), s.identity, s.product, s.version, s.taken_at, s.source, s.imported_at,
	s.jobs, s.running, s.pending, s.raw_bytes, s.stored_bytes
	FROM snapshot s NOT INDEXED LEFT JOIN cluster k ON k.id = s.cluster_id `

// Snapshots lists all snapshots, by cluster and time.
func (s *Store) Snapshots(ctx context.Context) ([]Info, error) {
	var infos []Info
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		infos, err = s.infos(ctx, conn)
		return err
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
		infos, err := s.infosOf(ctx, conn, cluster)
		if err == nil {
			info = infos[len(infos)-1]
		}
		return err
	})
	if err != nil {
		return Info{}, fmt.Errorf("store %s: cluster %q: %w", s.path, cluster, err)
	}
	return info, nil
}

// infos lists all snapshots, by cluster and time. Each is as it was stored, and none is lost.
func (s *Store) infos(ctx context.Context, db queryer) ([]Info, error) {
	if err := verifyRows(ctx, db, sealOfSnapshot); err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, selectInfo)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var infos []Info
	for rows.Next() {
		info, err := scanInfo(rows.Scan)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	slices.SortFunc(infos, func(a, b Info) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), a.TakenAt.Compare(b.TakenAt), cmp.Compare(a.ID, b.ID))
	})
	return infos, rows.Err()
}

// infosOf lists the snapshots of a cluster by time; ErrNoSnapshot where there are none.
func (s *Store) infosOf(ctx context.Context, db queryer, cluster string) ([]Info, error) {
	infos, err := s.infos(ctx, db)
	if err != nil {
		return nil, err
	}
	infos = slices.DeleteFunc(infos, func(i Info) bool { return i.Cluster != cluster })
	if len(infos) == 0 {
		return nil, ErrNoSnapshot
	}
	return infos, nil
}

// info reads about one snapshot, all rows of which are as they were stored; ErrNoSnapshot where there is none.
func (s *Store) info(ctx context.Context, db queryer, id int64) (Info, error) {
	info, err := scanInfo(db.QueryRowContext(ctx, selectInfo+`WHERE s.id = ?`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		if _, lost := sealed(ctx, db, sealOfSnapshot, id); lost != nil {
			return info, ErrNoSnapshot
		}
	} else if err != nil {
		return info, err
	}
	return info, verify(ctx, db, sealOfSnapshot, id)
}

// inSnapshot says in which snapshot something is wrong.
func inSnapshot(id int64, err error) error { return fmt.Errorf("snapshot %d: %w", id, err) }

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
