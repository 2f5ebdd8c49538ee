package past

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
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/importer/gridengine"
)

// A series has the snapshots that diff compares, by time. For Grid Engine, it also has events of reporting
// files between them.
type series struct {
	snapshots []*model.Snapshot
	names     []string // of the bundles, or numbers of stored snapshots
	events    []model.JobEvent
}

// loadSeries loads the snapshots to compare, and events between them. The events are in files beside and inside
// the bundles, and in those of --sched-log, --accounting and --reporting.
func loadSeries(ctx context.Context, d *cli.Deps, opts DiffOptions, args []string) (*series, error) {
	var err error
	switch {
	case len(args) > 0 && opts.since+opts.until != "":
		return nil, errors.New("give bundles, or --since and --until, not both")
	case len(args) > 0 && opts.Cluster != "":
		return nil, errors.New("give bundles, or --cluster for the stored snapshots of a cluster, not both")
	case len(args) == 0:
		if args, err = storedSeries(ctx, d, opts); err != nil {
			return nil, err
		}
	}
	if len(args) < 2 {
		return nil, errors.New("give the bundle before and the bundle after, or more bundles, the oldest first")
	}
	s := &series{}
	byTime := map[*model.Snapshot]string{}
	for _, name := range args {
		one, err := subject.LoadOther(ctx, d, name, opts.KeepGoing)
		if err != nil {
			return nil, err
		}
		s.snapshots, byTime[one] = append(s.snapshots, one), name
	}
	slices.SortStableFunc(s.snapshots, func(a, b *model.Snapshot) int { return a.TakenAt.Compare(b.TakenAt) })
	for _, one := range s.snapshots {
		s.names = append(s.names, byTime[one])
		if one.System != s.snapshots[0].System {
			return nil, errors.New("the bundles are of different systems")
		}
		if err := subject.NewSubject(one, "", lastrun.Options{}).Batch.Guesses(); err != nil {
			return nil, err
		}
	}
	if s.snapshots[0].KeepsCycleLog() {
		return s, s.addLogs(opts)
	}
	return s, addReports(ctx, d, s, opts)
}

