package sqlite

import (
	"context"
	"reflect"
	"strings"

	"qprism/engine/model"
)

// An Analysis has results that were computed from a snapshot: the places of its waiting jobs, by job number,
// and the load.
type Analysis struct {
	Rules     string // the version of the rules and of the program
	Standings []model.Standing
	Load      model.Load
}

// An analysisRow is the record of an analysis.
type analysisRow struct {
	Rules string
	Load  model.Load
	Parts []part // with the standings
}

const standingNoun = "standing"

// SetAnalysis replaces the analysis of a snapshot. The error is ErrNoSnapshot if the snapshot does not exist.
func (s *Store) SetAnalysis(ctx context.Context, id int64, a *Analysis) error {
	err := s.transaction(ctx, toWrite, func(t *tx) {
		t.info(id)
		w := &writer{tx: t}
		w.noun(noun{standingNoun, reflect.ValueOf(a.Standings), func(i int) int64 { return int64(a.Standings[i].Job) }})
		setRecord(t, kindAnalysis, id, &analysisRow{a.Rules, a.Load, w.parts})
	})
	return s.named(err, "analysis of snapshot %d", id)
}

// Analysis reads the analysis of a snapshot. It is nil if the snapshot has none.
func (s *Store) Analysis(ctx context.Context, id int64) (a *Analysis, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { a = t.analysis(id) })
	return a, s.named(err, "analysis of snapshot %d", id)
}

func (t *tx) analysis(id int64) *Analysis {
	row := findRecord[analysisRow](t, kindAnalysis, id)
	if row == nil {
		return nil
	}
	a := &Analysis{Rules: row.Rules, Load: row.Load}
	t.read(row.Parts, reflect.ValueOf(&a.Standings).Elem())
	return a
}

// A loadRow is an analysisRow without its standings. Reading it takes half the time.
type loadRow struct {
	Rules string
	Load  model.Load
}

// Loads reads the loads of the snapshots that have an analysis, by snapshot id. If the snapshots are few and all have an
// analysis, it reads only these.
func (s *Store) Loads(ctx context.Context, infos []Info) (map[int64]model.Load, error) {
	wanted, loads := make(map[int64]bool, len(infos)), make(map[int64]model.Load, len(infos))
	for i := range infos {
		wanted[infos[i].ID] = true
	}
	err := s.transaction(ctx, toRead, func(t *tx) {
		for _, r := range recordsOf[loadRow](t, kindAnalysis, wanted) {
			loads[r.id] = r.value.Load
		}
	})
	return loads, s.named(err, "analyses")
}

// Unanalyzed lists the snapshots without an analysis by this version of the rules, the oldest first.
func (s *Store) Unanalyzed(ctx context.Context, made string) (missing []Info, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		done := map[int64]bool{}
		for _, r := range records[loadRow](t, kindAnalysis) {
			done[r.id] = strings.HasSuffix(r.value.Rules, made)
		}
		for _, i := range s.catalog.all(t) {
			if !done[i.ID] {
				missing = append(missing, *i.Info)
			}
		}
	})
	return missing, s.named(err, "analyses")
}
