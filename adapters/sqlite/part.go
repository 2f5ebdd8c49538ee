package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// CopyPart copies some snapshots into a store in a new read-only file. Hosts with a common file system can read
// it at the same time. CopyPart copies only the data that these snapshots need.
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
		err = part.shrink(ctx) // then one file has all data
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("store %s: copy a part of it to %s: %w", s.path, path, explain(s.path, err))
	}
	return os.Chmod(path, 0o400)
}

// copyFrom fills an empty store with snapshots of another one.
func (s *Store) copyFrom(ctx context.Context, whole *Store, ids []int64) error {
	var blocks []int64
	if err := whole.transaction(ctx, toRead, func(t *tx) { blocks = t.usedBlocks(ids) }); err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer discard(conn) // this also detaches the other store and drops data that was not committed
	t := &tx{Store: s, ctx: ctx, db: conn}
	t.exec(`ATTACH ? AS whole`, whole.asAttached())
	t.exec(toWrite)
	t.withIDs(`INSERT INTO block SELECT * FROM whole.block WHERE id IN wanted ORDER BY base IS NOT NULL`, blocks)
	t.withIDs(`INSERT INTO record SELECT * FROM whole.record
		WHERE kind IN ('snapshot', 'numbers', 'analysis') AND id IN wanted`, ids)
	t.recount()
	t.exec("COMMIT")
	return t.err
}

// asAttached returns the name of the store's file for reading only.
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
