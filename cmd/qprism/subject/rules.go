package subject

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
	"qprism/engine/explain"
	"qprism/engine/forecast"
	gridexplain "qprism/engine/gridengine/explain"
	"qprism/engine/gridengine/memory"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/assume"
	"qprism/engine/pbs/cycle"
	pbsexplain "qprism/engine/pbs/explain"
	"qprism/engine/pbs/simulate"
	"qprism/importer"
	"qprism/importer/gridengine"
	pbsfiles "qprism/importer/pbs"
)

// Scene returns the last run of Grid Engine.
func (s GridEngine) Scene() (explain.Scene, error) {
	sc, err := gridexplain.New(s.Snapshot, s.Look)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSuffix(WhyUnknown(s.Snapshot), "."))
	}
	return sc, nil
}

// InScene returns the id of a job or task in a scene: "4711.3".
func (GridEngine) InScene(job string) (string, error) { return job, nil }

// InScene returns the full id of a job. For a subjob that has not started, it returns the id of the array.
func (s OpenPBS) InScene(job string) (string, error) {
	j, err := s.Find(job)
	if err != nil {
		return "", err
	}
	return j.PBS.ID, nil
}

// Scene returns the next cycle of PBS.
func (s OpenPBS) Scene() (explain.Scene, error) {
	if err := s.Lacks(false); err != nil {
		return nil, err
	}
	if _, err := s.Moment(); err != nil {
		return nil, err
	}
	return pbsexplain.New(s.Snapshot, s.Look.At), nil
}

// Forecast simulates runs of Grid Engine, one after the other.
func (s GridEngine) Forecast(o forecast.Options) *forecast.Forecast {
	o.Plan, o.Quirks = s.Planner(), s.Look.Quirks
	return forecast.Run(s.Snapshot, o)
}

func (s GridEngine) Ended() []model.EndedTask { return s.Snapshot.Ended }

func (s GridEngine) Cadence() string {
	return fmt.Sprintf("The scheduler runs every %s%s.", show.SpanText(s.Policy.ScheduleInterval), flushText(&s.Policy))
}

// flushText says when the end of a job makes the scheduler run sooner.
func flushText(p *model.Policy) string {
	if p.FlushFinish <= 0 {
		return ""
	}
	return fmt.Sprintf(", and %s after a job ends", show.SpanText(p.FlushFinish))
}

// Forecast simulates cycles of PBS, one after the other. Jobs that no cycle considers are also in the list of
// waiting jobs.
func (s OpenPBS) Forecast(o forecast.Options) *forecast.Forecast {
	f := simulate.Forecast(s.Snapshot, o)
	started := map[string]bool{}
	for i := range f.Starts {
		started[f.Starts[i].ID] = true
	}
	for _, d := range cycle.Ignored(s.Snapshot) {
		if !started[d.ID] {
			f.Waits = append(f.Waits, d)
		}
	}
	return f
}

func (s OpenPBS) Ended() []model.EndedTask { return accounting.Ended(s.PBS.Accounting) }

func (OpenPBS) Cadence() string {
	return "A cycle runs when a job ends, or when a reservation, primetime or dedicated time begins or ends."
}

// Lacks returns an error that names all missing inputs of a plan.
func (s GridEngine) Lacks(policy bool) error {
	var parts []string
	if !policy && !s.HasFile("sched_conf.txt") {
		parts = append(parts, "the scheduler configuration (sched_conf.txt; --policy FILE gives it)")
	}
	if len(s.Instances) == 0 {
		parts = append(parts, "the queue instances (qstat-f.xml, qhost.xml)")
	}
	if len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("a run cannot be planned: the bundle lacks %s; scripts/capture-ge.sh makes a full "+
		"bundle on the master",
		strings.Join(parts, " and "))
}

// Guesses is Lacks, because qprism makes no assumptions for Grid Engine.
func (s GridEngine) Guesses() error { return s.Lacks(false) }

// InFile makes an error name the file as the user gave it.
func InFile(err error, path string) error {
	if p, is := errors.AsType[*importer.Problem](err); is {
		p.File = path
	}
	return err
}

