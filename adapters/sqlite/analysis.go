package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"

	"qprism/engine/model"
)

const standingNoun = "standing"

// An Analysis is what was derived from a snapshot: where its waiting jobs stand, by job number, and how much was in use.
type Analysis struct {
	Rules     string // by which rules, and by what
	Standings []model.Standing
	Load      model.Load
}

// SetAnalysis keeps an analysis of a snapshot instead of the one before. ErrNoSnapshot where there is no such snapshot.
func (s *Store) SetAnalysis(ctx context.Context, id int64, a *Analysis) error {
	err := s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		if _, err := s.info(ctx, conn, id); err != nil {
			return err
		}
		w := newWriter(ctx, conn, s.codec)
		defer w.close()
		return w.analysis(id, a)
	})
	if err != nil {
		return fmt.Errorf("store %s: analysis of snapshot %d: %w", s.path, id, err)
	}
	return nil
}

func (w *writer) analysis(id int64, a *Analysis) error {
	if err := dropSeal(context.WithoutCancel(w.ctx), w.conn, sealOfAnalysis, id); err != nil {
		return err
	}
	for _, old := range []string{`DELETE FROM part WHERE snapshot_id = ? AND noun = '` + standingNoun + `'`,
		`DELETE FROM analysis WHERE snapshot_id = ?`} {
		if _, err := w.insert(old, id); err != nil {
			return err
		}
	}
	if _, err := w.insert(`INSERT INTO analysis (snapshot_id, rules, slots, used) VALUES (?, ?, ?, ?)`,
		id, escape(a.Rules), a.Load.Slots, a.Load.Used); err != nil {
		return err
	}
	for i, c := range a.Load.Waiting {
		if _, err := w.insert(`INSERT INTO waiting (snapshot_id, seq, cause, jobs, tasks) VALUES (?, ?, ?, ?, ?)`,
			id, i, escape(string(c.Cause)), c.Jobs, c.Tasks); err != nil {
			return err
		}
	}
	if err := w.standings(a.Standings); err != nil {
		return err
	}
	if err := w.references(id); err != nil {
		return err
	}
	return setSeal(context.WithoutCancel(w.ctx), w.conn, sealOfAnalysis, id)
}

// standings packs standings in parts, cut where job numbers say so.
func (w *writer) standings(all []model.Standing) error {
	slice := reflect.ValueOf(all)
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && (all[end-1].Job == all[end].Job || scramble(uint64(all[end].Job))%standingLength != 0) {
			end++
		}
		if err := w.part(standingNoun, int64(all[start].Job), slice.Slice(start, end), nil); err != nil {
			return err
		}
		start = end
	}
	return nil
}

// standingLength is how many standings a part has on average: a job's history reads one part of each snapshot.
const standingLength = 2 * partLength

// Analysis reads the analysis of a snapshot; nil where none was made.
func (s *Store) Analysis(ctx context.Context, id int64) (*Analysis, error) {
	var a *Analysis
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		if err := verifyAnalysis(ctx, conn, id); err != nil {
			return err
		}
		loads, err := loadsOf(ctx, conn, `WHERE a.snapshot_id = ?`, id)
		if err != nil || len(loads) == 0 {
			return err
		}
		a = &loads[id].Analysis
		a.Standings, err = loader{ctx: ctx, db: conn, codec: s.codec, snapshot: id}.standings()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: analysis of snapshot %d: %w", s.path, id, err)
	}
	return a, nil
}

// Loads reads how much of a cluster was in use in each snapshot that has an analysis, by the snapshots' ids.
func (s *Store) Loads(ctx context.Context, cluster string) (map[int64]model.Load, error) {
	all := map[int64]model.Load{}
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		infos, err := s.infos(ctx, conn)
		if err != nil {
			return err
		}
		seals, err := sealsOf(ctx, conn, sealOfAnalysis)
		if err != nil {
			return err
		}
		var ids []int64
		for _, i := range infos {
			_, analysed := seals[i.ID]
			if i.Cluster != cluster || !analysed {
				continue
			}
			if err := verifyLoad(ctx, conn, i.ID); err != nil {
				return inSnapshot(i.ID, err)
			}
			ids = append(ids, i.ID)
		}
		list, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		loads, err := loadsOf(ctx, conn, `WHERE a.snapshot_id IN (SELECT value FROM json_each(?))`, string(list))
		for id, l := range loads {
			all[id] = l.Load
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: analyses: %w", s.path, err)
	}
	return all, nil
}

