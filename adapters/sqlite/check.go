package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// A Damage is a part of the store that differs from what was stored.
type Damage struct {
	Kind string // snapshot, numbers (of its jobs), analysis, push or drive; file for none of these
	ID   int64  // of the snapshot, even for an analysis
	Text string
}

// Check reads the whole store and lists damage: in pages and indexes, in every snapshot with its bundle and
// analysis, in every push and drive. An error means that it could not continue.
func (s *Store) Check(ctx context.Context) (found []Damage, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		c := checker{loader: newLoader(ctx, conn, s.codec), seen: map[hash]bool{}}
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
	loader
	seen  map[hash]bool // blocks of bundles that are whole
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
	for _, kind := range kinds {
		raw, now, err := rawRecords(c.ctx, c.db, kind)
		if err == nil {
			err = checkTotal(c.ctx, c.db, kind, now)
		}
		c.note("file", 0, err)
		for _, r := range raw {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			c.note(damageKind(kind), r.id, c.one(kind, r))
		}
	}
	return c.ctx.Err()
}

// damageKind is the kind of damage of a record.
func damageKind(kind string) string {
	if kind == kindOrders {
		return kindPush
	}
	return kind
}

// pages lets SQLite check the pages of the file, its indexes, and references from row to row.
func (c *checker) pages() error {
	return errors.Join(
		c.texts(`SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10`),
		c.texts(`SELECT 'a row of ' || "table" || ' refers to a row of ' || parent || ' that is lost' FROM pragma_foreign_key_check LIMIT 10`))
}

// texts makes errors of the rows of a query.
func (c *checker) texts(query string) error {
	rows, err := c.db.QueryContext(c.ctx, query)
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

// one checks one record and what it refers to.
func (c *checker) one(kind string, r rawRecord) error {
	if err := r.check(kind); err != nil {
		return err
	}
	switch kind {
	case kindSnapshot:
		snap, err := c.snapshot(r.id)
		if err == nil {
			err = c.numbers(r.id, snap)
		}
		if err != nil {
			return err
		}
		return c.bundle(r.id)
	case kindAnalysis:
		_, err := c.analysis(r.id)
		return err
	case kindPush:
		orders, err := findRaw(c.ctx, c.db, kindOrders, r.id)
		if err == nil && orders == nil {
			err = fmt.Errorf("%w: its orders are lost", ErrDamaged)
		}
		return err
	}
	return nil
}

// numbers checks that a history would find the snapshot's jobs.
func (c *checker) numbers(id int64, snap *model.Snapshot) error {
	r, err := findRaw(c.ctx, c.db, kindNumbers, id)
	if err == nil && (r == nil || r.check(kindNumbers) == nil && !bytes.Equal(r.body, numbersOf(snap.Jobs))) {
		c.note(kindNumbers, id, fmt.Errorf("%w: they are not those of the snapshot's jobs", ErrDamaged))
	}
	return err
}

// bundle reads the blocks of a snapshot's bundle that no other snapshot has.
func (c *checker) bundle(id int64) error {
	parts, err := c.partsOf(id)
	for _, p := range parts {
		if err == nil && strings.HasPrefix(p.Noun, bundlePrefix) && !c.seen[p.Hash] {
			_, err = c.block(p.Hash)
			c.seen[p.Hash] = true
		}
	}
	if err != nil {
		err = fmt.Errorf("its bundle: %w", err)
	}
	return err
}

// Remove deletes the damage that Check found, and data that no other snapshot needs. The rest stays. It
// rebuilds indexes and the numbers of jobs. It returns the remaining damage: pages of the file that SQLite cannot repair.
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
		if err := s.renumber(ctx, conn); err != nil {
			return err
		}
		if err := recount(ctx, conn); err != nil {
			return err
		}
		return s.sweep(ctx, conn)
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: remove what is damaged: %w", s.path, err)
	}
	return s.Check(ctx)
}

// removeDamaged deletes one damaged thing.
func removeDamaged(ctx context.Context, conn *sql.Conn, d Damage) error {
	switch d.Kind {
	case kindSnapshot:
		return deleteAll(ctx, conn, d.ID, kindSnapshot, kindNumbers, kindAnalysis)
	case kindPush:
		return deleteAll(ctx, conn, d.ID, kindPush, kindOrders)
	}
	return deleteAll(ctx, conn, d.ID, d.Kind)
}

// recount makes the totals of the records that there are.
func recount(ctx context.Context, conn *sql.Conn) error {
	for _, kind := range kinds {
		_, now, err := rawRecords(ctx, conn, kind)
		if err != nil {
			return err
		}
		stored, err := totalOf(ctx, conn, kind)
		if err != nil {
			return err
		}
		now.last = max(now.last, stored.last)
		if err := setTotal(ctx, conn, kind, now); err != nil {
			return err
		}
	}
	return nil
}
