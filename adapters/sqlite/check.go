package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A Damage is something in the store that is not what was stored.
type Damage struct {
	Kind string // snapshot, analysis, push or drive; file where it is none of these
	ID   int64  // of the snapshot, also of an analysis
	Text string
}

// Check reads everything in the store and says what is not as it was stored: pages and indexes, every snapshot with its bundle and its
// analysis, every push and drive. An error means that it could not go on.
func (s *Store) Check(ctx context.Context) (found []Damage, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		c := checker{ctx: ctx, store: s, conn: conn, seen: map[int64]bool{}}
		if err := c.all(); err != nil {
			return err
		}
		found = c.found
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: check: %w", s.path, err)
	}
	return found, nil
}

// A checker checks a store.
type checker struct {
	ctx   context.Context
	store *Store
	conn  *sql.Conn
	seen  map[int64]bool // contents that are whole
	found []Damage
}

func (c *checker) note(kind string, id int64, err error) {
	if err != nil {
		c.found = append(c.found, Damage{kind, id, err.Error()})
	}
}

// all checks everything. Only the end of the context ends it early.
func (c *checker) all() error {
	c.note("file", 0, c.pages())
	for _, kind := range sealKinds {
		_, err := sealsOf(c.ctx, c.conn, kind)
		c.note("file", 0, err)
		ids, err := c.ids(kind)
		c.note("file", 0, err)
		for _, id := range ids {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			c.note(kind, id, c.one(kind, id))
		}
	}
	return c.ctx.Err()
}

// pages lets SQLite check the pages of the file, its indexes, and references from row to row.
func (c *checker) pages() error {
	return errors.Join(c.texts(`SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10`),
		c.texts(`SELECT 'a row of ' || "table" || ' refers to a row of ' || parent || ' that is lost' FROM pragma_foreign_key_check LIMIT 10`))
}

// texts makes errors of the rows of a query.
func (c *checker) texts(query string) error {
	rows, err := c.conn.QueryContext(c.ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var all []error
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		all = append(all, errors.New(text))
	}
	return errors.Join(append(all, rows.Err())...)
}

// ids lists what there is of a kind, or should be.
func (c *checker) ids(kind string) ([]int64, error) {
	all := map[int64]bool{}
	there, err1 := idsOf(c.ctx, c.conn, kind)
	for _, id := range there {
		all[id] = true
	}
	sealed, _, err2 := readSeals(c.ctx, c.conn, kind)
	for id := range sealed {
		all[id] = true
	}
	return slices.Sorted(maps.Keys(all)), errors.Join(err1, err2)
}

// one checks one thing.
func (c *checker) one(kind string, id int64) error {
	if err := verify(c.ctx, c.conn, kind, id); err != nil {
		return err
	}
	switch kind {
	case sealOfSnapshot:
		l := loader{ctx: c.ctx, db: c.conn, codec: c.store.codec, snapshot: id}
		if _, err := c.store.load(l); err != nil {
			return err
		}
		return c.bundle(l)
	case sealOfAnalysis:
		_, err := loader{ctx: c.ctx, db: c.conn, codec: c.store.codec, snapshot: id}.standings()
		return err
	}
	return nil
}

// bundle reads the blocks of a snapshot's bundle that no other snapshot has, and the names of its files.
func (c *checker) bundle(l loader) error {
	blocks, err := l.blocks()
	if err != nil {
		return err
	}
	for _, b := range blocks {
		if c.seen[b.id] {
			continue
		}
		if _, err := l.codec.read(l.ctx, l.db, b.id); err != nil {
			return fmt.Errorf("its bundle: %w", err)
		}
		c.seen[b.id] = true
	}
	_, err = l.files()
	return err
}

// Remove deletes what Check found, and everything that no other snapshot refers to; what is whole stays. Indexes are made anew. It returns
// what is damaged after that: pages of the file that SQLite cannot mend.
func (s *Store) Remove(ctx context.Context, found []Damage) ([]Damage, error) {
	err := s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		if err := run(ctx, conn, `REINDEX`); err != nil {
			return err
		}
		for _, d := range found {
			if err := removeDamaged(ctx, conn, d); err != nil {
				return fmt.Errorf("%s %d: %w", d.Kind, d.ID, err)
			}
		}
		if err := s.sweep(ctx, conn); err != nil {
			return err
		}
		return rebuildRoots(ctx, conn)
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: remove what is damaged: %w", s.path, err)
	}
	return s.Check(ctx)
}

// removeDamaged deletes one damaged thing with its seal.
func removeDamaged(ctx context.Context, conn *sql.Conn, d Damage) error {
	statements := map[string][]string{
		sealOfSnapshot: {`DELETE FROM snapshot WHERE id = ?`, `DELETE FROM part WHERE snapshot_id = ?`,
			`DELETE FROM snapshot_list WHERE snapshot_id = ?`,
			`DELETE FROM seal WHERE kind = 'analysis' AND id = ?`},
		sealOfAnalysis: {`DELETE FROM analysis WHERE snapshot_id = ?`, `DELETE FROM part WHERE snapshot_id = ? AND noun = 'standing'`},
		sealOfPush:     {`UPDATE push SET undoes = NULL WHERE undoes = ?`, `DELETE FROM push WHERE id = ?`},
		sealOfDrive:    {`DELETE FROM drive WHERE id = ?`},
	}[d.Kind]
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement, d.ID); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, `DELETE FROM seal WHERE kind = ? AND id = ?`, d.Kind, d.ID)
	return err
}

// rebuildRoots adds up the seals that are left.
func rebuildRoots(ctx context.Context, conn *sql.Conn) error {
	for _, kind := range sealKinds {
		_, all, err := readSeals(ctx, conn, kind)
		if err != nil {
			return err
		}
		if err := setRoot(ctx, conn, kind, all); err != nil {
			return err
		}
	}
	return nil
}
