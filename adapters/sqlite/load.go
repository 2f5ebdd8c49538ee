package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"qprism/engine/model"
)

// Snapshot loads a snapshot as it was imported. ErrNoSnapshot where there is none, ErrDamaged where it cannot be read.
// Jobs that ask for the same share the slices that say so; who changes one of them changes a copy.
func (s *Store) Snapshot(ctx context.Context, id int64) (*model.Snapshot, error) {
	var snap *model.Snapshot
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		snap, err = s.load(loader{ctx: ctx, db: conn, codec: s.codec, snapshot: id})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: snapshot %d: %w", s.path, id, err)
	}
	return snap, nil
}

// load reads a snapshot, and checks that it is what was stored.
func (s *Store) load(l loader) (*model.Snapshot, error) {
	info, err := s.info(l.ctx, l.db, l.snapshot)
	if err != nil {
		return nil, err
	}
	if l.seal, err = sealed(l.ctx, l.db, sealOfSnapshot, l.snapshot); err != nil {
		return nil, err
	}
	snap := &model.Snapshot{Cluster: info.Cluster, Identity: info.Identity, Release: info.Release, TakenAt: info.TakenAt}
	location := l.db.QueryRowContext(l.ctx, `SELECT location FROM snapshot WHERE id = ?`, l.snapshot)
	if err := location.Scan(&snap.Location); err != nil {
		return nil, err
	}
	snap.Location = unescape(snap.Location)
	if err := l.nouns(snap); err != nil {
		return nil, err
	}
	if snap.Jobs, err = l.jobs(); err == nil && len(snap.Jobs) != info.Jobs {
		err = fmt.Errorf("%w: %d jobs, but %d were stored", ErrDamaged, len(snap.Jobs), info.Jobs)
	}
	return snap, err
}

// A loader reads one snapshot.
type loader struct {
	ctx      context.Context
	db       queryer
	codec    *codec
	snapshot int64
	seal     seal // of the snapshot; nil where it has not been read
	known    *known
}

// holds is an error where a snapshot, or its analysis, has not as many rows of a name as its seal says. A page that is damaged can hide a
// row from one query and show it to another, so that each reader counts what it found.
func (l loader) holds(kind, name string, found int) error {
	s := l.seal
	if s == nil || kind != sealOfSnapshot {
		var err error
		if s, err = sealed(l.ctx, l.db, kind, l.snapshot); err != nil {
			return err
		}
	}
	if stored := s[name].rows; stored != int64(found) {
		return fmt.Errorf("%w: %d rows, but %d were stored", ErrDamaged, found, stored)
	}
	return nil
}

// nouns reads everything but jobs.
func (l loader) nouns(snap *model.Snapshot) error {
	var x singles
	for _, n := range nounsOf(snap, &x) {
		if err := l.noun(n); err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
	}
	if len(x.policy) != 1 {
		return fmt.Errorf("%w: policy: %d, but 1 was stored", ErrDamaged, len(x.policy))
	}
	x.giveTo(snap)
	return nil
}

func (l loader) noun(n noun) error {
	if !n.records {
		if err := l.objects(n); err != nil {
			return err
		}
	}
	if !n.records && len(n.changes) == 0 {
		return nil
	}
	packs, err := l.parts(n.name)
	if err != nil || len(packs) == 0 {
		return err
	}
	if n.records {
		return joinParts(packs, n.slice)
	}
	return l.fill(packs, n.slice)
}

// objects reads a list of objects, unless the snapshot before had the same.
func (l loader) objects(n noun) error {
	if l.known == nil {
		return l.readObjects(n)
	}
	id, err := l.listOf(n.name)
	if err != nil {
		return err
	}
	if old, same := l.known.lists[n.name]; same && old.id == id {
		n.slice.Set(reflect.AppendSlice(n.slice, old.objects))
		return l.holds(sealOfSnapshot, n.name, n.slice.Len())
	}
	if err := l.readObjects(n); err != nil {
		return err
	}
	own := reflect.MakeSlice(n.slice.Type(), n.slice.Len(), n.slice.Len())
	reflect.Copy(own, n.slice)
	l.known.lists[n.name] = knownList{id, own}
	return nil
}

