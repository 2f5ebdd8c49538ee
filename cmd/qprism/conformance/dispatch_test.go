package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/recorded"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

var dispatchReplay = flag.String("dispatch.replay", "", "plan the runs of a kept `folder` again")

var dispatchN = flag.Int("dispatch.n", 4, "random `scenarios` of placing jobs to play on a real master")

// TestRealMasterDispatchesAsPlanned plays random scenarios on real 8.1.9 masters and plans each run from the bundle before
// it: the same tasks must start in at least 98 of a hundred runs, and the schedule file must get the same lines in at least
// 90 of a hundred that write any.
func TestRealMasterDispatchesAsPlanned(t *testing.T) {
	if *dispatchReplay != "" {
		replay(t, *dispatchReplay)
		return
	}
	master.Require(t)
	t.Parallel()
	var tally dispatchTally
	t.Run("scenarios", func(t *testing.T) {
		for i := range *dispatchN {
			seed := *conformanceSeed*1_000_000 + uint64(i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				playAndPlan(t, seed, &tally)
			})
		}
	})
	t.Logf("%d scenarios from seed %d: %s", *dispatchN, *conformanceSeed, tally.String())
	if missed := tally.runs - tally.sameTasks; missed*100 > 2*tally.runs && missed > 1 {
		t.Errorf("%d of %d runs start other tasks", missed, tally.runs)
	}
	if missed := tally.withLines - tally.sameLines; missed*100 > 10*tally.withLines && missed > 1 {
		t.Errorf("%d of %d runs get other lines", missed, tally.withLines)
	}
}

// A dispatchTally adds up what scenarios that run side by side count.
type dispatchTally struct {
	sync.Mutex
	runs, sameTasks      int
	starts, sameSlots    int // tasks that both start, and in the same slots of the same instances
	tied                 int // that were as good elsewhere, by an order that no bundle shows
	withLines, sameLines int
}

func (d *dispatchTally) String() string {
	return fmt.Sprintf("%d of %d runs start the same tasks; %d of %d tasks in the same slots on the same instances, %d on others as good; %d of %d runs get the same schedule file lines",
		d.sameTasks, d.runs, d.sameSlots, d.starts, d.tied, d.sameLines, d.withLines)
}

func playAndPlan(t *testing.T, seed uint64, tally *dispatchTally) {
	dir := t.TempDir()
	runs := master.Play(t, master.Random(rand.New(rand.NewPCG(seed, 1)), master.Dispatch), dir)
	if !planRuns(t, runs, tally) && *conformanceKeep != "" {
		text, err := json.Marshal(runs)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "runs.json"), text, 0o644)
		}
		if err != nil {
			t.Error(err)
		}
		keep(t, dir, fmt.Sprintf("dispatch-%d", seed))
	}
}

// replay plans runs again that -conformance.keep has kept.
func replay(t *testing.T, folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "runs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var runs []master.Run
	if err := json.Unmarshal(text, &runs); err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		dir := filepath.Join(folder, fmt.Sprintf("run%d", runs[i].Number))
		runs[i].Before, runs[i].After = filepath.Join(dir, "before"), filepath.Join(dir, "after")
	}
	var tally dispatchTally
	same := planRuns(t, runs, &tally)
	t.Log(tally.String())
	if !same {
		t.Error("plans differ from what the master did")
	}
}

// planRuns plans the runs of one master, and reports whether each went as planned.
func planRuns(t *testing.T, runs []master.Run, tally *dispatchTally) (same bool) {
	watch := &watcher{tally: tally, memory: &schedule.Memory{}}
	same = true
	for _, run := range runs {
		same = watch.planRun(t, run) && same
	}
	return same
}

// A watcher plans the runs of one master and knows what it saw before.
type watcher struct {
	tally   *dispatchTally
	memory  *schedule.Memory
	changes changes
	last    *model.Snapshot // after the last run
}

// planRun plans a run from the bundle before it, and compares with what the bundle after it records.
func (w *watcher) planRun(t *testing.T, run master.Run) (same bool) {
	w.changes.add(run.Changed...)
	before, after, last := recorded.OpenBundle(t, run.Before), recorded.OpenBundle(t, run.After), w.last
	w.last = after
	if run.Runs != 1 {
		t.Logf("run %d: left out, for there were %d runs", run.Number, run.Runs)
		return true
	}
	quirks := quirksOf(before)
	actual, err := next.LastRun(before, after, lastrun.Options{Quirks: quirks})
	if err != nil {
		t.Errorf("run %d: %v", run.Number, err)
		return false
	}
	plan := schedule.Run(settled(t, run, last, before, after, actual),
		schedule.Options{At: actual.At.At, Quirks: quirks, Memory: w.memory, Sequence: w.changes.sequence()})
	w.noteStarts(plan, actual.Plan)
	if actual.Starts {
		plan.Decisions = slices.DeleteFunc(plan.Decisions, func(d model.Decision) bool { return d.Verdict == model.Later })
	}
	rows := record.Compare(plan, actual.Plan)
	_, lines := record.SameLines(plan.Lines, actual.Plan.Lines)
	if !lines && !actual.Starts {
		t.Logf("run %d: %s", run.Number, firstOther(scheduleText(t, before, plan), scheduleText(t, before, actual.Plan)))
	}
	return w.tally.add(t, run, rows, lines, actual.Starts)
}