func (l loader) standings() (all []model.Standing, err error) {
	parts, err := l.parts(standingNoun)
	if err != nil {
		return nil, err
	}
	return all, joinParts(parts, reflect.ValueOf(&all).Elem())
}

// verifyAnalysis compares the analysis of a snapshot with its seal; there may be neither.
func verifyAnalysis(ctx context.Context, db queryer, id int64) error {
	if analysed, err := isAnalysed(ctx, db, id); err != nil || !analysed {
		return err
	}
	return inAnalysis(verify(ctx, db, sealOfAnalysis, id))
}

// verifyLoad is verifyAnalysis without the standings.
func verifyLoad(ctx context.Context, db queryer, id int64) error {
	was, err := sealed(ctx, db, sealOfAnalysis, id)
	if err != nil {
		return inAnalysis(err)
	}
	now, err := tablesNow(ctx, db, id, loadTables...)
	if err != nil {
		return err
	}
	return inAnalysis(was.compare(now, "analysis", "waiting"))
}

func inAnalysis(err error) error {
	if err != nil {
		err = fmt.Errorf("its analysis: %w", err)
	}
	return err
}

// isAnalysed reports whether there is an analysis of a snapshot, or the seal of one, or one should be there.
func isAnalysed(ctx context.Context, db queryer, id int64) (bool, error) {
	seals, err := sealsOf(ctx, db, sealOfAnalysis)
	if err != nil {
		return false, err
	}
	if _, sealed := seals[id]; sealed {
		return true, nil
	}
	var rows int
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM analysis WHERE snapshot_id = ?`, id).Scan(&rows)
	return rows > 0, err
}

// A storedLoad is an analysis without its standings.
type storedLoad struct{ Analysis }

func loadsOf(ctx context.Context, db queryer, where string, arg any) (map[int64]*storedLoad, error) {
	rows, err := db.QueryContext(ctx, `SELECT a.snapshot_id, a.rules, a.slots, a.used, w.cause, w.jobs, w.tasks
		FROM analysis a LEFT JOIN waiting w ON w.snapshot_id = a.snapshot_id `+where+` ORDER BY a.snapshot_id, w.seq`, arg)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]*storedLoad{}
	for rows.Next() {
		var id int64
		var l storedLoad
		var cause sql.NullString
		var jobs, tasks sql.NullInt64
		if err := rows.Scan(&id, &l.Rules, &l.Load.Slots, &l.Load.Used, &cause, &jobs, &tasks); err != nil {
			return nil, err
		}
		l.Rules = unescape(l.Rules)
		if all[id] == nil {
			all[id] = &l
		}
		if cause.Valid {
			all[id].Load.Waiting = append(all[id].Load.Waiting, model.CauseCount{
				Cause: model.Cause(unescape(cause.String)), Jobs: jobs.Int64, Tasks: tasks.Int64})
		}
	}
	return all, rows.Err()
}

// Unanalysed lists the snapshots that have no analysis by these rules, oldest first.
func (s *Store) Unanalysed(ctx context.Context, made string) ([]Info, error) {
	infos, err := s.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	if err := verifyRows(ctx, s.db, sealOfAnalysis); err != nil {
		return nil, fmt.Errorf("store %s: analyses: %w", s.path, explain(s.path, err))
	}
	done := map[int64]bool{}
	rows, err := s.db.QueryContext(ctx, `SELECT snapshot_id FROM analysis WHERE rules LIKE '%' || ?`, escape(made))
	if err != nil {
		return nil, fmt.Errorf("store %s: analyses: %w", s.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		done[id] = true
	}
	var missing []Info
	for _, i := range infos {
		if !done[i.ID] {
			missing = append(missing, i)
		}
	}
	return missing, rows.Err()
}
