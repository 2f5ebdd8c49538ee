package act

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/dispatch"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/whatif"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/gridengine"
)

// step makes one step before its deadline. It reports whether another one should follow at once: jobs are left that only need another
// request, or did not fit into this one.
func (v *driver) step(ctx context.Context) (again bool, err error) {
	limited, cancel := context.WithTimeout(ctx, v.opts.stepDeadline)
	defer cancel()
	again, err = v.makeStep(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the %v of --step-deadline are over: %w", v.opts.stepDeadline, err)
	}
	return again, err
}

func (v *driver) makeStep(ctx context.Context) (again bool, err error) {
	if err := v.stopped(); err != nil {
		return false, err
	}
	v.Stop = v.stopped
	defer func() { v.Stop = nil }() // giving back is not stopped
	s, err := v.captureFresh(ctx)
	if err != nil {
		return false, err
	}
	return subject.Choose(s.Snapshot, v.stepGridEngine, v.stepPBS)(ctx, s)
}

// stepGridEngine makes a step of a Grid Engine: requests and holds of jobs say where they start.
func (v *driver) stepGridEngine(ctx context.Context, s *subject.Subject) (again bool, err error) {
	if err := exporter.Unsafe(s.Snapshot, "h", "l"); err != nil {
		return false, err
	}
	session, err := v.Open(ctx, model.Drive{Cluster: s.Cluster, Identity: s.Identity, System: model.GridEngine, Owns: v.own.words})
	if err != nil {
		return false, err
	}
	defer session.Close()
	if err := permitted(gridengine.Priorities{}.Rights(ctx, v.Runner, nil)); err != nil {
		return false, err
	}
	again, err = v.dispatch(ctx, s, &gridengine.Dispatcher{Session: session})
	if isDecision(err) {
		return again, err
	}
	return again, interrupted(err)
}

// interrupted says what to do after a step that came to no end.
func interrupted(err error) error {
	var refusal *exporter.RefusalError
	if err == nil || errors.As(err, &refusal) {
		return err
	}
	return fmt.Errorf("%w; the next step goes on from here, \"qprism drive --release --apply\" gives everything back", err)
}

// permitted is a refusal where rights are missing.
func permitted(missing string, err error) error {
	if err == nil && missing != "" {
		err = &exporter.RefusalError{Why: missing}
	}
	return err
}

// captureFresh captures the cluster. Where that took so long that orders must not be sent by it, it is repeated: the second time most of
// the configuration is known.
func (v *driver) captureFresh(ctx context.Context) (s *subject.Subject, err error) {
	for range captures {
		if s, err = v.capture(ctx); err != nil {
			return nil, err
		}
		var old *exporter.StaleError
		if err = exporter.Fresh(ctx, v.Runner, s.Snapshot); !errors.As(err, &old) {
			break
		}
		v.Say("%v", err)
	}
	return s, err
}

// captures is how often a command captures a cluster itself until what it captured is fresh enough to send orders by.
const captures = 3

// capture makes a routine capture and reads it.
func (v *driver) capture(ctx context.Context) (*subject.Subject, error) {
	o := subject.CaptureOptions{Reach: v.opts.Reach, Collect: v.opts.collect}
	folder, err := os.MkdirTemp("", "qprism-drive-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	site, err := v.runner.who(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := o.BundleOf(ctx, v.deps, v.runner.Reached, site, folder); err != nil {
		v.runner.close()
		return nil, err
	}
	s, err := subject.Of(ctx, v.deps, &v.opts.Selection, []string{folder})
	if err != nil {
		return nil, err
	}
	s.Identity.Given, s.Identity.Via = site.Given, site.Via
	s.Cluster, err = v.Journal.(*sqlite.Store).NameOf(ctx, s.Cluster, s.Identity)
	return s, err
}

