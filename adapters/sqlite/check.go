package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// A Damage is a part of the store that differs from what was stored.
type Damage struct {
	Kind string // snapshot, numbers (of its jobs), analysis, push or drive; file for other damage
	ID   int64  // of the snapshot, also for an analysis
	Text string
}

// Check reads the whole store and lists damage: in pages, in indexes, in every snapshot with its bundle and
// analysis, in every push and drive. An error means that Check could not continue.
func (s *Store) Check(ctx context.Context) (found []Damage, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		c := checker{tx: t, seen: map[hash]bool{}}
		c.all()
		found = c.found
	})
	return found, s.named(err, "check")
}

// A checker checks a store.
type checker struct {
	*tx
	seen  map[hash]bool // undamaged blocks of bundles
	found []Damage
}

// note adds the error so far as a damage, and continues.
func (c *checker) note(kind string, id int64) {
	if c.err != nil {
		c.found = append(c.found, Damage{kind, id, c.err.Error()})
		c.err = nil
	}
}

// all checks everything. Only the end of the context ends it early.
func (c *checker) all() {
	c.pages()
	c.note("file", 0)
	for _, kind := range kinds {
		raw, now := c.rawRecordsAfter(kind, 0)
		c.checkTotal(kind, now)
		c.note("file", 0)
		for _, r := range raw {
			if c.ctx.Err() != nil {
				return
			}
			c.one(kind, r)
			c.note(damageKind(kind), r.id)
		}
	}
}

// damageKind returns the kind of damage of a record.
func damageKind(kind string) string {
	if kind == kindOrders {
		return kindPush
	}
	return kind
}

// pages lets SQLite check the pages of the file, its indexes, and references from row to row.
func (c *checker) pages() {
	c.err = errors.Join(
		c.texts(`SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10`),
		c.texts(`SELECT 'a row of ' || "table" || ' refers to a row of ' || parent || ' that is lost' FROM pragma_foreign_key_check LIMIT 10`))
}

// texts returns the rows of a query as errors.
func (c *checker) texts(query string) error {
	var all []error
	c.each(func(columns func(...any)) {
		var text string
		columns(&text)
		all = append(all, errors.New(text))
	}, query)
	failed := c.err
	c.err = nil
	return errors.Join(append(all, failed)...)
}

// one checks a record, and the blocks that it refers to.
func (c *checker) one(kind string, r rawRecord) {
	if c.fail(r.check(kind)); c.err != nil {
		return
	}
	switch kind {
	case kindSnapshot:
		c.numbers(r.id, c.snapshot(r.id))
		c.bundle(r.id)
	case kindAnalysis:
		c.analysis(r.id)
	case kindPush:
		if orders := c.findRaw(kindOrders, r.id); orders == nil {
			c.fail(fmt.Errorf("%w: its orders are lost", ErrDamaged))
		}
	}
}

// numbers checks that a history can find the jobs of a snapshot.
func (c *checker) numbers(id int64, snap *model.Snapshot) {
	r := c.findRaw(kindNumbers, id)
	if c.err != nil {
		return
	}
	if r == nil || r.check(kindNumbers) == nil && !bytes.Equal(r.body, numbersOf(snap.Jobs)) {
		c.fail(fmt.Errorf("%w: they are not those of the snapshot's jobs", ErrDamaged))
		c.note(kindNumbers, id)
	}
}

// bundle reads the blocks of a snapshot's bundle that no other snapshot has.
func (c *checker) bundle(id int64) {
	if c.err != nil {
		return
	}
	for _, p := range c.parts(c.info(id).parts) {
		if strings.HasPrefix(p.Noun, bundlePrefix) && !c.seen[p.Hash] {
			c.block(p.Hash)
			c.seen[p.Hash] = true
		}
	}
	if c.err != nil {
		c.err = fmt.Errorf("its bundle: %w", c.err)
	}
}

// Remove deletes the damage that Check found, and data that no other snapshot needs. It rebuilds indexes and
// the numbers of jobs. It returns the remaining damage: pages of the file that SQLite cannot repair.
func (s *Store) Remove(ctx context.Context, found []Damage) ([]Damage, error) {
	err := s.transaction(ctx, toWrite, func(t *tx) {
		t.exec(`REINDEX`)
		for _, d := range found {
			if t.removeDamaged(d); t.err != nil {
				t.err = fmt.Errorf("%s %d: %w", d.Kind, d.ID, t.err)
				return
			}
		}
		t.renumber()
		t.recount()
		t.sweep()
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	if err != nil {
		return nil, s.named(err, "remove what is damaged")
	}
	return s.Check(ctx)
}

// removeDamaged deletes one damaged part.
func (t *tx) removeDamaged(d Damage) {
	switch d.Kind {
	case kindSnapshot:
		t.deleteAll(d.ID, kindSnapshot, kindNumbers, kindAnalysis)
	case kindPush:
		t.deleteAll(d.ID, kindPush, kindOrders)
	default:
		t.deleteAll(d.ID, d.Kind)
	}
}

// recount computes the totals of the existing records.
func (t *tx) recount() {
	for _, kind := range kinds {
		_, now := t.rawRecordsAfter(kind, 0)
		now.last = max(now.last, t.totalOf(kind).last)
		t.setTotal(kind, now)
	}
}
