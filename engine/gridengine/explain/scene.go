package explain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qprism/engine/explain"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// A Scene is one scheduler run, for explanations of its jobs.
type Scene struct {
	snapshot *model.Snapshot
	at       time.Time
	source   string

	next    bool   // it is the next run, as if it were just after the snapshot
	later   *Scene // the scene of the next run; nil until it is asked for
	view    *lastrun.View
	result  *priority.Result
	derived map[ticket.TaskID]*ticket.Derivation // of all tasks; nil until one is asked for
}

// New recomputes the last run before a snapshot. The error is explain.ErrNoRun if the bundle lacks the policy
// or the moment of the run.
func New(s *model.Snapshot, opts lastrun.Options) (*Scene, error) {
	view, moment := lastrun.Look(s, opts)
	if view == nil {
		return nil, explain.ErrNoRun
	}
	return &Scene{snapshot: s, at: moment.At, source: moment.Source, view: view, result: view.Result}, nil
}

// Run is the moment of the run, and the source that shows it.
func (sc *Scene) Run() (at time.Time, source string) { return sc.at, sc.source }

// afterwards is the scene of the next run, by which jobs are explained that the last one did not know.
func (sc *Scene) afterwards() *Scene {
	if sc.later == nil {
		view := sc.view.Next()
		sc.later = &Scene{snapshot: sc.snapshot, at: view.At, source: sc.source, next: true, view: view, result: view.Result}
	}
	return sc.later
}

// nextRun is the moment from which on changes count: after the last run, when what it started runs.
func (sc *Scene) nextRun() time.Time {
	if sc.next {
		return sc.at
	}
	return sc.view.NextRun()
}

// Compare says which of two jobs comes first, and what would change that.
func (sc *Scene) Compare(idA, idB string) (*explain.Comparison, error) {
	a, b, err := explain.Both(sc, idA, idB)
	if err != nil {
		return nil, err
	}
	if (a.Next || b.Next) && !sc.next {
		return sc.afterwards().Compare(idA, idB)
	}
	c := explain.Of(a, b, sc.nextRun())
	return c, sc.compare(c, idA, idB)
}

// An actor is one task in the run.
type actor struct {
	job   *priority.Job
	task  priority.Task
	state explain.State
}

// actorOf finds the task that an id names; of a job without a task the one that ranks it, or else the first that runs.
func (sc *Scene) actorOf(id string) (*model.Job, *actor, error) {
	number, task, err := parseID(id)
	if err != nil {
		return nil, nil, err
	}
	job := sc.jobOf(number)
	if job == nil {
		return nil, nil, explain.UnknownJob(id)
	}
	j := sc.result.Job(number)
	if j == nil {
		return job, &actor{state: explain.NotInRun}, nil
	}
	if a := actorOf(j, task); a != nil {
		return job, a, nil
	}
	if task > 0 && !hasTask(job, task) {
		return nil, nil, fmt.Errorf("job %d %w: %d", number, explain.ErrNoTask, task)
	}
	return job, &actor{state: explain.NotInRun}, nil
}

// parseID reads "4711" or "4711.3"; task is 0 for none.
func parseID(id string) (number, task uint32, err error) {
	job, part, isTask := strings.Cut(id, ".")
	n, err := strconv.ParseUint(job, 10, 32)
	t := uint64(0)
	if isTask && err == nil {
		t, err = strconv.ParseUint(part, 10, 32)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%q is not a job number", id)
	}
	return uint32(n), uint32(t), nil
}

func (sc *Scene) jobOf(number uint32) *model.Job {
	for i := range sc.view.Snapshot.Jobs {
		if j := &sc.view.Snapshot.Jobs[i]; j.Number == number {
			return j
		}
	}
	return nil
}

func hasTask(j *model.Job, number uint32) bool {
	for i := range j.Tasks {
		if model.Holds(j.Tasks[i].IDs, number) {
			return true
		}
	}
	return !j.Array && number == 1
}

// actorOf finds a task of a job; 0 means the one that ranks it, or else the first that runs.
func actorOf(j *priority.Job, task uint32) *actor {
	waiting := append(append([]priority.Task{}, j.Pending()...), j.Waiting()...)
	if len(waiting) == 0 && j.Template().Number > 0 {
		waiting = append(waiting, j.Template())
	}
	for _, t := range waiting {
		if task == 0 || t.Number == task {
			return &actor{job: j, task: t, state: explain.Pending}
		}
	}
	for _, t := range j.Running {
		if task == 0 || t.Number == task {
			return &actor{job: j, task: t, state: explain.Running}
		}
	}
	return nil
}

