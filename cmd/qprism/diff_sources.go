package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"qprism/adapters/sqlite"
	"qprism/engine/audit"
	"qprism/engine/model"
	"qprism/importer/gridengine"
)

// A sourced snapshot is one with the bundle or the stored snapshot that it is.
type sourced struct {
	*model.Snapshot
	name string
}

// loadSeries loads the snapshots to compare, in the order of their times, and what other files tell of the time between them: events
// of the reporting file of a Grid Engine, and what --sched-log, --accounting and --reporting name.
func (d *deps) loadSeries(ctx context.Context, opts diffOptions, args []string) ([]*model.Snapshot, []model.JobEvent, error) {
	var err error
	if len(args) == 0 {
		if args, err = d.lastTwo(ctx); err != nil {
			return nil, nil, err
		}
	}
	if len(args) < 2 {
		return nil, nil, errors.New("give the bundle before and the bundle after, or more in the order of their times")
	}
	var list []sourced
	for _, name := range args {
		s, err := d.loadOther(ctx, name, opts.keepGoing)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, sourced{s, name})
	}
	slices.SortStableFunc(list, func(a, b sourced) int { return a.TakenAt.Compare(b.TakenAt) })
	snapshots := make([]*model.Snapshot, len(list))
	for i, s := range list {
		if s.System != list[0].System {
			return nil, nil, errors.New("the bundles are of different systems")
		}
		if err := newSubject(s.Snapshot, "", audit.Options{}).system.lacks(false); err != nil {
			return nil, nil, err
		}
		snapshots[i] = s.Snapshot
	}
	if snapshots[0].PBS != nil {
		return snapshots, nil, addLogs(snapshots, opts)
	}
	events, err := d.addReports(ctx, list, opts)
	return snapshots, events, err
}

// addLogs adds what files outside the bundles tell of PBS in the time after each snapshot to the next one.
func addLogs(snapshots []*model.Snapshot, opts diffOptions) error {
	if opts.reporting != "" {
		return errors.New("--reporting is for Grid Engine; PBS has --sched-log and --accounting")
	}
	if !opts.logs.given() {
		return nil
	}
	cycles, records, err := opts.logs.read(zoneOf(snapshots[0]))
	if err != nil {
		return err
	}
	for i := 1; i < len(snapshots); i++ {
		from, to, p := snapshots[i-1].TakenAt.Truncate(time.Second), snapshots[i].TakenAt, snapshots[i].PBS
		for _, c := range cycles {
			if !c.Start.Before(from) && c.Start.Before(to) {
				p.Cycles = append(p.Cycles, c)
			}
		}
		for _, r := range records {
			if !r.At.Before(from) && !r.At.After(to) {
				p.Accounting = append(p.Accounting, r)
			}
		}
	}
	return nil
}

// addReports adds records of an accounting file to the snapshots after the ends that they tell of, and lists the events of all
// reporting files, each of the time between a snapshot and the next.
func (d *deps) addReports(ctx context.Context, list []sourced, opts diffOptions) (events []model.JobEvent, err error) {
	if opts.logs.sched != "" {
		return nil, errors.New("--sched-log is for PBS; the log of Grid Engine's scheduler is the schedule file, which bundles hold")
	}
	var ended []model.EndedTask
	if opts.logs.accounting != "" {
		if err := inFolder(opts.logs.accounting, func(folder fs.FS, file string) (err error) {
			ended, err = gridengine.ReadEnded(folder, file, list[0].TakenAt)
			return err
		}); err != nil {
			return nil, err
		}
	}
	outside := &model.Reporting{}
	if opts.reporting != "" {
		if err := inFolder(opts.reporting, func(folder fs.FS, file string) (err error) {
			outside, err = gridengine.ReadReporting(folder, file, gridengine.Options{KeepGoing: opts.keepGoing})
			return err
		}); err != nil {
			return nil, err
		}
	}
	for i := 1; i < len(list); i++ {
		from, to := list[i-1].TakenAt.Truncate(time.Second), list[i].TakenAt
		own, err := d.reportOf(ctx, list[i], opts.keepGoing)
		if err != nil {
			return nil, err
		}
		for _, e := range cmp.Or(own, outside).Events {
			if !e.At.Before(from) && !e.At.After(to) {
				events = append(events, e)
			}
		}
		addEnded(list[i].Snapshot, slices.Concat(ended, outside.Ended), from)
	}
	return events, nil
}

// addEnded adds records to a snapshot of what ended between a moment and it, but those that it has.
func addEnded(s *model.Snapshot, records []model.EndedTask, from time.Time) {
	type end struct {
		job, task uint32
		at        int64
	}
	has := map[end]bool{}
	for _, e := range s.Ended {
		has[end{e.Job, e.Task, e.Ended.Unix()}] = true
	}
	for _, e := range records {
		if key := (end{e.Job, e.Task, e.Ended.Unix()}); !e.Ended.Before(from) && !e.Ended.After(s.TakenAt) && !has[key] {
			has[key] = true
			s.Ended = append(s.Ended, e)
		}
	}
}

// reportOf is the reporting file of a bundle or stored bundle, nil where it has none.
func (d *deps) reportOf(ctx context.Context, s sourced, keepGoing bool) (*model.Reporting, error) {
	bundle, closer, err := d.bundleOf(ctx, s.name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	if _, err := fs.Stat(bundle, "reporting"); err != nil {
		return nil, nil
	}
	return gridengine.ReadReporting(bundle, "reporting", gridengine.Options{KeepGoing: keepGoing})
}

// bundleOf opens a bundle, or that of a stored snapshot where a number names no file.
func (d *deps) bundleOf(ctx context.Context, name string) (fs.FS, io.Closer, error) {
	id, err := strconv.ParseInt(name, 10, 64)
	if _, isFile := os.Stat(name); err != nil || isFile == nil {
		return bundleAt(name)
	}
	store, err := sqlite.Open(d.store)
	if err != nil {
		return nil, nil, err
	}
	bundle, err := store.Raw(ctx, id)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return bundle, store, nil
}

// lastTwo are the numbers of the last two stored snapshots.
func (d *deps) lastTwo(ctx context.Context) ([]string, error) {
	if _, err := os.Stat(d.store); err != nil {
		return nil, errNoBundle
	}
	store, err := sqlite.Open(d.store)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	list, err := store.Snapshots(ctx)
	if err != nil || len(list) < 2 {
		return nil, cmp.Or(err, errors.New("fewer than two snapshots are stored; give two bundles"))
	}
	last := list[len(list)-2:]
	return []string{fmt.Sprint(last[0].ID), fmt.Sprint(last[1].ID)}, nil
}