// addLogs adds PBS events of files outside the bundles, each to the snapshot before it.
func (s *series) addLogs(opts DiffOptions) error {
	if opts.reporting != "" {
		return errors.New("--reporting is for Grid Engine; for PBS use --sched-log and --accounting")
	}
	first := s.snapshots[0]
	if !opts.logs.Given() {
		probe := *first
		own := *first.PBS
		probe.PBS = &own
		opts.logs.Beside(&probe, s.names[0])
	}
	if !opts.logs.Given() {
		return nil
	}
	cycles, records, err := opts.logs.Read(first.Zone())
	if err != nil {
		return err
	}
	for i := 1; i < len(s.snapshots); i++ {
		from, to, p := s.snapshots[i-1].TakenAt.Truncate(time.Second), s.snapshots[i].TakenAt, s.snapshots[i].PBS
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

// addReports adds each record of an accounting file to the snapshots after the end of its task. It also
// gathers the events of all reporting files, divided by the snapshots.
func addReports(ctx context.Context, d *cli.Deps, s *series, opts DiffOptions) error {
	if opts.logs.Sched != "" {
		return errors.New("--sched-log is for PBS; the log of the Grid Engine scheduler is the schedule " +
			"file, which is in the bundle")
	}
	ended, outside, err := opts.outside(s.snapshots[0].TakenAt)
	if err != nil {
		return err
	}
	for i := 1; i < len(s.snapshots); i++ {
		from, to := s.snapshots[i-1].TakenAt.Truncate(time.Second), s.snapshots[i].TakenAt
		own, err := reportOf(ctx, d, s.names[i], opts.KeepGoing)
		if err != nil {
			return err
		}
		s.events = append(s.events, eventsBetween(cmp.Or(own, outside), from, to)...)
		addEnded(s.snapshots[i], slices.Concat(ended, outside.Ended), from)
	}
	return nil
}

// eventsBetween returns the events of a reporting file between two snapshots.
func eventsBetween(r *model.Reporting, from, to time.Time) (list []model.JobEvent) {
	if r == nil {
		return nil
	}
	for _, e := range r.Events {
		if !e.At.Before(from.Truncate(time.Second)) && !e.At.After(to) {
			list = append(list, e)
		}
	}
	return list
}

// outside reads the files of --accounting and --reporting: tasks that ended since a moment, and events.
func (opts *DiffOptions) outside(since time.Time) (ended []model.EndedTask, report *model.Reporting, err error) {
	report = &model.Reporting{}
	if opts.logs.Accounting != "" {
		err = subject.InFolder(opts.logs.Accounting, func(folder fs.FS, file string) (err error) {
			ended, err = gridengine.ReadEnded(folder, file, since)
			return err
		})
	}
	if err == nil && opts.reporting != "" {
		err = subject.InFolder(opts.reporting, func(folder fs.FS, file string) (err error) {
			report, err = gridengine.ReadReporting(folder, file, gridengine.Options{KeepGoing: opts.KeepGoing})
			return err
		})
	}
	return ended, report, err
}

// addEnded adds records of tasks that ended between a moment and the snapshot, without duplicates.
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

// reportOf returns the reporting file of a bundle or stored bundle. It is nil if there is none.
func reportOf(ctx context.Context, d *cli.Deps, name string, keepGoing bool) (*model.Reporting, error) {
	bundle, closer, err := BundleOf(ctx, d, name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return reportIn(bundle, keepGoing)
}

// reportIn returns the reporting file of a bundle. It is nil if there is none.
func reportIn(bundle fs.FS, keepGoing bool) (*model.Reporting, error) {
	if _, err := fs.Stat(bundle, "reporting"); err != nil {
		return nil, nil
	}
	return gridengine.ReadReporting(bundle, "reporting", gridengine.Options{KeepGoing: keepGoing})
}

// BundleOf opens a bundle. If name is a number and no such file exists, it opens the bundle of this stored
// snapshot.
func BundleOf(ctx context.Context, d *cli.Deps, name string) (fs.FS, io.Closer, error) {
	id, err := strconv.ParseInt(name, 10, 64)
	if _, isFile := os.Stat(name); err != nil || isFile == nil {
		return subject.BundleAt(name)
	}
	return subject.Files(ctx, d, &subject.Selection{Snapshot: id}, nil)
}

// mostStored limits the stored snapshots of one comparison, because all are in memory.
const mostStored = 500

// Stored returns a cluster's name, and its stored snapshots between two moments of flags.
func Stored(ctx context.Context, d *cli.Deps, name, since, until string) (string, []sqlite.Info, error) {
	period := TimelineOptions{Since: since, Until: until}
	from, to, err := period.Bounds()
	if err != nil {
		return "", nil, err
	}
	store, cluster, err := subject.OpenCluster(ctx, d, name)
	if err != nil {
		return "", nil, err
	}
	defer store.Close()
	list, err := subject.StoredOf(ctx, store, cluster, from, to)
	return cluster, list, err
}

// storedSeries returns the numbers of the stored snapshots of a period. Without a period, these are the last
// two of the cluster with the latest one.
func storedSeries(ctx context.Context, d *cli.Deps, opts DiffOptions) (numbers []string, err error) {
	cluster, list, err := Stored(ctx, d, opts.Cluster, opts.since, opts.until)
	if err != nil {
		return nil, err
	}
	if opts.since+opts.until == "" {
		list = list[max(len(list)-2, 0):]
	}
	switch {
	case len(list) < 2:
		return nil, fmt.Errorf("%s of %s in that time; a comparison needs two",
			show.Plural(len(list), "snapshot"), show.Printable(cluster))
	case len(list) > mostStored:
		return nil, fmt.Errorf("%d snapshots are stored in that time, but at most %d can be compared; "+
			"narrow the time with --since and --until", len(list),
			mostStored)
	}
	for _, i := range list {
		numbers = append(numbers, fmt.Sprint(i.ID))
	}
	return numbers, nil
}
