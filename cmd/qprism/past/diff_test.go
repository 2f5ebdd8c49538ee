package past

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/subject"
	"qprism/engine/diff"
	"qprism/engine/model"
	pbsrecordings "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

// A causeTally counts inversions of recorded runs by their causes.
type causeTally struct {
	runs, withStarts, tasks, lost, fresh int
	inversions                           int64
	kinds                                map[diff.Kind]int
	details                              map[string]int
}

func newCauseTally() *causeTally {
	return &causeTally{kinds: map[diff.Kind]int{}, details: map[string]int{}}
}

func (n *causeTally) add(t *testing.T, name string, runs []diff.Run) {
	for i := range runs {
		r := &runs[i]
		n.runs++
		n.tasks += r.Figures.Tasks
		n.lost += len(r.Lost)
		n.fresh += len(r.New)
		n.inversions += r.Figures.Inversions
		if r.Figures.Started > 0 {
			n.withStarts++
		}
		for _, p := range r.Pairs {
			n.kinds[p.Cause.Kind]++
			n.details[string(p.Cause.Kind)+": "+p.Cause.Detail]++
			if p.Cause.Kind == diff.Unknown || p.Cause.Kind == diff.Tie {
				t.Logf("%s %s: %v before %v: %s %s", name, r.At.Format("15:04:05"), p.Early, p.Late, p.Cause.Kind, p.Cause.Detail)
			}
		}
	}
}

func (n *causeTally) log(t *testing.T, of string) {
	t.Logf("%s: %d runs, %d started something, %d tasks compared, %d lost, %d not expected, %d inversions", of, n.runs, n.withStarts, n.tasks,
		n.lost, n.fresh, n.inversions)
	for _, d := range slices.Sorted(maps.Keys(n.details)) {
		t.Logf("%6d %s", n.details[d], d)
	}
}

// mustBeComplete fails where an inversion has no cause or a task is not accounted for.
func (n *causeTally) mustBeComplete(t *testing.T, of string) {
	if open := n.kinds[diff.Unknown] + n.kinds[diff.Tie]; open > 0 || n.lost > 0 || n.fresh > 0 {
		t.Errorf("%s: %d inversions have no cause, %d tasks are lost, %d come from nowhere", of, open, n.lost, n.fresh)
	}
}

// TestCausesAreFoundForRecordedRunsOfGridEngine compares the order in which each recorded run tried its jobs with what it started.
func TestCausesAreFoundForRecordedRunsOfGridEngine(t *testing.T) {
	all, releases := newCauseTally(), map[string]*causeTally{}
	eachRecordedRun(t, func(name string, before, after *model.Snapshot) {
		release := before.Release.String()
		if releases[release] == nil {
			releases[release] = newCauseTally()
		}
		runs := diff.Compare([]*model.Snapshot{before, after}, diffOf(t, before))
		all.add(t, name, runs)
		releases[release].add(t, name, runs)
	})
	for _, release := range slices.Sorted(maps.Keys(releases)) {
		releases[release].log(t, release)
		releases[release].mustBeComplete(t, release)
	}
	if os.Getenv("QPRISM_RECORDINGS") != "" {
		return
	}
	if all.inversions < 100 || all.kinds[diff.Resource] == 0 || all.kinds[diff.Backfilled] == 0 || all.kinds[diff.Quirk] == 0 ||
		len(releases) < 2 {
		t.Error("too little was compared")
	}
}

// eachRecordedRun calls check with the snapshots before and after each recorded run of a Grid Engine: those of the fixtures, or in
// the folders that QPRISM_RECORDINGS lists.
func eachRecordedRun(t *testing.T, check func(name string, before, after *model.Snapshot)) {
	names, _ := filepath.Glob("../../../fixtures/gridengine/[0-9]*.tar.gz")
	if dirs := os.Getenv("QPRISM_RECORDINGS"); dirs != "" {
		names = nil
		for _, dir := range filepath.SplitList(dirs) {
			some, _ := filepath.Glob(filepath.Join(dir, "*"))
			names = append(names, some...)
		}
	}
	for _, name := range names {
		for i := 1; ; i++ {
			after, err := subject.LoadBundle(fmt.Sprintf("%s/run%d/after", name, i), false)
			if err != nil {
				break
			}
			before, err := subject.LoadBundle(fmt.Sprintf("%s/run%d/before", name, i), false)
			if err == nil { // of some, only what came after the first run is recorded
				check(fmt.Sprintf("%s/run%d", filepath.Base(name), i), before, after)
			}
		}
	}
}