func (l loader) readObjects(n noun) error {
	rows, err := l.db.QueryContext(l.ctx, `SELECT l.hash, o.hash, o.body FROM snapshot_list sl
		JOIN list l ON l.id = sl.list_id JOIN list_object lo ON lo.list_id = sl.list_id JOIN object o ON o.id = lo.object_id
		WHERE sl.snapshot_id = ? AND sl.noun = ? ORDER BY lo.seq`, l.snapshot, n.name)
	if err != nil {
		return err
	}
	defer rows.Close()
	var list, own, body sql.RawBytes
	sum, want, text := sha256.New(), hash{}, []byte(nil)
	for rows.Next() {
		if err := rows.Scan(&list, &own, &body); err != nil {
			return err
		}
		text = append(append(append(text[:0], n.name...), ' '), body...)
		if now := sha256.Sum256(text); !bytes.Equal(now[:], own) {
			return fmt.Errorf("%w: object %d is not what its hash says", ErrDamaged, n.slice.Len()+1)
		}
		sum.Write(own)
		copy(want[:], list)
		element := reflect.New(n.slice.Type().Elem()).Elem()
		if err := readBody(body, element); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		n.slice.Set(reflect.Append(n.slice, element))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := l.holds(sealOfSnapshot, n.name, n.slice.Len()); err != nil || n.slice.Len() == 0 {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), want[:]) {
		return fmt.Errorf("%w: its %d objects are not those that were stored", ErrDamaged, n.slice.Len())
	}
	return nil
}

// A loadedPart is a part's place and packed values.
type loadedPart struct {
	first int
	data  []byte
}

