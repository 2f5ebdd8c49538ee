package sqlite

import (
	"context"
	"database/sql"
	"fmt"
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
		infos, err := s.infos(ctx, conn)
		if err != nil {
			return err
		}
		if h.seals, err = sealsOf(ctx, conn, sealOfSnapshot); err != nil {
			return err
		}
		if h.analysed, err = sealsOf(ctx, conn, sealOfAnalysis); err != nil {
			return err
		}
		if err := h.findRows(cluster); err != nil {
			return err
		}
		moments, err = h.moments(slices.DeleteFunc(infos, func(i Info) bool { return i.Cluster != cluster }))
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
	parts    *sql.Stmt
	seals    map[int64]string // of snapshots
	analysed map[int64]string // the seals of analyses, by snapshot
	number   uint32
	rows     map[int64]jobRow // the job's forms
	specs    map[int64]*model.Job

	state, order, standing int64 // the contents read last: often the next snapshot has the same
	states                 []jobState
	forms                  []int64 // rows of the job, in the order of its states
	standings              []model.Standing
}

func (h *historian) findRows(cluster string) error {
	rows, err := h.db.QueryContext(h.ctx, selectJob+` WHERE job.cluster_id = (SELECT id FROM cluster WHERE name = ?) AND job.number = ?`,
		escape(cluster), h.number)
	if err != nil {
		return err
	}
	defer rows.Close()
	h.rows = map[int64]jobRow{}
	for rows.Next() {
		id, r, err := scanJob(rows)
		if err != nil {
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

// place finds the contents of a snapshot that can hold the job, among parts that are as they were stored.
func (h *historian) place(info *Info) (p place, err error) {
	p.moment = Moment{Snapshot: info.ID, TakenAt: info.TakenAt, Jobs: info.Jobs}
	rows, err := h.parts.QueryContext(h.ctx, info.ID)
	if err != nil {
		return p, err
	}
	defer rows.Close()
	sums := map[string]*rowSum{stateNoun: {}, orderNoun: {}, standingNoun: {}}
	var noun, sum sql.RawBytes
	for rows.Next() {
		var first, content int64
		if err := rows.Scan(&noun, &first, &content, &sum); err != nil {
			return p, err
		}
		parts := sums[string(noun)]
		if parts == nil {
			return p, fmt.Errorf("%w: part %q", ErrDamaged, noun)
		}
		parts.addPart(first, sum)
		switch {
		case string(noun) == orderNoun:
			p.order = content
		case first > int64(h.number):
		case string(noun) == stateNoun:
			p.state = content
		default:
			p.standing = content
		}
	}
	if err := rows.Err(); err != nil {
		return p, err
	}
	return p, h.verify(info.ID, sums)
}

// selectHistory selects the parts of a snapshot that a history reads, and the hashes of their contents.
const selectHistory = `SELECT p.noun, p.first, p.content_id, coalesce(c.hash, x'') FROM part p LEFT JOIN content c ON c.id = p.content_id
	WHERE p.snapshot_id = ? AND p.noun IN ('job_order', 'job_state', 'standing') ORDER BY p.noun, p.first`

// verify compares the sums of a snapshot's parts with its seals.
func (h *historian) verify(id int64, sums map[string]*rowSum) error {
	was, err := parseSeal(h.seals[id] + h.analysed[id]) // their nouns are others
	if err != nil {
		return err
	}
	now := seal{}
	for noun, sum := range sums {
		if sum.rows > 0 {
			now[partOf+noun] = sum.done()
		}
	}
	return was.compare(now, partOf+stateNoun, partOf+orderNoun, partOf+standingNoun)
}

// moments reads the job from all snapshots of the cluster.
func (h *historian) moments(infos []Info) (moments []Moment, err error) {
	if h.contents, err = h.conn.PrepareContext(h.ctx, selectContent); err != nil {
		return nil, err
	}
	defer h.contents.Close()
	if h.parts, err = h.conn.PrepareContext(h.ctx, selectHistory); err != nil {
		return nil, err
	}
	defer h.parts.Close()
	for i := range infos {
		p, err := h.place(&infos[i])
		if err == nil {
			moments, err = h.moment(moments, &p)
		}
		if err != nil {
			return nil, inSnapshot(infos[i].ID, err)
		}
	}
	return moments, nil
}

// moment adds what a snapshot shows of the job.
func (h *historian) moment(to []Moment, p *place) ([]Moment, error) {
	if p.state == 0 {
		return to, nil
	}
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
		return nil, damagedContent(id, err)
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
	return s.PBS != nil || slices.ContainsFunc(s.Tasks, func(t model.Task) bool { return t.Pending() })
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

// findForms finds which of its forms the job has in a snapshot: the master's order says. That passes over all jobs, and so does
// without reflection. It also tells where a row of the job is lost.
func (h *historian) findForms(content int64) error {
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
