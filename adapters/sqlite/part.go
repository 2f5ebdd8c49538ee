package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
)

// CopyPart makes another store of some snapshots in a new file, which nobody may write to: hosts that share a file system may all read
// it at once. It copies what these snapshots refer to, and nothing else.
func (s *Store) CopyPart(ctx context.Context, path string, ids []int64) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", path)
	}
	part, err := Open(path)
	if err != nil {
		return err
	}
	err = part.copyFrom(ctx, s, ids)
	if err == nil {
		err = part.shrink(ctx) // all is in the one file then
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("store %s: copy a part of it to %s: %w", s.path, path, explain(s.path, err))
	}
	return os.Chmod(path, 0o400)
}

// copyFrom fills an empty store with snapshots of another one.
func (s *Store) copyFrom(ctx context.Context, whole *Store, ids []int64) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer discard(conn) // with what is attached to it
	if _, err := conn.ExecContext(ctx, `ATTACH ? AS whole`, whole.asAttached()); err != nil {
		return err
	}
	if err := run(ctx, conn, toWrite); err != nil {
		return err
	}
	if err := s.copyRows(ctx, conn, string(list)); err != nil {
		return errors.Join(err, run(context.WithoutCancel(ctx), conn, "ROLLBACK"))
	}
	return run(ctx, conn, "COMMIT")
}

// asAttached names the store's file for reading alone.
func (s *Store) asAttached() string {
	full, err := filepath.Abs(s.path)
	if err != nil {
		full = s.path
	}
	mode := "mode=ro"
	if s.frozen != nil {
		mode += "&immutable=1"
	}
	return (&url.URL{Scheme: "file", Path: full, RawQuery: mode}).String()
}

// copyRows copies what snapshots refer to, each table after those that it refers to. Which jobs they have, their orders tell, which are
// packed.
func (s *Store) copyRows(ctx context.Context, conn *sql.Conn, snapshots string) error {
	for _, statement := range []string{
		`INSERT INTO cluster SELECT * FROM whole.cluster WHERE id IN (SELECT cluster_id FROM whole.snapshot WHERE id IN wanted)`,
		`INSERT INTO snapshot SELECT * FROM whole.snapshot WHERE id IN wanted`,
		`INSERT INTO seal SELECT * FROM whole.seal WHERE kind IN ('snapshot', 'analysis') AND id IN wanted`,
		`INSERT INTO list SELECT * FROM whole.list WHERE id IN (SELECT list_id FROM whole.snapshot_list WHERE snapshot_id IN wanted)`,
		`INSERT INTO object SELECT * FROM whole.object
			WHERE id IN (SELECT object_id FROM whole.list_object WHERE list_id IN (SELECT id FROM main.list))`,
		`INSERT INTO list_object SELECT * FROM whole.list_object WHERE list_id IN (SELECT id FROM main.list)`,
		`INSERT INTO snapshot_list SELECT * FROM whole.snapshot_list WHERE snapshot_id IN wanted`,
		`INSERT INTO content SELECT * FROM whole.content WHERE id IN (SELECT c.base_id FROM whole.part p
			JOIN whole.content c ON c.id = p.content_id WHERE p.snapshot_id IN wanted)`,
		`INSERT OR IGNORE INTO content SELECT * FROM whole.content WHERE id IN (SELECT content_id FROM whole.part WHERE snapshot_id IN wanted)`,
		`INSERT INTO part SELECT * FROM whole.part WHERE snapshot_id IN wanted`,
		`INSERT INTO analysis SELECT * FROM whole.analysis WHERE snapshot_id IN wanted`,
		`INSERT INTO waiting SELECT * FROM whole.waiting WHERE snapshot_id IN wanted`,
	} {
		if err := copySome(ctx, conn, statement, snapshots); err != nil {
			return err
		}
	}
	used, err := s.usedJobs(ctx, conn)
	if err != nil {
		return err
	}
	jobs, err := json.Marshal(slices.Sorted(maps.Keys(used)))
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`INSERT INTO spec (id, hash, body) SELECT id, hash, body FROM whole.spec
			WHERE id IN (SELECT spec_id FROM whole.job WHERE id IN wanted)`,
		`INSERT INTO job SELECT * FROM whole.job WHERE id IN wanted`,
	} {
		if err := copySome(ctx, conn, statement, string(jobs)); err != nil {
			return err
		}
	}
	for _, kind := range []string{sealOfSnapshot, sealOfAnalysis} {
		_, all, err := readSeals(ctx, conn, kind)
		if err == nil {
			err = setRoot(ctx, conn, kind, all)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copySome runs a statement that copies rows; wanted are the ids of a list in JSON.
func copySome(ctx context.Context, conn *sql.Conn, statement, list string) error {
	_, err := conn.ExecContext(ctx, `WITH wanted AS MATERIALIZED (SELECT value FROM json_each(?)) `+statement, list)
	return err
}