func (sc *Scene) Explain(id string) (*explain.Explanation, error) {
	job, a, err := sc.actorOf(id)
	if err != nil {
		return nil, err
	}
	if a.job == nil && !sc.next {
		if e, err := sc.afterwards().Explain(id); err == nil && e.State == explain.Pending {
			return e, nil
		}
	}
	e := &explain.Explanation{Job: job, At: sc.at, Next: sc.next, ID: utoa(job.Number), State: a.state,
		Waiting: len(sc.result.Pending),
		Inert:   sc.inert()}
	if job.Array {
		e.Task = a.task.Number
	}
	if a.job == nil {
		e.Notes = append(e.Notes, "The run computed no priority for the job: "+whyNotInRun(job, sc)+".")
		return e, nil
	}
	if a.state == explain.Pending {
		e.Place, e.Ahead, e.Since = sc.placeOf(a.job), sc.ahead(a), sc.since(job)
	}
	e.Criteria = []explain.Criterion{{Name: "prio", Up: "higher is sooner", Term: sc.prio(a)}}
	if a.state == explain.Pending {
		e.Criteria = append(
			e.Criteria,
			explain.Criterion{
				Name: "submission",
				Up:   "among equals, earlier is sooner",
				Tie:  true,
				Term: explain.Moment(job.Submitted).Named("submission"),
			},
			explain.Criterion{Name: "number", Up: "among those, lower is sooner", Tie: true,
				Term: explain.Fact("number", float64(job.Number)).As(utoa(job.Number))},
		)
	}
	e.Notes = append(e.Notes, sc.notes(a)...)
	return e, nil
}

func (sc *Scene) placeOf(j *priority.Job) int {
	for i, p := range sc.result.Pending {
		if p == j {
			return i + 1
		}
	}
	return 0
}

// since is where a job stands in the run after this one; nil where this is that one.
func (sc *Scene) since(job *model.Job) *explain.Since {
	if sc.next {
		return nil
	}
	next := sc.afterwards()
	now := &explain.Since{Waiting: len(next.result.Pending)}
	waits := make(map[uint32]bool, now.Waiting)
	for i, j := range next.result.Pending {
		waits[j.Job.Number] = true
		if j.Job.Number == job.Number {
			now.Place = i + 1
		}
	}
	for _, j := range sc.result.Pending {
		if after := next.result.Job(j.Job.Number); !waits[j.Job.Number] && after != nil && len(after.Running) > 0 {
			now.Started++
		}
	}
	return now
}

// whyNotInRun says why a job took no part in the run.
func whyNotInRun(j *model.Job, sc *Scene) string {
	has := func(letters string) bool {
		for i := range j.Tasks {
			if strings.ContainsAny(j.Tasks[i].State, letters) {
				return true
			}
		}
		return false
	}
	var why []string
	for _, r := range []struct {
		is   bool
		text string
	}{
		{sc.view.Assumed().Unknown(j, sc.view.At), "it was submitted after the run"},
		{has("h"), "it is held"},
		{has("E"), "it is in the error state"},
		{j.ExecutionTime.After(sc.view.At), "its start time (-a) is in the future"},
		{len(j.Predecessors) > 0, "it waits for other jobs to end (-hold_jid)"},
		{has("sST"), "it is suspended"},
		{has("d"), "it is being deleted"},
	} {
		if r.is {
			why = append(why, r.text)
		}
	}
	if len(why) == 0 {
		return "its limit of running tasks is reached (-tc, max_aj_instances)"
	}
	return strings.Join(why, ", and ")
}

// notes say what else is to be known of a task.
func (sc *Scene) notes(a *actor) []string {
	var notes []string
	j := a.job.Job
	if j.Array && a.state == explain.Pending && (model.CountOf(j.Structure) > 1 || len(a.job.Waiting()) > 1) {
		notes = append(notes, "It is an array job: its next task decides its place; later tasks get fewer tickets.")
	}
	if a.state == explain.Running {
		notes = append(notes, "It runs: its priority no longer affects the order, but its tickets and "+
			"urgency still affect the priorities of waiting jobs.")
	}
	if w := sc.result.Pending; a.state == explain.Pending && len(w) > 1 && w[0].Prio == w[len(w)-1].Prio {
		notes = append(notes, "All waiting jobs have the same priority: the job that was submitted first comes first.")
	}
	if sc.cutOff(a) {
		notes = append(notes,
			fmt.Sprintf("It is beyond max_functional_jobs_to_schedule %d: it gets the functional "+
				"tickets of the first job beyond this limit.",
				sc.snapshot.Policy.MaxFunctionalJobs))
	}
	return notes
}

func (sc *Scene) cutOff(a *actor) bool {
	d := sc.derivation(a)
	return d != nil && d.Beyond && len(d.Functional) > 0
}

func utoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