// TestBackfillsStandInTheScheduleFile holds each reservation that a cause speaks of against what the master wrote down of the run, and
// limits on users against how many jobs of theirs run after it.
func TestBackfillsStandInTheScheduleFile(t *testing.T) {
	own, others, limits := 0, 0, 0
	eachRecordedRun(t, func(name string, before, after *model.Snapshot) {
		for _, run := range diff.Compare([]*model.Snapshot{before, after}, diffOf(t, before)) {
			reserved, told := reservedIn(after, run.At)
			for _, p := range run.Pairs {
				switch c := &p.Cause; {
				case c.Kind == diff.Quota && c.Detail == string(model.ReasonUserLimit):
					limits++
					if owner := jobOf(before, after, p.Late.Job).Owner; runningOf(after, owner) < after.Policy.MaxUserJobs {
						t.Errorf("%s: %v waits for the limit of %s, who has %d running", name, p.Late, owner, runningOf(after, owner))
					}
				case !told || c.Kind != diff.Backfilled:
				case c.Start.Unix() > 0:
					own++
					if at, known := reserved[p.Late]; !known || at.Unix() != c.Start.Unix() {
						t.Errorf("%s: %v is said to be reserved for %v, the schedule file has %v", name, p.Late, c.Start, at)
					}
				default:
					if others++; len(reserved) == 0 {
						t.Errorf("%s: %v is said to wait for what is reserved, and nothing was", name, p.Late)
					}
				}
			}
		}
	})
	t.Logf("%d inversions by a reservation of the late task, %d by those of others, %d by a limit", own, others, limits)
	if own < 20 || others < 5 || limits < 10 {
		t.Error("too little was compared")
	}
}

// reservedIn are the reservations that the schedule file has of the run at a second; told is false where it does not tell of the run.
func reservedIn(s *model.Snapshot, at time.Time) (reserved map[diff.Task]time.Time, told bool) {
	for _, run := range s.Runs {
		if !slices.ContainsFunc(run.Lines, func(l model.ScheduleLine) bool { return l.State == "STARTING" && l.Start.Unix() == at.Unix() }) {
			continue
		}
		told, reserved = true, map[diff.Task]time.Time{}
		for _, l := range run.Lines {
			if l.State == "RESERVING" {
				reserved[diff.Task{Job: l.Job, Number: l.Task}] = l.Start
			}
		}
	}
	return reserved, told
}

func jobOf(before, after *model.Snapshot, number uint32) *model.Job {
	return jobsOfAll([]*model.Snapshot{before, after})[number]
}

func runningOf(s *model.Snapshot, owner string) (running int) {
	for i := range s.Jobs {
		for k := range s.Jobs[i].Tasks {
			if t := &s.Jobs[i].Tasks[k]; s.Jobs[i].Owner == owner && !t.Started.IsZero() && t.Ended.IsZero() {
				running++
			}
		}
	}
	return running
}