// ReplacePolicy puts the scheduler configuration of a file into the snapshot. If the master's own configuration
// lacks a key, the key is probably misspelled; ReplacePolicy warns of it.
func (s GridEngine) ReplacePolicy(path string, warn io.Writer) error {
	policy, err := gridengine.ReadPolicy(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	if err != nil {
		return InFile(err, path)
	}
	for _, o := range policy.Other {
		if _, known := model.Text(s.Policy.Other, o.Name); !known {
			fmt.Fprintf(warn, "qprism: %s: %s is not a key of the scheduler configuration; qprism ignores it\n",
				path, show.Printable(o.Name))
		}
	}
	s.Policy = policy
	return nil
}

func (GridEngine) Words() *words.System { return &words.GridEngine }
func (OpenPBS) Words() *words.System    { return &words.PBS }

func (s GridEngine) Booked(p *model.Plan) *model.Plan { return forecast.Booked(s.Snapshot, p) }
func (s OpenPBS) Booked(p *model.Plan) *model.Plan    { return simulate.Booked(s.Snapshot, p) }

// Running lists the slots of running tasks, for as long as the forecast lets them run.
func (s GridEngine) Running(at time.Time, o forecast.Options) []model.ScheduleLine {
	clock := forecast.NewClock(&s.Policy, o.Estimate)
	clock.History = o.History
	return clock.SlotLines(s.Snapshot, &model.Plan{RunAt: at})
}

// Running is empty, because Booked already has running jobs of PBS.
func (OpenPBS) Running(time.Time, forecast.Options) []model.ScheduleLine { return nil }

// PBSRules is the release whose scheduler qprism follows.
const PBSRules = "23.06.06"

// Plan plans the cycle at a moment, and adds reasons for jobs that the scheduler ignores.
func (s OpenPBS) Plan(at time.Time) *model.Plan {
	p := cycle.Run(s.Snapshot, cycle.Options{At: at})
	p.Decisions = append(p.Decisions, cycle.Ignored(s.Snapshot)...)
	return p
}

func (s OpenPBS) Lacks(bool) error { return s.lacks() }

// Guesses is Lacks for commands that only read. If the bundle has no sched_config, they use the options that
// PBS installs, and say so.
func (s OpenPBS) Guesses() error {
	if s.System != model.Torque && !s.PBS.SchedConfig.Present {
		return s.lacks("the scheduler's configuration (sched_config)")
	}
	return s.lacks()
}

// lacks returns an error that names the missing parts of the bundle. The given parts come first.
func (s OpenPBS) lacks(parts ...string) error {
	if s.System == model.Torque {
		return errors.New("qprism does not plan for the scheduler of Torque; it only reads its listings and stores its jobs")
	}
	if len(s.Queues) == 0 {
		parts = append(parts, "the queues (qstat_Qf.json)")
	}
	if len(s.Hosts) == 0 {
		parts = append(parts, "the vnodes (pbsnodes_av.json)")
	}
	if len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("a cycle cannot be planned: the bundle lacks %s; scripts/capture-pbs.sh makes a "+
		"full bundle on the host of the server",
		show.JoinAnd(parts))
}

// ReplacePolicy puts the sched_config of a file into the snapshot. It warns of lines that the scheduler would
// report in its log.
func (s OpenPBS) ReplacePolicy(path string, warn io.Writer) error {
	conf, fair, err := pbsfiles.ReadSchedConfig(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	if err != nil {
		return InFile(err, path)
	}
	for _, l := range conf.Lines {
		if l.Error != "" {
			fmt.Fprintf(warn, "qprism: %s:%d: %s: %s\n", path, l.Line, show.Printable(l.Name), show.Printable(l.Error))
		}
	}
	own := *s.PBS
	own.SchedConfig, own.Fairshare.Policy = conf, fair
	s.PBS = &own
	s.Assumed = slices.DeleteFunc(s.Assumed, func(a assume.Assumption) bool { return a.About == assume.Options })
	return nil
}

func (s GridEngine) Plan(at time.Time) *model.Plan { return s.Planner()(s.Snapshot, at, true) }

// Planner returns a planner for consecutive runs. All planners of a subject share what they learned of the runs before the
// snapshot, because to learn it takes as long as a plan.
func (s GridEngine) Planner() forecast.Planner {
	first := true
	return schedule.Runs(func(now *model.Snapshot, at time.Time, kept *schedule.Memory, reasons bool) *model.Plan {
		o := schedule.Options{At: at, Quirks: s.Look.Quirks, Memory: kept, Brief: !reasons}
		if first {
			o.Past, first = s.pastRuns(), false
		}
		return schedule.Run(now, o)
	})
}

// pastRuns returns what was learned of the runs before the snapshot. It uses the snapshot itself, because a forecast
// plans a changed copy.
func (s *Subject) pastRuns() *schedule.Past {
	s.onePast.Do(func() {
		at, _ := s.Moment()
		s.past = memory.NewPast(split.WithEndedTasks(s.Snapshot, at.At))
	})
	return s.past
}

// WhyUnknown says why qprism recomputed nothing.
func WhyUnknown(s *model.Snapshot) string {
	if !s.HasFile("sched_conf.txt") {
		return "without sched_conf.txt, the weights are not known."
	}
	return "the time of the last run is not known; give it with --now."
}

// Find finds a Grid Engine job by its number, or by the number of a task: "4711.3".
func (s GridEngine) Find(text string) (*model.Job, error) {
	first, task, isTask := strings.Cut(text, ".")
	number, err := strconv.ParseUint(first, 10, 32)
	if isTask && err == nil {
		_, err = strconv.ParseUint(task, 10, 32)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a job number; examples: 4711, or 4711.3 for a task", text)
	}
	job := s.Snapshot.JobsByNumber()[uint32(number)]
	if job == nil {
		return nil, fmt.Errorf("job %d is not in the snapshot; \"qprism priorities\" lists its jobs", number)
	}
	if isTask && !slices.ContainsFunc(job.Tasks, func(t model.Task) bool {
		return delay.Concerns(t.IDs, TaskNumber(job, text))
	}) {
		return nil, fmt.Errorf("job %d has no task %s in the snapshot, or the task has ended", number, task)
	}
	return job, nil
}

// TaskNumber returns the task in "4711.3". It is 0 for a whole job.
func TaskNumber(j *model.Job, text string) uint32 {
	_, task, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(task, 10, 32)
	if err != nil || !j.HoldsTasks() || !j.Array && n == 1 {
		return 0
	}
	return uint32(n)
}