// noteStarts notes that jobs were changed by their starts: in the order of the plan, and of those that it lacks in the recorded one.
func (w *watcher) noteStarts(plan, actual *model.Plan) {
	started := map[uint32]bool{}
	for _, d := range actual.Decisions {
		started[d.Job] = started[d.Job] || d.Verdict == model.Now
	}
	if len(actual.Lines) == 0 {
		for _, d := range plan.Decisions {
			if d.Verdict == model.Now && started[d.Job] {
				w.changes.add(d.Job)
			}
		}
		return
	}
	for _, d := range actual.Decisions {
		if d.Verdict == model.Now {
			w.changes.add(d.Job)
		}
	}
}

func scheduleText(t *testing.T, s *model.Snapshot, p *model.Plan) []string {
	var text strings.Builder
	if err := next.WriteSchedule(&text, s, p.Lines); err != nil {
		t.Fatal(err)
	}
	return strings.Split(text.String(), "\n")
}

// firstOther shows where two lists of lines part.
func firstOther(planned, recorded []string) string {
	i := 0
	for i < min(len(planned), len(recorded)) && inSeconds(planned[i]) == inSeconds(recorded[i]) {
		i++
	}
	part := func(lines []string) string {
		return strings.Join(lines[min(i, len(lines)):min(i+4, len(lines))], "\n\t")
	}
	return fmt.Sprintf("line %d, planned:\n\t%s\nrecorded:\n\t%s", i+1, part(planned), part(recorded))
}

// inSeconds is a line of the schedule file without the fraction of its start: a plan does not know when the master carries an order out.
func inSeconds(line string) string {
	f := strings.Split(line, ":")
	const micros = len("1795403731745892")
	if len(f) > 3 && len(f[3]) == micros {
		f[3] = f[3][:micros-6]
	}
	return strings.Join(f, ":")
}

// settled is the bundle before a run with the tasks ended that had ended when it took place: those that the bundle after it
// lacks and the run did not record as running, or which it records nothing of. The run still knows of them, and of those
// that ended between the run before and the bundle.
func settled(t *testing.T, run master.Run, last, before, after *model.Snapshot, actual next.Recorded) *model.Snapshot {
	there := map[taskName]bool{}
	for id := range startedTasks(after) {
		there[id] = true
	}
	for _, l := range actual.Plan.Lines {
		there[taskName{l.Job, l.Task}] = true
	}
	c := forecast.NewCluster(withEnded(last, before))
	for id := range startedTasks(before) {
		if !there[id] {
			t.Logf("run %d: %s ended before it", run.Number, id)
			c.Finish(id.job, id.task, actual.At.At.Add(-time.Second))
		}
	}
	return c.Snapshot
}

// withEnded adds to a bundle what ran in the one before it and has ended, where more of the same job is there.
func withEnded(last, s *model.Snapshot) *model.Snapshot {
	if last == nil {
		return s
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	still := map[taskName]*model.Task{}
	for id, task := range startedTasks(s) {
		still[id] = task
	}
	for id, task := range startedTasks(last) {
		k := slices.IndexFunc(own.Jobs, func(j model.Job) bool { return j.Number == id.job })
		if now := still[id]; k >= 0 && (now == nil || now.Started.After(task.Started)) {
			ended := *task
			ended.Ended = s.TakenAt.Add(-time.Second)
			own.Jobs[k].Tasks = append(slices.Clip(own.Jobs[k].Tasks), ended)
		}
	}
	return &own
}

type taskName struct{ job, task uint32 }

func (n taskName) String() string { return fmt.Sprintf("%d.%d", n.job, n.task) }

func startedTasks(s *model.Snapshot) iter.Seq2[taskName, *model.Task] {
	return func(yield func(taskName, *model.Task) bool) {
		for i := range s.Jobs {
			j := &s.Jobs[i]
			for k := range j.Tasks {
				t := &j.Tasks[k]
				if t.Started.IsZero() {
					continue
				}
				number := uint32(1)
				if len(t.IDs) > 0 {
					number = t.IDs[0].Min
				}
				if !yield(taskName{j.Number, number}, t) {
					return
				}
			}
		}
	}
}

func (d *dispatchTally) add(t *testing.T, run master.Run, rows []record.Row, lines, startsOnly bool) (same bool) {
	d.Lock()
	defer d.Unlock()
	d.runs++
	tasks := true
	var differences []string
	for _, r := range rows {
		switch planned, recorded := startsNow(r.Planned), startsNow(r.Recorded); {
		case planned != recorded:
			tasks = false
		case planned:
			d.starts++
			switch r.Outcome {
			case record.Tie:
				d.tied++
			case record.Same, record.OtherTime:
				d.sameSlots++
			}
		}
		if r.Outcome.Differs() {
			differences = append(differences, fmt.Sprintf("%d.%d %s: planned %s, recorded %s", r.Job, r.Task, r.Outcome, side(r.Planned),
				side(r.Recorded)))
		}
	}
	if tasks {
		d.sameTasks++
	}
	if !startsOnly {
		d.withLines++
		if lines {
			d.sameLines++
		} else {
			differences = append(differences, "other lines")
		}
	}
	if len(differences) > 0 {
		t.Logf("run %d: %s", run.Number, strings.Join(differences, "\n\t"))
	}
	return len(differences) == 0
}

func startsNow(d *model.Decision) bool { return d != nil && d.Verdict == model.Now }

func side(d *model.Decision) string {
	if d == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s %d %v", d.Verdict, d.Start.Unix(), d.Slots)
}
