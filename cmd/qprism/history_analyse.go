package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
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

// openStore opens the store, which must exist.
func (d *deps) openStore() (*sqlite.Store, error) {
	if _, err := os.Stat(d.store); errors.Is(err, fs.ErrNotExist) {
		return nil, errNoBundle
	}
	return sqlite.Open(d.store)
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

// snapshotAt is the stored snapshot that shows the moment of --at: the one taken last until then, of the cluster whose snapshot is
// the latest.
func (d *deps) snapshotAt(ctx context.Context, text string) (int64, error) {
	at, err := parseMoment(text)
	if err != nil {
		return 0, fmt.Errorf("--at %w", err)
	}
	store, err := d.openStore()
	if err != nil {
		return 0, err
	}
	defer store.Close()
	cluster, err := clusterOf(ctx, store, "")
	if err != nil {
		return 0, err
	}
	info, err := store.At(ctx, cluster, at)
	var early *sqlite.EarlyError
	if errors.As(err, &early) {
		return 0, fmt.Errorf("no stored snapshot was taken at %s or before; qprism snapshots lists them: %w", at.Format(time.RFC3339), early)
	}
	return info.ID, err
}

// parseMoment reads a time: Unix seconds, RFC 3339, or a date with or without the time of day, in UTC.
func parseMoment(text string) (time.Time, error) {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC(), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: neither Unix seconds nor RFC 3339, such as 2026-11-21T08:16:20Z, nor a date such as \"2026-11-21 08:16\" (UTC)", text)
}

// parseSpan reads a duration with days and weeks: 30d, 2w, 36h.
func parseSpan(text string) (time.Duration, error) {
	if n := len(text) - 1; n > 0 && (text[n] == 'd' || text[n] == 'w') {
		days, err := strconv.ParseFloat(text[:n], 64)
		if text[n] == 'w' {
			days *= 7
		}
		if err == nil && days >= 0 && days < 100_000 {
			return time.Duration(days * float64(24*time.Hour)), nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no duration such as 30d, 2w or 36h", text)
}
