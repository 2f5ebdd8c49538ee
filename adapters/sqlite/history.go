package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Moment is a job as one snapshot shows it.
type Moment struct {
	Snapshot int64
	TakenAt  time.Time
	Jobs     int // in the snapshot
	Job      model.Job
	Standing *model.Standing // nil where it does not wait, or no analysis was made
}

// History reads all that the store holds of a cluster's jobs of one number, by time. Numbers are given again after a
// while: Job.Submitted tells such jobs apart.
func (s *Store) History(ctx context.Context, cluster string, number uint32) ([]Moment, error) {
	var moments []Moment
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		h := historian{loader: loader{ctx: ctx, db: conn, codec: s.codec}, conn: conn, number: number}
		if err := h.findRows(cluster); err != nil || len(h.rows) == 0 {
			return err
		}
		moments, err = h.moments(cluster)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: history of job %d: %w", s.path, number, err)
	}
	return moments, nil
}

// A historian follows one job through the snapshots.
type historian struct {
	loader
	conn     *sql.Conn
	contents *sql.Stmt
	number   uint32
	rows     map[int64]jobRow // the job's forms
	specs    map[int64]*model.Job

	state, order, standing int64 // the contents read last: often the next snapshot has the same
	states                 []jobState
	forms                  []int64 // rows of the job, in the order of its states
	standings              []model.Standing
}

func (h *historian) findRows(cluster string) error {
	rows, err := h.db.QueryContext(h.ctx, `SELECT id, number, submitted, name, spec_id FROM job
		WHERE cluster_id = (SELECT id FROM cluster WHERE name = ?) AND number = ?`, escape(cluster), h.number)
	if err != nil {
		return err
	}
	defer rows.Close()
	h.rows = map[int64]jobRow{}
	for rows.Next() {
		var id int64
		var r jobRow
		if err := rows.Scan(&id, &r.number, &r.submitted, &r.name, &r.spec); err != nil {
			return err
		}
		h.rows[id] = r
	}
	if err := rows.Err(); err != nil {
		return err
	}
	h.specs, err = h.loader.specs(h.rows)
	return err
}

// A place is a snapshot, and which contents hold a job there, if the snapshot has it.
type place struct {
	moment                 Moment
	order, state, standing int64 // 0 for none
}

// places lists the snapshots of the cluster in which the job can be.
func (h *historian) places(cluster string) ([]place, error) {
	rows, err := h.db.QueryContext(h.ctx, `SELECT s.id, s.taken_at, s.jobs, po.content_id, pc.content_id, coalesce(pa.content_id, 0)
		FROM snapshot s
		JOIN part po ON po.snapshot_id = s.id AND po.noun = 'job_order'
		JOIN part pc ON pc.snapshot_id = s.id AND pc.noun = 'job_state' AND pc.first = (
			SELECT max(first) FROM part WHERE snapshot_id = s.id AND noun = 'job_state' AND first <= ?)
		LEFT JOIN part pa ON pa.snapshot_id = s.id AND pa.noun = 'standing' AND pa.first = (
			SELECT max(first) FROM part WHERE snapshot_id = s.id AND noun = 'standing' AND first <= ?)
		WHERE s.cluster_id = (SELECT id FROM cluster WHERE name = ?) AND s.taken_at >= ? ORDER BY s.taken_at, s.id`,
		h.number, h.number, escape(cluster), h.earliest())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var places []place
	for rows.Next() {
		var p place
		var takenAt int64
		if err := rows.Scan(&p.moment.Snapshot, &takenAt, &p.moment.Jobs, &p.order, &p.state, &p.standing); err != nil {
			return nil, err
		}
		p.moment.TakenAt = time.UnixMicro(takenAt).UTC()
		places = append(places, p)
	}
	return places, rows.Err()
}

// earliest is the microsecond before which no snapshot can have the job: a day before its submission, since clocks differ.
func (h *historian) earliest() int64 {
	first := int64(math.MaxInt64)
	for _, r := range h.rows {
		first = min(first, r.submitted)
	}
	return first - (24 * time.Hour).Microseconds()
}

// moments reads the job from all snapshots of the cluster.
func (h *historian) moments(cluster string) ([]Moment, error) {
	places, err := h.places(cluster)
	if err != nil {
		return nil, err
	}
	if h.contents, err = h.conn.PrepareContext(h.ctx, selectContent); err != nil {
		return nil, err
	}
	defer h.contents.Close()
	var moments []Moment
	for i := range places {
		if moments, err = h.moment(moments, &places[i]); err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", places[i].moment.Snapshot, err)
		}
	}
	return moments, nil
}

