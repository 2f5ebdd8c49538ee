package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
)

// The kinds of records. Each has a type of its own.
const (
	kindSnapshot = "snapshot" // snapshotRow
	kindNumbers  = "numbers"  // of the jobs, with the id of their snapshot: numbers.go
	kindAnalysis = "analysis" // analysisRow, with the id of its snapshot
	kindPush     = "push"     // model.Push without its orders
	kindOrders   = "orders"   // ordersRow, with the id of its push
	kindDrive    = "drive"    // model.Drive
)

var kinds = []string{kindSnapshot, kindNumbers, kindAnalysis, kindPush, kindOrders, kindDrive}

// A rawRecord is a record as it is stored.
type rawRecord struct {
	id   int64
	body []byte
	sum  int64
}

// sumOf is the sum that a record should have. Sums find accidents, not forgers, who can write a new sum.
func sumOf(kind string, id int64, body []byte) int64 {
	text := binary.LittleEndian.AppendUint64([]byte(kind), uint64(id))
	sum := sha256.Sum256(append(text, body...))
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// check is an error where a record is not what was stored.
func (r rawRecord) check(kind string) error {
	if r.sum != sumOf(kind, r.id, r.body) {
		return fmt.Errorf("%s %d: %w: it is not what was stored", kind, r.id, ErrDamaged)
	}
	return nil
}

// A total says how many records of a kind there are, and their sums in one.
type total struct {
	rows, sum int64
	last      int64 // the greatest id that was ever given
}

func (t *total) add(rows int64, r rawRecord) {
	t.rows += rows
	t.sum ^= r.sum
	t.last = max(t.last, r.id)
}

func totalOf(ctx context.Context, db queryer, kind string) (t total, err error) {
	row := db.QueryRowContext(ctx, `SELECT rows, sum, last FROM total WHERE kind = ?`, kind)
	if err = row.Scan(&t.rows, &t.sum, &t.last); errors.Is(err, sql.ErrNoRows) {
		err = nil // and no record
	}
	return t, err
}

func setTotal(ctx context.Context, conn *sql.Conn, kind string, t total) error {
	_, err := conn.ExecContext(ctx, `INSERT INTO total (kind, rows, sum, last) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET rows = excluded.rows, sum = excluded.sum, last = excluded.last`, kind, t.rows, t.sum, t.last)
	return err
}

// rawRecords reads all records of a kind as they are, and adds them up.
func rawRecords(ctx context.Context, db queryer, kind string) (all []rawRecord, t total, err error) {
	return rawRecordsAfter(ctx, db, kind, 0)
}

// rawRecordsAfter reads those with a greater id.
func rawRecordsAfter(ctx context.Context, db queryer, kind string, id int64) (all []rawRecord, t total, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, body, sum FROM record WHERE kind = ? AND id > ? ORDER BY id`, kind, id)
	if err != nil {
		return nil, t, err
	}
	defer rows.Close()
	for rows.Next() {
		var r rawRecord
		if err := rows.Scan(&r.id, &r.body, &r.sum); err != nil {
			return nil, t, err
		}
		t.add(1, r)
		all = append(all, r)
	}
	return all, t, rows.Err()
}

// allRecords reads all records of a kind as they are; none is lost.
func allRecords(ctx context.Context, db queryer, kind string) ([]rawRecord, error) {
	all, now, err := rawRecords(ctx, db, kind)
	if err != nil {
		return nil, err
	}
	return all, checkTotal(ctx, db, kind, now)
}

// checkTotal is an error where a record of a kind is lost or was added.
func checkTotal(ctx context.Context, db queryer, kind string, now total) error {
	stored, err := totalOf(ctx, db, kind)
	switch {
	case err != nil:
		return err
	case stored.rows != now.rows:
		return fmt.Errorf("%w: %d records of kind %s, but %d were stored", ErrDamaged, now.rows, kind, stored.rows)
	case stored.sum != now.sum || stored.last < now.last:
		return fmt.Errorf("%w: the records of kind %s are not those that were stored", ErrDamaged, kind)
	}
	return nil
}

// A record is what a record says.
type record[T any] struct {
	id    int64
	value *T
}

// records reads all records of a kind, by their ids. Each is as it was stored, and none is lost.
func records[T any](ctx context.Context, db queryer, kind string) ([]record[T], error) {
	return recordsOf[T](ctx, db, kind, nil)
}

// recordsOf reads those of some ids; nil for all. It notices lost records of others, too.
func recordsOf[T any](ctx context.Context, db queryer, kind string, ids map[int64]bool) ([]record[T], error) {
	raw, err := allRecords(ctx, db, kind)
	if err != nil {
		return nil, err
	}
	all := make([]record[T], 0, len(raw))
	for _, r := range raw {
		if ids != nil && !ids[r.id] {
			continue
		}
		if err := r.check(kind); err != nil {
			return nil, err
		}
		value, err := decode[T](kind, r.body)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", kind, r.id, err)
		}
		all = append(all, record[T]{r.id, value})
	}
	return all, nil
}

// findRecord reads a record; nil where there is none, and none is lost.
func findRecord[T any](ctx context.Context, db queryer, kind string, id int64) (*T, error) {
	r, err := findRaw(ctx, db, kind, id)
	if err != nil {
		return nil, err
	}
	if r == nil {
		_, err := allRecords(ctx, db, kind)
		return nil, err
	}
	if err := r.check(kind); err != nil {
		return nil, err
	}
	value, err := decode[T](kind, r.body)
	if err != nil {
		return nil, fmt.Errorf("%s %d: %w", kind, id, err)
	}
	return value, nil
}

// encode makes the body of a record: of a snapshot flat, else a pack.
func encode[T any](kind string, value *T) ([]byte, error) {
	if kind == kindSnapshot {
		return appendFlat(nil, reflect.ValueOf(value).Elem()), nil
	}
	return packOne(value)
}

// decode is the inverse of encode.
func decode[T any](kind string, body []byte) (*T, error) {
	if kind == kindSnapshot {
		value := new(T)
		return value, readFlat(body, reflect.ValueOf(value).Elem(), texts{})
	}
	value, err := unpackOne[T](body)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return value, err
}

// findRaw reads a record as it is; nil where there is none.
func findRaw(ctx context.Context, db queryer, kind string, id int64) (*rawRecord, error) {
	r := &rawRecord{id: id}
	row := db.QueryRowContext(ctx, `SELECT body, sum FROM record WHERE kind = ? AND id = ?`, kind, id)
	err := row.Scan(&r.body, &r.sum)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

// nextID is an id that no record of a kind ever had.
func nextID(ctx context.Context, db queryer, kind string) (int64, error) {
	t, err := totalOf(ctx, db, kind)
	return t.last + 1, err
}

// setRecord stores a record, in place of the one of its id if there is one.
func setRecord[T any](ctx context.Context, conn *sql.Conn, kind string, id int64, value *T) error {
	body, err := encode(kind, value)
	if err != nil {
		return fmt.Errorf("%s %d: %w", kind, id, err)
	}
	return setBody(ctx, conn, kind, id, body)
}

// setBody stores the bytes of a record.
func setBody(ctx context.Context, conn *sql.Conn, kind string, id int64, body []byte) error {
	if _, err := deleteRecord(ctx, conn, kind, id); err != nil {
		return err
	}
	r := rawRecord{id, body, sumOf(kind, id, body)}
	if _, err := conn.ExecContext(ctx, `INSERT INTO record (kind, id, body, sum) VALUES (?, ?, ?, ?)`,
		kind, r.id, r.body, r.sum); err != nil {
		return err
	}
	return addToTotal(ctx, conn, kind, 1, r)
}

// deleteRecord deletes a record, and says whether there was one.
func deleteRecord(ctx context.Context, conn *sql.Conn, kind string, id int64) (bool, error) {
	r, err := findRaw(ctx, conn, kind, id)
	if err != nil || r == nil {
		return false, err
	}
	if _, err := conn.ExecContext(ctx, `DELETE FROM record WHERE kind = ? AND id = ?`, kind, id); err != nil {
		return false, err
	}
	return true, addToTotal(ctx, conn, kind, -1, *r)
}

// addToTotal notes that there is a record more or less. A total that was wrong before stays wrong.
func addToTotal(ctx context.Context, conn *sql.Conn, kind string, rows int64, r rawRecord) error {
	t, err := totalOf(ctx, conn, kind)
	if err != nil {
		return err
	}
	t.add(rows, r)
	return setTotal(ctx, conn, kind, t)
}

// changeRecord changes a record in one transaction. What is damaged is not changed: it would count as whole afterwards.
func changeRecord[T any](ctx context.Context, s *Store, kind string, id int64, none error,
	change func(*T) error) error {
	return s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		value, err := findRecord[T](ctx, conn, kind, id)
		if err == nil && value == nil {
			err = fmt.Errorf("%s %d: %w", kind, id, none)
		}
		if err == nil {
			err = change(value)
		}
		if err != nil {
			return err
		}
		return setRecord(ctx, conn, kind, id, value)
	})
}