// dispatch settles what is open, holds new jobs, decides, and starts what was decided.
func (v *driver) dispatch(ctx context.Context, s *subject.Subject, d *gridengine.Dispatcher) (again bool, err error) {
	if err := d.Settle(ctx); err != nil {
		return false, err
	}
	more, err := v.adopt(ctx, s, d)
	if err != nil {
		return false, err
	}
	look, err := d.Look(ctx)
	if err != nil {
		return false, err
	}
	var failed error
	plan, err := dispatching(ctx, s, v.opts, d.Owned(look), v.failSafe(d.Drive.Cluster, &failed))
	if err != nil {
		return false, err
	}
	orders, err := d.Start(ctx, starts(s, plan))
	if err != nil {
		return false, err
	}
	started := 0
	for _, o := range orders {
		if o.State == model.OrderConfirmed {
			started++
		}
	}
	return more || started > 0 && len(plan.Left)+len(plan.Ahead) > 0, errors.Join(printStarts(v.out, s, orders, plan), failed)
}

// adopt lays the hold on jobs that are to be driven and are not yet, those submitted first before others. It reports whether more are left.
func (v *driver) adopt(ctx context.Context, s *subject.Subject, d *gridengine.Dispatcher) (more bool, err error) {
	look, err := d.Look(ctx)
	if err != nil {
		return false, err
	}
	fresh := map[uint32]model.TaskSet{}
	for number, tasks := range v.own.waiting(s.Snapshot) {
		if list := d.Adoptable(look, number, tasks); len(list) > 0 {
			fresh[number] = list
		}
	}
	if later := len(fresh) - v.Limits.Changes; later > 0 {
		for _, number := range slices.Sorted(maps.Keys(fresh))[v.Limits.Changes:] {
			delete(fresh, number)
		}
		d.Say("%s held at a later step: at one no more than %d (--max-changes)", jobsAre(later), v.Limits.Changes)
		more = true
	}
	return more, d.Adopt(ctx, fresh, arrays(s), exporter.WhoseJobs(s.Snapshot))
}

// arrays reports which jobs are arrays.
func arrays(s *subject.Subject) func(uint32) bool {
	list := map[uint32]bool{}
	for i := range s.Jobs {
		list[s.Jobs[i].Number] = s.Jobs[i].Array
	}
	return func(number uint32) bool { return list[number] }
}

// dispatching decides what starts where in the next run. The scheduler's clock is the snapshot's.
func dispatching(ctx context.Context, s *subject.Subject, opts driveOptions, owned map[uint32]model.TaskSet, ask asks) (*dispatch.Result,
	error) {
	at := s.TakenAt.Truncate(time.Second).Add(time.Second)
	lifted := subject.NewSubject(dispatch.Lift(s.Snapshot, owned), s.Rules, s.Look)
	wanted := nativeRun(lifted, at)
	order, err := ask(ctx, lifted, opts, at)
	if err != nil {
		return nil, err
	}
	if order != nil {
		wanted = func(now *model.Snapshot) *model.Plan { return runInOrder(s, now, order, at) }
	}
	return dispatch.Decide(dispatch.Input{Snapshot: s.Snapshot, Owned: owned, Most: opts.maxChanges, Ahead: opts.ahead, Wanted: wanted,
		Native:  nativeRun(s, at),
		InOrder: func(now *model.Snapshot, order []uint32) *model.Plan { return runInOrder(s, now, order, at) }})
}

// runInOrder plans a run that takes some jobs first, in their order.
func runInOrder(s *subject.Subject, now *model.Snapshot, order []uint32, at time.Time) *model.Plan {
	return (&whatif.Case{Snapshot: now, Quirks: s.Look.Quirks, Variant: whatif.Given(order)}).Plan(at)
}

// nativeRun plans runs at a moment as the scheduler makes them.
func nativeRun(s *subject.Subject, at time.Time) func(*model.Snapshot) *model.Plan {
	sequence := sequence(s)
	return func(now *model.Snapshot) *model.Plan {
		return schedule.Run(split.Unburied(now, at), schedule.Options{At: at, Quirks: s.Look.Quirks, Sequence: sequence})
	}
}

