package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The kinds of records. Each kind has its own type.
const (
	kindSnapshot = "snapshot" // snapshotRow
	kindNumbers  = "numbers"  // numbers of the jobs, with the id of their snapshot: numbers.go
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

// sumOf computes the checksum of a record. Checksums find accidents. They do not find forgers, who can write a
// new checksum.
func sumOf(kind string, id int64, body []byte) int64 {
	text := binary.LittleEndian.AppendUint64([]byte(kind), uint64(id))
	sum := sha256.Sum256(append(text, body...))
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// check returns an error if a record is not equal to the stored one.
func (r rawRecord) check(kind string) error {
	if r.sum != sumOf(kind, r.id, r.body) {
		return fmt.Errorf("%s %d: %w: it is not what was stored", kind, r.id, ErrDamaged)
	}
	return nil
}

// A total has the number of records of a kind, and the sum of their checksums.
type total struct {
	rows, sum int64
	last      int64 // the greatest id so far
}

func (t *total) add(rows int64, r rawRecord) {
	t.rows += rows
	t.sum ^= r.sum
	t.last = max(t.last, r.id)
}

func (t *tx) totalOf(kind string) (sum total) {
	t.one(`SELECT rows, sum, last FROM total WHERE kind = ?`, kind)(&sum.rows, &sum.sum, &sum.last)
	return sum
}

func (t *tx) setTotal(kind string, sum total) {
	t.exec(`INSERT INTO total (kind, rows, sum, last) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET rows = excluded.rows, sum = excluded.sum, last = excluded.last`,
		kind, sum.rows, sum.sum, sum.last)
}

// rawRecordsAfter reads all records of a kind with a greater id, without decoding. It also adds them up.
func (t *tx) rawRecordsAfter(kind string, id int64) (all []rawRecord, sum total) {
	t.eachRaw(kind, id, func(r rawRecord) {
		sum.add(1, r)
		all = append(all, r)
	})
	return all, sum
}

// eachRaw reads the records of a kind with a greater id, as they are stored.
func (t *tx) eachRaw(kind string, id int64, do func(rawRecord)) {
	t.each(func(columns func(...any)) {
		var r rawRecord
		columns(&r.id, &r.body, &r.sum)
		do(r)
	}, `SELECT id, body, sum FROM record WHERE kind = ? AND id > ? ORDER BY id`, kind, id)
}

// eachRecord checks each record of a kind with a greater id, and hands it to do. It also adds the records up. It fails
// with the first error of do.
func (t *tx) eachRecord(kind string, id int64, do func(rawRecord) error) (sum total) {
	return t.eachUnchecked(kind, id, func(r rawRecord) error {
		if err := r.check(kind); err != nil {
			return err
		}
		return do(r)
	})
}

// eachUnchecked is eachRecord, but do checks the records. While do uses some records, eachUnchecked reads the next ones:
// a store can have 100,000.
func (t *tx) eachUnchecked(kind string, id int64, do func(rawRecord) error) (sum total) {
	ahead(t, func(send func([]rawRecord)) {
		batch := make([]rawRecord, 0, recordsAtOnce)
		t.eachRaw(kind, id, func(r rawRecord) {
			if batch = append(batch, r); len(batch) == cap(batch) {
				send(batch)
				batch = make([]rawRecord, 0, recordsAtOnce)
			}
		})
		send(batch)
	}, func(batch []rawRecord) error {
		for _, r := range batch {
			sum.add(1, r)
			if err := do(r); err != nil {
				return err
			}
		}
		return nil
	})
	return sum
}

const recordsAtOnce = 256

// everyRecord is eachRecord for all records of a kind. It also fails if one is lost.
func (t *tx) everyRecord(kind string, do func(rawRecord) error) {
	t.checkTotal(kind, t.eachRecord(kind, 0, do))
}

// allRecords reads all records of a kind, without decoding. It fails if one is lost.
func (t *tx) allRecords(kind string) []rawRecord {
	all, now := t.rawRecordsAfter(kind, 0)
	if t.checkTotal(kind, now); t.err != nil {
		return nil
	}
	return all
}

// checkTotal fails if a record of a kind was lost or added.
func (t *tx) checkTotal(kind string, now total) {
	stored := t.totalOf(kind)
	switch {
	case stored.rows != now.rows:
		t.fail(fmt.Errorf("%w: %d records of kind %s, but %d were stored", ErrDamaged, now.rows, kind, stored.rows))
	case stored.sum != now.sum || stored.last < now.last:
		t.fail(fmt.Errorf("%w: the records of kind %s are not those that were stored", ErrDamaged, kind))
	}
}

// A record is a decoded record with its id.
type record[T any] struct {
	id    int64
	value *T
}

// records reads all records of a kind, by their ids. It fails if one is damaged or lost.
func records[T any](t *tx, kind string) []record[T] { return recordsOf[T](t, kind, nil) }

// recordsOf reads the records with some ids; nil for all. If it does not find all of them by their keys, it also fails if
// another record of the kind is lost.
func recordsOf[T any](t *tx, kind string, ids map[int64]bool) []record[T] {
	if found, all := byKeys[T](t, kind, ids); all {
		return found
	}
	var all []record[T]
	t.checkTotal(kind, t.eachUnchecked(kind, 0, func(r rawRecord) error {
		if ids != nil && !ids[r.id] {
			return nil
		}
		value, err := decoded[T](kind, r)
		all = append(all, record[T]{r.id, value})
		return err
	}))
	if t.err != nil {
		return nil
	}
	return all
}

// byKeys reads the records with some ids, if they are few. all is false if it does not find all of them.
func byKeys[T any](t *tx, kind string, ids map[int64]bool) (found []record[T], all bool) {
	if ids == nil || int64(len(ids)) > t.totalOf(kind).rows/8 {
		return nil, false
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		r := t.findRaw(kind, id)
		if r == nil {
			return nil, false
		}
		value := decode[T](t, kind, *r)
		if value == nil {
			return nil, false
		}
		found = append(found, record[T]{id, value})
	}
	return found, t.err == nil
}

// findRecord reads a record. It is nil if there is no such record, and none is lost.
func findRecord[T any](t *tx, kind string, id int64) *T {
	r := t.findRaw(kind, id)
	if r == nil {
		t.checkNone(kind, id)
		return nil
	}
	return decode[T](t, kind, *r)
}

// checkNone fails if a record exists although a search by its key does not find it. It also fails if a record
// of its kind is lost.
func (t *tx) checkNone(kind string, id int64) {
	for _, r := range t.allRecords(kind) {
		if r.id == id {
			t.fail(fmt.Errorf("%s %d: %w: its key does not find it", kind, id, ErrDamaged))
		}
	}
}

// encode makes the body of a record. A snapshot has a flat body, any other record a pack.
func encode[T any](kind string, value *T) ([]byte, error) {
	if kind == kindSnapshot {
		return appendFlat(nil, reflect.ValueOf(value).Elem()), nil
	}
	return packOne(value)
}

// decode is the inverse of encode. It is nil for a damaged record.
func decode[T any](t *tx, kind string, r rawRecord) (value *T) {
	if t.err != nil {
		return nil
	}
	value, err := decoded[T](kind, r)
	t.fail(err)
	return value
}

// decoded is decode without a transaction.
func decoded[T any](kind string, r rawRecord) (value *T, err error) {
	if err := r.check(kind); err != nil {
		return nil, err
	}
	if kind == kindSnapshot {
		value = new(T)
		err = readFlat(r.body, reflect.ValueOf(value).Elem(), texts{})
	} else if value, err = unpackOne[T](r.body); err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %d: %w", kind, r.id, err)
	}
	return value, nil
}

// findRaw reads a record without decoding. It is nil if there is none.
func (t *tx) findRaw(kind string, id int64) *rawRecord {
	r := &rawRecord{id: id}
	if t.one(`SELECT body, sum FROM record WHERE kind = ? AND id = ?`, kind, id)(&r.body, &r.sum) {
		return r
	}
	return nil
}

// nextID returns an id that no record of a kind has had so far.
func (t *tx) nextID(kind string) int64 { return t.totalOf(kind).last + 1 }

// setRecord stores a record. It replaces the record with the same id.
func setRecord[T any](t *tx, kind string, id int64, value *T) {
	body, err := encode(kind, value)
	if err != nil {
		t.fail(fmt.Errorf("%s %d: %w", kind, id, err))
	}
	t.setBody(kind, id, body)
}

// setBody stores the bytes of a record.
func (t *tx) setBody(kind string, id int64, body []byte) {
	t.deleteRecord(kind, id)
	r := rawRecord{id, body, sumOf(kind, id, body)}
	t.exec(`INSERT INTO record (kind, id, body, sum) VALUES (?, ?, ?, ?)`, kind, r.id, r.body, r.sum)
	t.addToTotal(kind, 1, r)
}

// deleteRecord deletes a record, and reports whether it existed.
func (t *tx) deleteRecord(kind string, id int64) bool {
	r := t.findRaw(kind, id)
	if r == nil {
		return false
	}
	t.exec(`DELETE FROM record WHERE kind = ? AND id = ?`, kind, id)
	t.addToTotal(kind, -1, *r)
	return true
}

// addToTotal counts one more or one less record. A total that was wrong stays wrong.
func (t *tx) addToTotal(kind string, rows int64, r rawRecord) {
	sum := t.totalOf(kind)
	sum.add(rows, r)
	t.setTotal(kind, sum)
}

// changeRecord changes a record in one transaction. It refuses a damaged record, which would look undamaged
// afterwards.
func changeRecord[T any](ctx context.Context, s *Store, kind string, id int64, none error,
	change func(*T) error) error {
	return s.transaction(ctx, toWrite, func(t *tx) {
		value := findRecord[T](t, kind, id)
		if value == nil {
			t.fail(fmt.Errorf("%s %d: %w", kind, id, none))
			return
		}
		t.fail(change(value))
		setRecord(t, kind, id, value)
	})
}