// moment adds what a snapshot shows of the job.
func (h *historian) moment(to []Moment, p *place) ([]Moment, error) {
	if err := h.readState(p.state); err != nil || len(h.states) == 0 {
		return to, err
	}
	if err := h.findForms(p.order); err != nil {
		return nil, err
	}
	if err := h.readStanding(p.standing); err != nil {
		return nil, err
	}
	if len(h.forms) != len(h.states) {
		return nil, fmt.Errorf("%w: %d states of %d jobs", ErrDamaged, len(h.states), len(h.forms))
	}
	m := p.moment
	for i, form := range h.forms {
		row := h.rows[form]
		m.Standing = nil
		if len(h.standings) > 0 && waits(&h.states[i]) {
			m.Standing = &h.standings[0]
		}
		if err := completeJob(&m.Job, h.states[i], row, h.specs[row.spec]); err != nil {
			return nil, err
		}
		to = append(to, m)
	}
	return to, nil
}

// read reads a content; the statement serves for all snapshots.
func (h *historian) read(id int64) ([]byte, error) {
	c := storedContent{id: id}
	if err := h.contents.QueryRowContext(h.ctx, id).Scan(&c.sum, &c.size, &c.form, &c.base, &c.data); err != nil {
		return nil, fmt.Errorf("content %d: %w", id, err)
	}
	if c.base != 0 {
		return h.codec.read(h.ctx, h.db, id)
	}
	return h.codec.open(c)
}

// readState reads the states of the job in a part; they are more than one only where several jobs have the number.
func (h *historian) readState(content int64) error {
	if h.state == content { // nothing has changed since the last snapshot
		return nil
	}
	data, err := h.read(content)
	if err != nil {
		return err
	}
	h.state, h.states = content, nil
	return pick(data, ".Number", int64(h.number), reflect.ValueOf(&h.states).Elem())
}

// readStanding reads where the job stands, if it does.
func (h *historian) readStanding(content int64) error {
	if h.standing == content {
		return nil
	}
	h.standing, h.standings = content, nil
	if content == 0 { // no analysis
		return nil
	}
	data, err := h.read(content)
	if err != nil {
		return err
	}
	return pick(data, ".Job", int64(h.number), reflect.ValueOf(&h.standings).Elem())
}

// waits reports whether a job or one of its tasks waits.
func waits(s *jobState) bool {
	return s.PBS != nil || slices.ContainsFunc(s.Tasks, func(t model.Task) bool { return isPending(t.State) })
}

// mayHold reports whether packed elements can have one with that number: the column of numbers is the first, and most parts
// have none once the job has ended.
func mayHold(data []byte, field string, number int64) bool {
	in := input{data: data}
	in.byte() // the format
	count := in.uvarint()
	if string(in.bytes()) != field || in.byte() != asInts || in.bad || count > maxPacked {
		return true // newUnpacker knows better
	}
	numbers := input{data: in.bytes()}
	last := int64(0)
	for range count {
		if last += numbers.varint(); last == number {
			return true
		}
	}
	return numbers.bad
}

// pick sets a slice to those packed elements whose number, a field of them, is a given one; they follow each other.
func pick(data []byte, field string, number int64, slice reflect.Value) error {
	if !mayHold(data, field, number) {
		return nil
	}
	u, n, err := newUnpacker(data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	from, to := n, 0
	if _, there := u.columns[field]; !there && number == 0 { // a column of zeros is left out
		from, to = 0, n
	}
	err = u.ints(field, n, func(i int, v int64) {
		if v == number {
			from, to = min(from, i), max(to, i+1)
		}
	})
	if err != nil || from >= to {
		return err
	}
	slice.Set(reflect.MakeSlice(slice.Type(), to-from, to-from))
	if err := u.elements(slice, n, from); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// findForms finds which of its forms the job has in a snapshot. Only where it ever had several, or its number was given again,
// the master's order must be asked. That passes over all jobs, and so does without reflection.
func (h *historian) findForms(content int64) error {
	if len(h.rows) == 1 {
		only := slices.Collect(maps.Keys(h.rows)) // of PBS, an array and its subjobs share a row
		h.forms = slices.Repeat(only, len(h.states))
		return nil
	}
	if h.order == content {
		return nil
	}
	data, err := h.read(content)
	if err != nil {
		return err
	}
	u, n, err := newUnpacker(data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	h.order, h.forms = content, nil
	if err := u.ints(".Job", n, func(_ int, row int64) {
		if _, its := h.rows[row]; its {
			h.forms = append(h.forms, row)
		}
	}); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}
