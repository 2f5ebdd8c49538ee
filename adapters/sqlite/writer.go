package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"reflect"

	"qprism/engine/model"
)

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

// insert inserts a row and returns its id.
func (w *writer) insert(query string, args ...any) (id int64, err error) {
	s, err := w.statement(query)
	if err != nil {
		return 0, err
	}
	result, err := s.Exec(args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// nouns writes everything but jobs: objects in lists, and what changes by itself in parts.
func (w *writer) nouns(snap *model.Snapshot) error {
	singles, err := takeSingles(snap)
	if err != nil {
		return err
	}
	for _, n := range nounsOf(snap, singles) {
		if err := w.noun(n); err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
		if err := w.pause(); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) noun(n noun) error {
	if n.slice.Len() == 0 {
		return nil
	}
	if !n.records {
		if err := w.list(n); err != nil {
			return err
		}
	}
	if n.records || len(n.changes) > 0 {
		return w.noteParts(n)
	}
	return nil
}

// pause stores blocks of the bundle that are ready, and looks whether to go on.
func (w *writer) pause() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.blocks(false)
}

// list stores a list of objects, unless it is stored.
func (w *writer) list(n noun) error {
	objects := make([]object, n.slice.Len())
	sum := sha256.New()
	for i := range objects {
		body, err := appendBody(nil, n.slice.Index(i), n.changes)
		if err != nil {
			return err
		}
		objects[i] = object{body, sha256.Sum256(append([]byte(n.name+" "), body...))}
		sum.Write(objects[i].hash[:])
	}
	id, err := w.find(`SELECT id FROM list WHERE hash = ?`, sum.Sum(nil))
	if err == nil && id == 0 {
		id, err = w.newList(n.name, sum.Sum(nil), objects)
	}
	w.lists = append(w.lists, listRef{n.name, id})
	return err
}

type object struct {
	body []byte
	hash hash
}

func (w *writer) newList(noun string, sum []byte, objects []object) (int64, error) {
	list, err := w.insert(`INSERT INTO list (hash) VALUES (?)`, sum)
	if err != nil {
		return 0, err
	}
	for i, o := range objects {
		id, err := w.find(`SELECT id FROM object WHERE hash = ?`, o.hash[:])
		if err == nil && id == 0 {
			id, err = w.insert(`INSERT INTO object (noun, hash, body) VALUES (?, ?, ?)`, noun, o.hash[:], string(o.body))
			w.bytes += int64(len(o.body))
		}
		if err != nil {
			return 0, err
		}
		if _, err := w.insert(`INSERT INTO list_object (list_id, seq, object_id) VALUES (?, ?, ?)`, list, i, id); err != nil {
			return 0, err
		}
	}
	return list, nil
}

// noteParts packs what changes of a noun's elements.
func (w *writer) noteParts(n noun) error {
	for start := 0; start < n.slice.Len(); {
		end := partEnd(n.slice, start, n.records)
		if err := w.part(n.name, int64(start), n.slice.Slice(start, end), n.changes); err != nil {
			return err
		}
		start = end
	}
	return nil
}

// part packs a slice and stores it as a part of the snapshot.
func (w *writer) part(noun string, first int64, slice reflect.Value, fields []string) error {
	packed, err := pack(slice, fields)
	if err != nil {
		return err
	}
	id, err := w.content(packed)
	w.parts = append(w.parts, partRef{noun, first, id})
	return err
}

// content stores bytes, unless they are stored.
func (w *writer) content(data []byte) (int64, error) {
	c := content{hash: sha256.Sum256(data), size: len(data)}
	id, err := w.find(`SELECT id FROM content WHERE hash = ?`, c.hash[:])
	if err != nil || id != 0 {
		return id, err
	}
	if c.data, err = w.codec.encode(data, nil); err != nil {
		return 0, err
	}
	return w.newContent(c, 0)
}

func (w *writer) newContent(c content, mark int64) (int64, error) {
	w.bytes += int64(len(c.data))
	return w.insert(`INSERT INTO content (hash, size, form, base_id, mark, data) VALUES (?, ?, ?, ?, ?, ?)`,
		c.hash[:], c.size, c.form, sql.NullInt64{Int64: c.base, Valid: c.base != 0}, mark, c.data)
}
