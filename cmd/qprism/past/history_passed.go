package past

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/diff"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// runPassed lists who started before a job that was ahead, while it waited.
func runPassed(ctx context.Context, store *sqlite.Store, l *life, out show.Output) error {
	infos, err := subject.StoredOf(ctx, store, l.cluster, time.Time{}, time.Time{})
	if err != nil {
		return err
	}
	return runLedger(ctx, &ledger{store: store, passed: l.number}, l.around(infos), out)
}

// around returns the snapshots of the cluster, from the one before the job's first to the one after the last in
// which it waits.
func (l *life) around(infos []sqlite.Info) []sqlite.Info {
	at := func(id int64) int { return slices.IndexFunc(infos, func(i sqlite.Info) bool { return i.ID == id }) }
	from := at(l.moments[0].Snapshot)
	until := from
	for i := range slices.Backward(l.moments) {
		if l.moments[i].Job.Waits() {
			until = at(l.moments[i].Snapshot) + 1
			break
		}
	}
	return infos[max(from-1, 0):min(until+1, len(infos))]
}

// runLedger prints who started before whom between the snapshots: all, or who did before one job; or who
// lost how much by it.
func runLedger(ctx context.Context, l *ledger, infos []sqlite.Info, out show.Output) error {
	l.lost = losses{}
	err := l.store.Each(ctx, infos, runtime.GOMAXPROCS(0), func(i sqlite.Info, s *model.Snapshot) error {
		return l.add(ctx, i, s)
	})
	if err != nil {
		return err
	}
	if l.snapshots < 2 {
		return l.tooFew()
	}
	if l.by != "" {
		return l.printLosses(out)
	}
	return l.print(out)
}

// lastDay is the last day of a time line, unless it was cut out on purpose.
func lastDay(infos []sqlite.Info, opts TimelineOptions) []sqlite.Info {
	if opts.Since != "" || len(infos) == 0 {
		return infos
	}
	from := infos[len(infos)-1].TakenAt.Add(-24 * time.Hour)
	return slices.DeleteFunc(infos, func(i sqlite.Info) bool { return i.TakenAt.Before(from) })
}

// A ledger says which jobs started before which others: the inversions that diff finds in the runs between
// stored snapshots. It keeps only the last snapshot in memory.
type ledger struct {
	store  *sqlite.Store
	passed uint32 // the job that was passed; 0 for all
	by     string // how losses are added up; empty for a list of all starts
	hints  cli.Hints

	lost losses

	series    *diff.Series
	last      *model.Snapshot
	lastID    int64
	snapshots int
	started   int
	leftOut   []error // why snapshots have no planned run
	unlooked  int64
	entries   []ledgerEntry
}

// A ledgerEntry is a bypass in words.
type ledgerEntry struct {
	diff.Bypass
	before            int64 // the snapshot before the run
	run               time.Time
	name, owner       string
	first, firstOwner string // of those that were passed
	because           string
}

// add adds the runs between the last snapshot and the next one.
func (l *ledger) add(ctx context.Context, i sqlite.Info, s *model.Snapshot) error {
	if err := subject.NewSubject(s, "", lastrun.Options{}).Batch.Guesses(); err != nil {
		l.leftOut = append(l.leftOut, fmt.Errorf("snapshot %d was skipped: %w", i.ID, err))
		return nil
	}
	if l.series == nil {
		opts := DiffOptions{Predict: string(diff.ByOrder)}
		o, _, err := opts.Compared(ctx, s)
		if err != nil {
			return err
		}
		l.series = diff.NewSeries(o)
	}
	events, err := l.events(ctx, i.ID, s)
	if err != nil {
		return err
	}
	for _, run := range l.series.Next(s, events) {
		jobs := jobsOfAll([]*model.Snapshot{l.last, s})
		l.lost.enter(&run, jobs)
		l.enter(&run, jobs)
	}
	l.lost.look(s)
	l.last, l.lastID = s, i.ID
	l.snapshots++
	return ctx.Err()
}

// events returns the events of a bundle's reporting file since the last snapshot.
func (l *ledger) events(ctx context.Context, id int64, s *model.Snapshot) ([]model.JobEvent, error) {
	if l.last == nil || s.KeepsCycleLog() {
		return nil, nil
	}
	bundle, err := l.store.Raw(ctx, id)
	if err != nil {
		return nil, err
	}
	report, err := reportIn(bundle, false)
	return eventsBetween(report, l.last.TakenAt, s.TakenAt), err
}

