package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
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
		h := historian{loader: loader{ctx: ctx, db: conn, codec: s.codec}, number: number}
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
	number uint32
	rows   map[int64]jobRow // the job's forms
	specs  map[int64]*model.Job

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

// moments reads the job from all snapshots of the cluster: where it is in the order, and the part that holds its state.
func (h *historian) moments(cluster string) ([]Moment, error) {
	rows, err := h.db.QueryContext(h.ctx, `SELECT s.id, s.taken_at, s.jobs,
			o.id, o.hash, o.size, o.form, o.data, c.id, c.hash, c.size, c.form, c.data,
			coalesce(a.id, 0), a.hash, coalesce(a.size, 0), coalesce(a.form, 0), a.data
		FROM snapshot s
		JOIN part po ON po.snapshot_id = s.id AND po.noun = 'job_order'
		JOIN content o ON o.id = po.content_id
		JOIN part pc ON pc.snapshot_id = s.id AND pc.noun = 'job_state' AND pc.first = (
			SELECT max(first) FROM part WHERE snapshot_id = s.id AND noun = 'job_state' AND first <= ?)
		JOIN content c ON c.id = pc.content_id
		LEFT JOIN part pa ON pa.snapshot_id = s.id AND pa.noun = 'standing' AND pa.first = (
			SELECT max(first) FROM part WHERE snapshot_id = s.id AND noun = 'standing' AND first <= ?)
		LEFT JOIN content a ON a.id = pa.content_id
		WHERE s.cluster_id = (SELECT id FROM cluster WHERE name = ?) ORDER BY s.taken_at, s.id`,
		h.number, h.number, escape(cluster))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var moments []Moment
	for rows.Next() {
		var m Moment
		var takenAt int64
		var c momentContents
		if err := rows.Scan(&m.Snapshot, &takenAt, &m.Jobs,
			&c.order.id, &c.order.sum, &c.order.size, &c.order.form, &c.order.data,
			&c.state.id, &c.state.sum, &c.state.size, &c.state.form, &c.state.data,
			&c.standing.id, &c.standing.sum, &c.standing.size, &c.standing.form, &c.standing.data); err != nil {
			return nil, err
		}
		m.TakenAt = time.UnixMicro(takenAt).UTC()
		if moments, err = h.moment(moments, m, c); err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", m.Snapshot, err)
		}
	}
	return moments, rows.Err()
}

// momentContents are the contents of one snapshot in which the job is, if it is in the snapshot.
type momentContents struct{ order, state, standing storedContent }

// moment adds what a snapshot shows of the job.
func (h *historian) moment(to []Moment, m Moment, c momentContents) ([]Moment, error) {
	if err := h.readState(c.state); err != nil || len(h.states) == 0 {
		return to, err
	}
	if err := h.findForms(c.order); err != nil {
		return nil, err
	}
	if err := h.readStanding(c.standing); err != nil {
		return nil, err
	}
	if len(h.forms) != len(h.states) {
		return nil, fmt.Errorf("%w: %d states of %d jobs", ErrDamaged, len(h.states), len(h.forms))
	}
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

// readState reads the states of the job in a part; they are more than one only where several jobs have the number.
func (h *historian) readState(c storedContent) error {
	if h.state == c.id { // nothing has changed since the last snapshot
		return nil
	}
	data, err := h.codec.open(c)
	if err != nil {
		return err
	}
	h.state, h.states = c.id, nil
	return pick(data, ".Number", int64(h.number), reflect.ValueOf(&h.states).Elem())
}

// readStanding reads where the job stands, if it does.
func (h *historian) readStanding(c storedContent) error {
	if h.standing == c.id {
		return nil
	}
	h.standing, h.standings = c.id, nil
	if c.id == 0 { // no analysis
		return nil
	}
	data, err := h.codec.open(c)
	if err != nil {
		return err
	}
	return pick(data, ".Job", int64(h.number), reflect.ValueOf(&h.standings).Elem())
}

// waits reports whether a job or one of its tasks waits.
func waits(s *jobState) bool {
	return s.PBS != nil || slices.ContainsFunc(s.Tasks, func(t model.Task) bool { return isPending(t.State) })
}

// pick sets a slice to those packed elements whose number, a field of them, is a given one; they follow each other.
func pick(data []byte, field string, number int64, slice reflect.Value) error {
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
func (h *historian) findForms(c storedContent) error {
	if len(h.rows) == 1 {
		only := slices.Collect(maps.Keys(h.rows)) // of PBS, an array and its subjobs share a row
		h.forms = slices.Repeat(only, len(h.states))
		return nil
	}
	if h.order == c.id {
		return nil
	}
	data, err := h.codec.open(c)
	if err != nil {
		return err
	}
	u, n, err := newUnpacker(data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	h.order, h.forms = c.id, nil
	if err := u.ints(".Job", n, func(_ int, row int64) {
		if _, its := h.rows[row]; its {
			h.forms = append(h.forms, row)
		}
	}); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}