// diffOf are the options of a comparison with nothing chosen.
func diffOf(t *testing.T, s *model.Snapshot) diff.Options {
	o, _, err := (&DiffOptions{Predict: string(diff.ByOrder)}).Compared(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestCausesAreFoundForRecordedRunsOfPBS holds each cause against the scheduler's log, too: it names the reason that was found, or
// shows that the scheduler came to the early job first.
func TestCausesAreFoundForRecordedRunsOfPBS(t *testing.T) {
	n := newCauseTally()
	reasons, orders := 0, 0
	for _, name := range pbsrecordings.Scenarios() {
		for _, series := range recordedCycles(t, name) {
			runs := diff.Compare(series, diffOf(t, series[0]))
			n.add(t, name, runs)
			for i := range runs {
				for _, p := range runs[i].Pairs {
					switch log := saidOf(series, runs[i].At); {
					case p.Cause.Why != nil && log.reasons[p.Late.Job][p.Cause.Why.Text]:
						reasons++
					case p.Cause.Why == nil && log.first(p.Early.Job, p.Late.Job):
						orders++
					default:
						t.Errorf("%s %v: %v before %v because of %s %s, says the log: %v", name, runs[i].At, p.Early, p.Late, p.Cause.Kind,
							causeText(&p.Cause), log.reasons[p.Late.Job])
					}
				}
			}
		}
	}
	n.log(t, "OpenPBS")
	n.mustBeComplete(t, "OpenPBS")
	t.Logf("the scheduler's log has the very reason of %d inversions, and the order of %d", reasons, orders)
	if n.inversions < 300 || n.kinds[diff.Changed] == 0 || n.kinds[diff.HostState] == 0 || reasons < 200 || orders < 50 {
		t.Error("too little was compared")
	}
}

// TestUnknownIsAFigureWhereRunsLieBetween compares the first bundle of each series with the last: of the runs between, start times and logs
// are all that tells.
func TestUnknownIsAFigureWhereRunsLieBetween(t *testing.T) {
	n := newCauseTally()
	check := func(name string, series []*model.Snapshot) {
		if len(series) > 2 {
			n.add(t, name, diff.Compare([]*model.Snapshot{series[0], series[len(series)-1]}, diffOf(t, series[0])))
		}
	}
	of, series := "", []*model.Snapshot(nil)
	eachRecordedRun(t, func(name string, before, after *model.Snapshot) {
		if cluster := filepath.Dir(name); cluster != of {
			check(of, series)
			of, series = cluster, nil
		}
		series = append(series, before, after)
	})
	check(of, series)
	for _, name := range pbsrecordings.Scenarios() {
		for _, series := range recordedCycles(t, name) {
			check(name, series)
		}
	}
	n.log(t, "first and last")
	if unknown := n.kinds[diff.Unknown]; unknown == 0 || int64(2*unknown) > n.inversions || n.kinds[diff.Tie] > 0 {
		t.Errorf("%d of %d inversions are unknown, %d put down to a tie", unknown, n.inversions, n.kinds[diff.Tie])
	}
}

// A cycleLog is what a scheduler logged of its cycles of one second: in which order it came to jobs, and why they did not run.
type cycleLog struct {
	considered []uint32
	reasons    map[uint32]map[string]bool
}

func (l *cycleLog) first(early, late uint32) bool {
	a, b := slices.Index(l.considered, early), slices.Index(l.considered, late)
	return a >= 0 && (b < 0 || a < b)
}

func saidOf(series []*model.Snapshot, at time.Time) *cycleLog {
	l := &cycleLog{reasons: map[uint32]map[string]bool{}}
	for _, s := range series {
		for _, c := range s.PBS.Cycles {
			if !c.Start.Equal(at) {
				continue
			}
			for _, e := range c.Events {
				number, _, _ := strings.Cut(e.Object, ".")
				number, _, _ = strings.Cut(number, "[")
				job, _ := strconv.ParseUint(number, 10, 32)
				switch e.Kind {
				case model.EventConsidered:
					l.considered = append(l.considered, uint32(job))
				case model.EventNotRun:
					if l.reasons[uint32(job)] == nil {
						l.reasons[uint32(job)] = map[string]bool{}
					}
					l.reasons[uint32(job)][e.Text] = true
				}
			}
		}
	}
	return l
}

// recordedCycles are the snapshots before and after each recorded cycle of a scenario, the later one with what logs tell; those of
// cycles that follow one another in one series.
func recordedCycles(t *testing.T, name string) (list [][]*model.Snapshot) {
	files, err := pbsrecordings.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Steps []struct{ Step string }
	}
	if text, err := fs.ReadFile(files, "truth.json"); err != nil {
		return nil // a recording of a tree, without cycles
	} else if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	was := ""
	for i := 1; i < len(truth.Steps); i++ {
		if truth.Steps[i].Step != "cycle" || truth.Steps[i-1].Step == "cycle" {
			continue
		}
		next := i
		for next+1 < len(truth.Steps) && truth.Steps[next].Step == "cycle" {
			next++
		}
		before, after := pbsStep(t, files, truth.Steps[i-1].Step), pbsStep(t, files, truth.Steps[next].Step)
		if before != nil && after != nil {
			addRecordedLogs(t, files, before, after)
			if last := len(list) - 1; last >= 0 && was == truth.Steps[i-1].Step {
				list[last] = append(list[last], after)
			} else {
				list = append(list, []*model.Snapshot{before, after})
			}
			was = truth.Steps[next].Step
		}
	}
	return list
}

// pbsStep is nil where a step is none.
func pbsStep(t *testing.T, files fs.FS, step string) *model.Snapshot {
	sub, err := fs.Sub(files, step)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(sub, "date.txt"); err != nil {
		return nil
	}
	s, err := pbs.Read(sub, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// addRecordedLogs adds what the logs of a scenario tell of the time between two snapshots.
func addRecordedLogs(t *testing.T, files fs.FS, before, after *model.Snapshot) {
	logs, err := fs.Sub(files, "logs")
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := pbs.ReadCycles(logs, "sched_log.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cycles {
		if c.Start.Unix() >= before.TakenAt.Unix() && c.Start.Before(after.TakenAt) {
			after.PBS.Cycles = append(after.PBS.Cycles, c)
		}
	}
	accounting, err := pbs.ReadAccounting(logs, "accounting.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range accounting {
		if r.At.Unix() >= before.TakenAt.Unix() && !r.At.After(after.TakenAt) {
			after.PBS.Accounting = append(after.PBS.Accounting, r)
		}
	}
}