func (l *ledger) enter(run *diff.Run, jobs jobsByNumber) {
	l.started += run.Figures.Started
	l.unlooked += run.Unlooked
	if l.passed != 0 {
		run.Pairs = slices.DeleteFunc(run.Pairs, func(p diff.Pair) bool { return p.Late.Job != l.passed })
	}
	for _, b := range run.Bypasses() {
		first := b.Passed[0].Task
		e := ledgerEntry{Bypass: b, before: l.lastID, run: run.At, name: jobs.name(b.Task),
			owner: jobs.owner(b.Task), first: jobs.name(first),
			firstOwner: jobs.owner(first), because: causeText(&b.Cause)}
		e.Cause.Why = nil // otherwise the whole plan stays in memory
		l.entries = append(l.entries, e)
	}
}

// tooFew says why there is no ledger.
func (l *ledger) tooFew() error {
	text := "no snapshot"
	if l.snapshots == 1 {
		text = "only snapshot " + fmt.Sprint(l.lastID)
	}
	return errors.Join(append(l.leftOut,
		fmt.Errorf("%s: two snapshots of a cluster are needed to see what started between them", text))...)
}

func (l *ledger) print(out show.Output) error {
	if out.Format == "json" {
		return out.JSON(l.json())
	}
	if len(l.entries) == 0 && out.People() {
		out.Say("%s", l.nobody())
	} else {
		out.Sheet(l.sheet(out))
	}
	if !out.People() {
		return nil
	}
	if l.unlooked > 0 {
		out.Say("%d more inversions were not examined one by one.", l.unlooked)
	}
	for _, why := range l.leftOut {
		out.Say("%v", why)
	}
	if len(l.entries) > 0 {
		e := &l.entries[0]
		out.Say("")
		out.Say("qprism recomputed the dispatch order of each run, as \"qprism diff\" does.")
		job := e.Passed[0].Task.Job
		out.Say("Next: %s", show.Step(fmt.Sprintf("see what job %d waited for on each host", job),
			fmt.Sprintf("qprism why %d --snapshot %d", job, e.before)))
	}
	return nil
}

// nobody says that there are no entries, and how many starts were examined.
func (l *ledger) nobody() string {
	none := "No task started before a job that was ahead of it."
	if l.passed != 0 {
		none = fmt.Sprintf("No task that was behind job %d started before it.", l.passed)
	}
	between := fmt.Sprintf("between the %d snapshots", l.snapshots)
	if l.started == 0 {
		return "No waiting task started " + between + "."
	}
	return fmt.Sprintf("%s started %s. %s", show.Plural(l.started, "task"), between, none)
}

func (l *ledger) sheet(out show.Output) show.Sheet {
	t := show.NewSheet("started", ">job", "owner", ">place", ">passed", ">first", "owner of first",
		">its place", "because of")
	for i := range l.entries {
		e := &l.entries[i]
		t.Add(out.Moment(e.Started), e.name, e.owner, fmt.Sprint(e.Rank+1), fmt.Sprint(len(e.Passed)), e.first, e.firstOwner,
			fmt.Sprint(e.Passed[0].Rank+1), e.because)
	}
	return t
}

// JSONBypass is a line of the ledger as JSON: which task started in which run, and which tasks it passed
// for one cause. The cause has the name that diff uses.
type JSONBypass struct {
	Task     string    `json:"task"`
	Owner    string    `json:"owner"`
	Started  time.Time `json:"started"`
	Run      time.Time `json:"run"`
	Snapshot int64     `json:"snapshot"` // before the run
	Place    int32     `json:"place"`    // in the run's dispatch order
	Passed   []string  `json:"passed"`   // by place
	First    int32     `json:"first_place"`
	Owned    string    `json:"owner_of_first"`
	Cause    string    `json:"cause"`
	Detail   string    `json:"detail,omitempty"`
	Reserved time.Time `json:"reserved_for,omitempty"`
	Text     string    `json:"text"`
}

func (l *ledger) json() []JSONBypass {
	list := make([]JSONBypass, 0, len(l.entries))
	for i := range l.entries {
		e := &l.entries[i]
		x := JSONBypass{Task: e.Task.String(), Owner: e.owner, Started: e.Started, Run: e.run,
			Snapshot: e.before, Place: e.Rank + 1,
			First: e.Passed[0].Rank + 1, Owned: e.firstOwner, Cause: string(e.Cause.Kind),
			Detail: e.Cause.Detail, Reserved: e.Cause.Start, Text: e.because}
		for _, p := range e.Passed {
			x.Passed = append(x.Passed, p.Task.String())
		}
		list = append(list, x)
	}
	return list
}
