package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"

	"qprism/engine/model"
)

// An Analysis is derived from a snapshot: places of its waiting jobs, by job number, and load.
type Analysis struct {
	Rules     string // the rules and the program behind it
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
	err := s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		if _, err := findInfo(ctx, conn, id); err != nil {
			return err
		}
		w := s.newWriter(ctx, conn)
		defer w.close()
		standings := noun{standingNoun, reflect.ValueOf(a.Standings), func(i int) int64 { return int64(a.Standings[i].Job) }}
		if err := w.noun(standings); err != nil {
			return err
		}
		return setRecord(ctx, conn, kindAnalysis, id, &analysisRow{a.Rules, a.Load, w.parts})
	})
	if err != nil {
		return fmt.Errorf("store %s: analysis of snapshot %d: %w", s.path, id, err)
	}
	return nil
}

// Analysis reads the analysis of a snapshot; nil if there is none.
func (s *Store) Analysis(ctx context.Context, id int64) (*Analysis, error) {
	var a *Analysis
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
		a, err = newLoader(ctx, conn, s.codec).analysis(id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: analysis of snapshot %d: %w", s.path, id, err)
	}
	return a, nil
}

func (l loader) analysis(id int64) (*Analysis, error) {
	row, err := findRecord[analysisRow](l.ctx, l.db, kindAnalysis, id)
	if err != nil || row == nil {
		return nil, err
	}
	a := &Analysis{Rules: row.Rules, Load: row.Load}
	return a, l.read(row.Parts, reflect.ValueOf(&a.Standings).Elem())
}

// Loads reads the load of a cluster in each analyzed snapshot, by snapshot id.
func (s *Store) Loads(ctx context.Context, cluster string) (map[int64]model.Load, error) {
	all := map[int64]model.Load{}
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		infos, err := s.catalog.all(ctx, conn)
		if err != nil {
			return err
		}
		of := map[int64]string{}
		for _, i := range infos {
			of[i.ID] = i.Cluster
		}
		analyses, err := records[analysisRow](ctx, conn, kindAnalysis)
		for _, a := range analyses {
			if of[a.id] == cluster {
				all[a.id] = a.value.Load
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: analyses: %w", s.path, err)
	}
	return all, nil
}

// Unanalysed lists the snapshots without an analysis by these rules, the oldest first.
func (s *Store) Unanalysed(ctx context.Context, made string) (missing []Info, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		infos, err := s.catalog.all(ctx, conn)
		if err != nil {
			return err
		}
		analyses, err := records[analysisRow](ctx, conn, kindAnalysis)
		done := map[int64]bool{}
		for _, a := range analyses {
			done[a.id] = strings.HasSuffix(a.value.Rules, made)
		}
		for _, i := range infos {
			if !done[i.ID] {
				missing = append(missing, i.Info)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: analyses: %w", s.path, err)
	}
	return missing, nil
}
