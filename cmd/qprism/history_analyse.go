package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qprism/adapters/sqlite"
	"qprism/compat"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/history"
	"qprism/engine/model"
)

// analysis names what makes analyses; another number means that those in a store are to be made again.
const analysis = "analysis 1"

// analyse finds where the waiting jobs of a snapshot stand and why they wait, by a run planned when it was taken. Where none
// can be planned, the printed priorities say where they stand.
func analyse(s *model.Snapshot) *sqlite.Analysis {
	name, quirks := compat.For(s.Release)
	a := &sqlite.Analysis{}
	subject := newSubject(s, name, lastrun.Options{At: s.TakenAt, Quirks: quirks})
	if s.TakenAt.IsZero() || subject.system.lacks(false) != nil {
		name, a.Standings = "printed priorities", history.Printed(s)
	} else {
		a.Standings = history.Standings(s, subject.system.plan(s.TakenAt))
	}
	a.Rules, a.Load = name+", "+analysis, history.LoadOf(s, a.Standings)
	return a
}

// snapshotAt is the stored snapshot of a cluster that shows a moment: the one taken last until then.
func (d *deps) snapshotAt(ctx context.Context, name string, at time.Time) (int64, error) {
	store, err := d.openStore()
	if err != nil {
		return 0, err
	}
	defer store.Close()
	cluster, err := clusterOf(ctx, store, name)
	if err != nil {
		return 0, err
	}
	info, err := store.At(ctx, cluster, at)
	var early *sqlite.EarlyError
	if errors.As(err, &early) {
		return 0, fmt.Errorf("no stored snapshot of %s was taken at %s or before; qprism snapshots lists them: %w", cluster, at.Format(time.RFC3339), early)
	}
	return info.ID, err
}
