package cadence

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/robfig/cron/v3"
)

// A Task is work that the daemon repeats by a schedule.
type Task struct {
	Name     string
	Line     string        // the cron line, for people
	Schedule cron.Schedule // nil for a task that runs once, when the daemon starts or stops
	AtEnd    bool          // run the task once, when the daemon stops
	Deadline time.Duration // time limit of one run; at its end the context ends

	// Careful means that the task ends by itself after stop is closed. Its context ends only when the daemon
	// gives up. The context of other tasks ends when the daemon stops.
	Careful bool

	// Sooner waits until a moment, or until an event. It returns true if an event makes the task due. It may
	// return early. It may be nil.
	Sooner func(ctx context.Context, until time.Time) bool

	// Do runs the task once. figures are for the log. The error may be a *SkippedError.
	Do func(ctx context.Context, stop <-chan struct{}) (figures []slog.Attr, err error)
}

// A SkippedError says why a run was skipped. This is no failure.
type SkippedError struct{ Why string }

func (e *SkippedError) Error() string { return e.Why }

// A Group has tasks that never run at the same time. If several are due, the first in the list runs first.
type Group struct {
	Name   string
	Jitter time.Duration // tasks begin up to this long after they are due, at a random time
	Tasks  []Task
}

// A Daemon runs the tasks of groups.
type Daemon struct {
	Groups     []Group
	StopWithin time.Duration // how long running tasks get to end when the daemon stops
	Log        *slog.Logger

	status *taskStates
	now    func() time.Time // the machine's clock, which may be set
}

// New makes a daemon. If there is an earlier daemon, tasks with the same names keep their state.
func New(groups []Group, stopWithin time.Duration, log *slog.Logger, earlier *Daemon) *Daemon {
	d := &Daemon{Groups: groups, StopWithin: stopWithin, Log: log, now: time.Now}
	var known *taskStates
	if earlier != nil {
		known = earlier.status
	}
	d.status = newBoard(groups, time.Now(), known)
	return d
}

// Run runs tasks until the context ends. Then it waits for running tasks, at most StopWithin. The error names
// tasks that did not end in this time.
func (d *Daemon) Run(ctx context.Context) error {
	patience, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	var running sync.WaitGroup
	for i := range d.Groups {
		l := newLoop(d, &d.Groups[i], ctx, patience)
		running.Go(l.run)
	}
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	<-ctx.Done()
	if d.ended(done, d.StopWithin) {
		return nil
	}
	d.Log.Warn("the time to stop is over", "within", d.StopWithin.String(), "still running", d.status.running())
	giveUp()
	if d.ended(done, grace) {
		return nil
	}
	return fmt.Errorf("stopped before %s had ended", strings.Join(d.status.running(), ", "))
}

// grace is how long a task may take to end when its context has.
const grace = 5 * time.Second

func (d *Daemon) ended(done <-chan struct{}, within time.Duration) bool {
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-done:
		return true
	case <-late.C:
		return false
	}
}

// Once runs one task now.
func Once(ctx context.Context, g *Group, name string, log *slog.Logger, stopWithin time.Duration) error {
	own := *g
	own.Tasks = nil
	for _, t := range g.Tasks {
		if t.Name == name {
			own.Tasks = append(own.Tasks, t)
		}
	}
	if len(own.Tasks) == 0 {
		return fmt.Errorf("%s has no task %s", g.Name, name)
	}
	patience, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(stopWithin, giveUp) })
	defer stop()
	d := New([]Group{own}, stopWithin, log, nil)
	return newLoop(d, &d.Groups[0], ctx, patience).perform(0)
}
