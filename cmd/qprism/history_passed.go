package main

import (
	"context"
	"fmt"
	"time"

	"qprism/adapters/sqlite"
	"qprism/engine/history"
)

// runPassed lists who started before a job that was ahead, while it waited.
func runPassed(ctx context.Context, store *sqlite.Store, lives []*life, out output) error {
	l := lives[len(lives)-1]
	var ids []int64
	for i := range l.moments {
		ids = append(ids, l.moments[i].Snapshot)
		if l.moments[i].Standing == nil {
			break // it has started
		}
	}
	entries, err := ledger(ctx, store, ids, l.number)
	if err != nil {
		return err
	}
	return printLedger(out, entries)
}

// runLedger lists who started before whom between consecutive snapshots.
func runLedger(ctx context.Context, store *sqlite.Store, ticks []tick, out output) error {
	ids := make([]int64, len(ticks))
	for i := range ticks {
		ids[i] = ticks[i].ID
	}
	entries, err := ledger(ctx, store, ids, 0)
	if err != nil {
		return err
	}
	return printLedger(out, entries)
}

// lastDay is the last day of a time line, unless it was cut out on purpose.
func lastDay(ticks []tick, opts timelineOptions) []tick {
	if opts.since != "" || len(ticks) == 0 {
		return ticks
	}
	from := ticks[len(ticks)-1].TakenAt.Add(-24 * time.Hour)
	for i := range ticks {
		if !ticks[i].TakenAt.Before(from) {
			return ticks[i:]
		}
	}
	return nil
}

// A ledgerEntry is a bypass between two snapshots.
type ledgerEntry struct {
	before int64
	history.Bypass
}

// ledger reads snapshots and lists the bypasses from each to the next: all, or those of one job that was passed.
func ledger(ctx context.Context, store *sqlite.Store, ids []int64, passed uint32) ([]ledgerEntry, error) {
	var entries []ledgerEntry
	var before *history.Frame
	for i, id := range ids {
		after, err := frame(ctx, store, id)
		if err != nil {
			return nil, err
		}
		if before != nil {
			list := history.Bypasses(before, after)
			if passed != 0 {
				list = history.BypassesOf(before, after, passed)
			}
			for _, b := range list {
				entries = append(entries, ledgerEntry{ids[i-1], b})
			}
		}
		before = after
	}
	return entries, nil
}

func frame(ctx context.Context, store *sqlite.Store, id int64) (*history.Frame, error) {
	s, err := store.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	a, err := store.Analysis(ctx, id)
	if err != nil {
		return nil, err
	}
	if a == nil {
		return nil, fmt.Errorf("snapshot %d was not analysed; qprism db analyse does it", id)
	}
	return &history.Frame{At: s.TakenAt, Jobs: s.Jobs, Standings: a.Standings}, nil
}

// jsonBypass is an entry of the ledger as JSON.
type jsonBypass struct {
	Job      uint32       `json:"job"`
	Owner    string       `json:"owner"`
	Started  *string      `json:"started"`
	Snapshot int64        `json:"snapshot"` // the earlier of the two
	Rank     *int         `json:"rank"`
	Planned  bool         `json:"planned"`
	Passed   []jsonPassed `json:"passed"`
}

type jsonPassed struct {
	Reason string        `json:"reason"`
	Jobs   int           `json:"jobs"`
	First  uint32        `json:"first"`
	Owner  string        `json:"owner"`
	Rank   int           `json:"rank"`
	Waits  *jsonStanding `json:"waits_for"`
}

func printLedger(out output, entries []ledgerEntry) error {
	if out.format == "json" {
		return out.json(jsonLedger(entries))
	}
	t := sheet{columns: columns("started", ">job", "owner", ">rank", ">passed", ">first", "owner of first", ">its rank", "it waited for", "why")}
	for i := range entries {
		e := &entries[i]
		for _, o := range e.Over {
			t.add(out.moment(e.Started), fmt.Sprint(e.Job), e.Owner, rankText(e.Rank), fmt.Sprint(o.Jobs), fmt.Sprint(o.First.Job), o.Owner,
				rankText(o.First.Rank), standingText(out, &o.First), string(o.Reason))
		}
	}
	if len(entries) == 0 && out.people() {
		out.say("No job started before one that was ahead of it.")
		return nil
	}
	return out.sheet(t)
}

func rankText(rank int) string {
	if rank == 0 {
		return ""
	}
	return fmt.Sprint(rank)
}

func jsonLedger(entries []ledgerEntry) []jsonBypass {
	list := make([]jsonBypass, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		x := jsonBypass{Job: e.Job, Owner: e.Owner, Started: rfc3339(e.Started), Snapshot: e.before, Planned: e.Start}
		if e.Rank > 0 {
			x.Rank = &e.Rank
		}
		for k := range e.Over {
			o := &e.Over[k]
			x.Passed = append(x.Passed, jsonPassed{string(o.Reason), o.Jobs, o.First.Job, o.Owner, o.First.Rank, standingJSON(&o.First)})
		}
		list = append(list, x)
	}
	return list
}
