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

// A Task is done again and again, when its schedule says.
type Task struct {
	Name     string
	Line     string        // the cron line, for people
	Schedule cron.Schedule // nil for a task that is done once, at the start or at the end
	AtEnd    bool          // it is done once, when the daemon is told to stop
	Deadline time.Duration // how long one run may take: then its context ends

	// Careful says that the task comes to an end by itself when stop is closed: its context lasts until the daemon gives up. The context
	// of other tasks ends when the daemon is told to stop.
	Careful bool

	// Sooner waits, nil for not at all, until something happens after which the task is due at once, which it reports, or until a moment.
	// It may return before: where nothing can be seen.
	Sooner func(ctx context.Context, until time.Time) bool

	// Do does it once. The figures are for the log. The error may be a *SkippedError.
	Do func(ctx context.Context, stop <-chan struct{}) (figures []slog.Attr, err error)
}

// A SkippedError says why a run was left out, which is no failure.
type SkippedError struct{ Why string }

func (e *SkippedError) Error() string { return e.Why }

// A Group is tasks that are never done at the same time. Of those that are due at the same instant the first comes first.
type Group struct {
	Name   string
	Jitter time.Duration // up to so long after the instant at which they are due the tasks begin, each time another while
	Tasks  []Task
}

// A Daemon does the tasks of groups.
type Daemon struct {
	Groups     []Group
	StopWithin time.Duration // how long what runs may go on when the daemon is told to stop
	Log        *slog.Logger

	status *board
	now    func() time.Time // the machine's clock, which may be set
}

// New makes a daemon. What is known of tasks of the same names in an earlier daemon, nil for none, goes on.
func New(groups []Group, stopWithin time.Duration, log *slog.Logger, earlier *Daemon) *Daemon {
	d := &Daemon{Groups: groups, StopWithin: stopWithin, Log: log, now: time.Now}
	var known *board
	if earlier != nil {
		known = earlier.status
	}
	d.status = newBoard(groups, time.Now(), known)
	return d
}

// Run does the tasks until the context ends. Then it waits for what runs, for StopWithin at most, and returns an error that names
// what did not come to an end.
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
	d.Log.Warn("time to stop is over", "within", d.StopWithin.String(), "still running", d.status.running())
	giveUp()
	if d.ended(done, grace) {
		return nil
	}
	return fmt.Errorf("stopped while %s did not come to an end", strings.Join(d.status.running(), ", "))
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

// Once does one task now, as Run would.
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
