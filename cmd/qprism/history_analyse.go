package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qprism/adapters/sqlite"
	"qprism/compat"
	"qprism/engine/audit"
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
	subject := newSubject(s, name, audit.Options{At: s.TakenAt, Quirks: quirks})
	if s.TakenAt.IsZero() || subject.system.lacks(false) != nil {
		name, a.Standings = "printed priorities", history.Printed(s)
	} else {
		a.Standings = history.Standings(s, subject.system.plan(s.TakenAt))
	}
	a.Rules, a.Load = name+", "+analysis, history.LoadOf(s, a.Standings)
	return a
}

// clusterOf is the cluster that a command works on: the one named, else the one whose snapshot is the latest.
func clusterOf(ctx context.Context, store *sqlite.Store, name string) (string, error) {
	infos, err := store.Snapshots(ctx)
	if err != nil {
		return "", err
	}
	var latest time.Time
	found := ""
	known := map[string]bool{}
	for _, i := range infos {
		known[i.Cluster] = true
		if found == "" || i.TakenAt.After(latest) {
			found, latest = i.Cluster, i.TakenAt
		}
	}
	switch {
	case len(infos) == 0:
		return "", errNoBundle
	case name == "":
		return found, nil
	case !known[name]:
		return "", fmt.Errorf("the store holds no cluster %q; qprism snapshots lists what it holds", name)
	}
	return name, nil
}

// snapshotAt is the stored snapshot of a cluster that shows a moment, the one taken last until then; of no cluster, that whose
// snapshot is the latest, and of no moment, its latest.
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
	if at.IsZero() {
		infos, err := store.Snapshots(ctx)
		if err != nil {
			return 0, err
		}
		for _, i := range infos {
			if i.Cluster == cluster && i.TakenAt.After(at) {
				at = i.TakenAt
			}
		}
	}
	info, err := store.At(ctx, cluster, at)
	var early *sqlite.EarlyError
	if errors.As(err, &early) {
		return 0, fmt.Errorf("no stored snapshot of %s was taken at %s or before; qprism snapshots lists them: %w", cluster, at.Format(time.RFC3339), early)
	}
	return info.ID, err
}