// parts reads the parts of a noun, in order.
func (l loader) parts(noun string) ([]loadedPart, error) {
	rows, err := l.db.QueryContext(l.ctx, `SELECT first, content_id FROM part WHERE snapshot_id = ? AND noun = ?
		ORDER BY first`, l.snapshot, noun)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var parts []loadedPart
	var ids []int64
	for rows.Next() {
		var p loadedPart
		var id int64
		if err := rows.Scan(&p.first, &id); err != nil {
			return nil, err
		}
		parts, ids = append(parts, p), append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if err := l.holds(sealOfParts(noun), partOf+noun, len(parts)); err != nil {
		return nil, err
	}
	for i := range parts {
		if parts[i].data, err = l.codec.read(l.ctx, l.db, ids[i]); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// sealOfParts is the kind of seal that holds the parts of a noun.
func sealOfParts(noun string) string {
	if noun == standingNoun {
		return sealOfAnalysis
	}
	return sealOfSnapshot
}

// joinParts sets a slice to the elements of all parts.
func joinParts(parts []loadedPart, slice reflect.Value) error {
	for _, p := range parts {
		some := reflect.New(slice.Type()).Elem()
		if err := unpack(p.data, some); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		slice.Set(reflect.AppendSlice(slice, some))
	}
	return nil
}

// fill sets what changes of a slice's elements.
func (l loader) fill(parts []loadedPart, slice reflect.Value) error {
	for i, p := range parts {
		end := slice.Len()
		if i+1 < len(parts) {
			end = parts[i+1].first
		}
		if p.first < 0 || p.first > end || end > slice.Len() || slice.Len() == 0 {
			return fmt.Errorf("%w: part %d of a list of %d", ErrDamaged, p.first, slice.Len())
		}
		if err := unpack(p.data, slice.Slice(p.first, end)); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return nil
}

// jobs reads the jobs: their states part by part, and the rest row by row.
func (l loader) jobs() ([]model.Job, error) {
	order, err := l.order()
	if err != nil || len(order) == 0 {
		return nil, err
	}
	rows, err := l.jobRows(order)
	if err != nil {
		return nil, err
	}
	specs, err := l.specs(rows)
	if err != nil {
		return nil, err
	}
	parts, err := l.parts(stateNoun)
	if err != nil {
		return nil, err
	}
	var states []jobState
	if err := joinParts(parts, reflect.ValueOf(&states).Elem()); err != nil {
		return nil, err
	}
	if len(states) != len(order) {
		return nil, fmt.Errorf("%w: %d job states of %d jobs", ErrDamaged, len(states), len(order))
	}
	places := make([]int, len(order))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(rows[order[a].Job].number, rows[order[b].Job].number), cmp.Compare(a, b))
	})
	jobs := make([]model.Job, len(order))
	for k, place := range places {
		row := rows[order[place].Job]
		if err := completeJob(&jobs[place], states[k], row, specs[row.spec]); err != nil {
			return nil, fmt.Errorf("job %d: %w", states[k].Number, err)
		}
	}
	return jobs, nil
}

// completeJob puts a job together.
func completeJob(job *model.Job, state jobState, row jobRow, spec *model.Job) error {
	if spec == nil || int64(state.Number) != row.number {
		return fmt.Errorf("%w: its state belongs to another job", ErrDamaged)
	}
	*job = *spec
	job.Number, job.Name, job.Submitted = state.Number, unescape(row.name), time.UnixMicro(row.submitted).UTC()
	job.Tasks, job.Reported, job.Messages = state.Tasks, state.Reported, state.Messages
	job.PBS = state.PBS
	return nil
}

// order reads which rows of job the jobs have, in the master's order.
func (l loader) order() ([]orderEntry, error) {
	parts, err := l.parts(orderNoun)
	if err != nil {
		return nil, err
	}
	var order []orderEntry
	return order, joinParts(parts, reflect.ValueOf(&order).Elem())
}

// jobRows reads rows of job, by their ids.
func (l loader) jobRows(order []orderEntry) (map[int64]jobRow, error) {
	ids := make([]int64, len(order))
	for i, o := range order {
		ids[i] = o.Job
	}
	byID := make(map[int64]jobRow, len(ids))
	if l.known != nil {
		ids = keep(ids, l.known.rows, byID)
		l.known.rows = byID
	}
	err := l.eachByID(selectJob+` WHERE job.id`, ids, func(rows *sql.Rows) error {
		id, r, err := scanJob(rows)
		byID[id] = r
		return err
	})
	return byID, err
}

const selectJob = `SELECT job.id, job.cluster_id, job.number, job.submitted, job.name, job.spec_id, job.seal, spec.hash
	FROM job LEFT JOIN spec ON spec.id = job.spec_id`

// scanJob reads a row of job, and compares it with its seal.
func scanJob(rows *sql.Rows) (id int64, r jobRow, err error) {
	var cluster int64
	var seal sql.NullInt64
	var spec sql.RawBytes
	if err := rows.Scan(&id, &cluster, &r.number, &r.submitted, &r.name, &r.spec, &seal, &spec); err != nil {
		return 0, r, err
	}
	if !seal.Valid || seal.Int64 != r.sealWith(id, cluster, spec) {
		return 0, r, fmt.Errorf("%w: the row of job %d is not what its seal says", ErrDamaged, r.number)
	}
	return id, r, nil
}

// specs reads what the jobs ask for, by the ids of the specs. Jobs of one spec share its slices.
func (l loader) specs(rows map[int64]jobRow) (map[int64]*model.Job, error) {
	seen := map[int64]bool{}
	var ids []int64
	for _, r := range rows {
		if !seen[r.spec] {
			seen[r.spec] = true
			ids = append(ids, r.spec)
		}
	}
	slices.Sort(ids)
	specs := make(map[int64]*model.Job, len(ids))
	if l.known != nil {
		ids = keep(ids, l.known.specs, specs)
		l.known.specs = specs
	}
	var own, body sql.RawBytes
	err := l.eachByID(`SELECT id, hash, body FROM spec WHERE id`, ids, func(rows *sql.Rows) error {
		var id int64
		if err := rows.Scan(&id, &own, &body); err != nil {
			return err
		}
		if sum := sha256.Sum256(body); !bytes.Equal(sum[:], own) {
			return fmt.Errorf("%w: spec %d is not what its hash says", ErrDamaged, id)
		}
		specs[id] = &model.Job{}
		if err := readBody(body, reflect.ValueOf(specs[id]).Elem()); err != nil {
			return fmt.Errorf("%w: spec %d: %w", ErrDamaged, id, err)
		}
		return nil
	})
	return specs, err
}

// eachByID calls a function for the rows with these ids; the query ends in the name of their column.
func (l loader) eachByID(query string, ids []int64, do func(*sql.Rows) error) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	rows, err := l.db.QueryContext(l.ctx, query+` IN (SELECT value FROM json_each(?))`, string(list))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