// starts are orders for what was decided.
func starts(s *subject.Subject, r *dispatch.Result) []gridengine.Start {
	jobs := map[uint32]*model.Job{}
	for i := range s.Jobs {
		jobs[s.Jobs[i].Number] = &s.Jobs[i]
	}
	decided := slices.Concat(r.Starts, r.Ahead)
	list := make([]gridengine.Start, len(decided))
	for i, st := range decided {
		j := jobs[st.Job]
		list[i] = gridengine.Start{Job: strconv.FormatUint(uint64(st.Job), 10), Tasks: st.Tasks, Array: st.Array,
			Places: dispatch.Places(st.Slots),
			Hosts:  st.Hosts, Queues: st.Queues, First: st.First, Ahead: i >= len(r.Starts), Hard: requestTexts(j.Hard), Soft: requestTexts(j.Soft)}
	}
	return list
}

func requestTexts(list []model.Request) []string {
	texts := make([]string, len(list))
	for i, r := range list {
		texts[i] = r.Resource + "=" + r.Value
	}
	return texts
}

// giveBack gives back what a drive took.
func (v *driver) giveBack(ctx context.Context, s *drive.Session) error {
	if s.Drive.System != model.GridEngine {
		return v.giveBackPBS(ctx, s)
	}
	return (&gridengine.Dispatcher{Session: s}).Release(ctx)
}

// showStep shows what a step would do.
func showStep(ctx context.Context, d *cli.Deps, opts driveOptions, own own, args []string, out show.Output, warn io.Writer) error {
	return withDriver(d, opts, warn, func(v *driver) error {
		s, err := v.subject(ctx, args)
		if err != nil {
			return err
		}
		return subject.Choose(s.Snapshot, v.showGridEngine, v.showPBS)(ctx, s, own, out)
	})
}

// showGridEngine shows which jobs a step would take, and where each would start.
func (v *driver) showGridEngine(ctx context.Context, s *subject.Subject, own own, out show.Output) error {
	if err := s.Batch.Guesses(); err != nil {
		return err
	}
	held, err := v.heldBefore(ctx, s.Cluster)
	if err != nil {
		return err
	}
	owned, fresh := map[uint32]model.TaskSet{}, 0
	for number, tasks := range own.waiting(s.Snapshot) {
		free := unheld(s, number, tasks)
		if all := free.With(tasks.And(held[number])); len(all) > 0 {
			owned[number] = all
		}
		if len(free) > 0 {
			fresh++
		}
	}
	plan, err := dispatching(ctx, s, v.opts, owned, v.strictly)
	if err != nil {
		return err
	}
	return printDrive(out, s, plan, fresh, len(owned), exporter.Unsafe(s.Snapshot, "h", "l"))
}

// subject is the bundle of the command line, or the cluster as it is now.
func (v *driver) subject(ctx context.Context, args []string) (*subject.Subject, error) {
	if len(args) > 0 || v.opts.Snapshot != 0 || v.opts.Cluster != "" {
		return subject.Of(ctx, v.deps, &v.opts.Selection, args)
	}
	return v.capture(ctx)
}

// heldBefore are the tasks that a drive holds already.
func (v *driver) heldBefore(ctx context.Context, cluster string) (map[uint32]model.TaskSet, error) {
	open, err := v.Journal.OpenDrives(ctx, cluster)
	held := map[uint32]model.TaskSet{}
	for _, o := range open {
		for _, c := range o.Claims {
			number, err := strconv.ParseUint(c.Job, 10, 32)
			if tasks, bad := model.ParseTasks(c.Becomes); err == nil && bad == nil && c.Attribute == "hold" {
				held[uint32(number)] = tasks
			}
		}
	}
	return held, err
}

// unheld are those of some tasks of a job that wait without a hold.
func unheld(s *subject.Subject, number uint32, tasks model.TaskSet) model.TaskSet {
	free := model.TaskSet{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Number == number {
			for _, t := range j.Tasks {
				if t.State == "qw" || t.State == "Rq" {
					free = free.With(model.TasksOf(t.IDs))
				}
			}
		}
	}
	return free.And(tasks)
}
