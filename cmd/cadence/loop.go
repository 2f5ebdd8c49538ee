package cadence

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"time"
)

// A loop runs the tasks of one group, one at a time.
type loop struct {
	*Daemon
	group    *Group
	ctx      context.Context // ends when the daemon stops
	patience context.Context // ends when it gives up waiting
	log      *slog.Logger
	due      []time.Time // of each task, zero for never again
	jittered time.Time   // the instant that jitter was drawn for
	jitter   time.Duration
}

func newLoop(d *Daemon, g *Group, ctx, patience context.Context) *loop {
	l := &loop{Daemon: d, group: g, ctx: ctx, patience: patience, log: d.Log.With("cluster", g.Name)}
	now := d.now()
	for i := range g.Tasks {
		at := now
		switch t := &g.Tasks[i]; {
		case t.AtEnd:
			at = time.Time{}
		case t.Schedule != nil:
			at = t.Schedule.Next(now)
		}
		l.due = append(l.due, at)
		d.status.due(g.Name, g.Tasks[i].Name, l.due[i])
	}
	return l
}

func (l *loop) run() {
	for l.ctx.Err() == nil {
		l.follow()
		i, ok := l.next()
		rest := mostRest
		if ok {
			rest = min(rest, l.due[i].Add(l.jitterOf(i)).Sub(l.now()))
		}
		if rest > 0 {
			l.rest(rest)
			continue
		}
		_ = l.perform(i)
		l.reschedule(i)
	}
	l.finish()
}

// mostRest limits the sleep of a loop, because somebody may set the clock, or the machine may sleep.
const mostRest = time.Minute

// follow adapts to a clock that was set back: no task waits longer than its cron line says from now.
func (l *loop) follow() {
	now := l.now()
	for i, at := range l.due {
		t := &l.group.Tasks[i]
		if at.IsZero() || t.Schedule == nil {
			continue
		}
		if next := t.Schedule.Next(now); next.Round(0).Before(at.Round(0)) { // by the clock that people see
			l.log.Warn("the clock was set back, so the task is due earlier", "task", t.Name, "was", at, "is", next)
			l.due[i] = next
			l.status.due(l.group.Name, t.Name, next)
		}
	}
}

// finish runs the tasks at the end.
func (l *loop) finish() {
	for i := range l.group.Tasks {
		if l.group.Tasks[i].AtEnd {
			_ = l.perform(i)
		}
	}
}

// next is the task that is due first.
func (l *loop) next() (first int, ok bool) {
	for i, at := range l.due {
		if !at.IsZero() && (!ok || at.Before(l.due[first])) {
			first, ok = i, true
		}
	}
	return first, ok
}

// jitterOf is drawn once for each instant, so that tasks which are due together keep their order.
func (l *loop) jitterOf(i int) time.Duration {
	if l.group.Tasks[i].Schedule == nil {
		return 0
	}
	if at := l.due[i]; !at.Equal(l.jittered) {
		l.jittered, l.jitter = at, rand.N(l.group.Jitter+1)
	}
	return l.jitter
}

// rest sleeps until a task is due, or an event makes one due.
func (l *loop) rest(d time.Duration) {
	until := time.Now().Add(d)
	for i := range l.group.Tasks {
		if sooner := l.group.Tasks[i].Sooner; sooner != nil && l.waitRecovering(sooner, until) {
			l.due[i] = l.now()
			l.jittered, l.jitter = l.due[i], 0
			return
		}
	}
	l.sleep(time.Until(until))
}

// waitRecovering waits for such an event. After a panic the task is due, so that the panic shows there.
func (l *loop) waitRecovering(sooner func(context.Context, time.Time) bool, until time.Time) (happened bool) {
	_, err := runRecovering(func() ([]slog.Attr, error) {
		happened = sooner(l.ctx, until)
		return nil, nil
	})
	return happened && err == nil && l.ctx.Err() == nil
}

func (l *loop) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-l.ctx.Done():
	case <-timer.C:
	}
}

// reschedule finds when a task is due again. Runs that it missed are left out.
func (l *loop) reschedule(i int) {
	t, missed := &l.group.Tasks[i], 0
	at, now := time.Time{}, l.now()
	if t.Schedule != nil {
		at = t.Schedule.Next(l.due[i])
	}
	for ; !at.IsZero() && !at.After(now); at = t.Schedule.Next(at) {
		if missed++; missed == manyMissed { // the machine slept, or its clock was set
			at = now
		}
	}
	if missed > 0 {
		l.log.Warn("runs skipped: other tasks used the cluster, or this task took too long",
			"task", t.Name, "missed", missed)
	}
	l.due[i] = at
	l.status.due(l.group.Name, t.Name, at)
}

// manyMissed is how many missed runs are counted.
const manyMissed = 1000

// perform runs a task within its deadline, and reports the outcome.
func (l *loop) perform(i int) error {
	t := &l.group.Tasks[i]
	base := l.ctx
	if t.Careful || t.AtEnd {
		base = l.patience
	}
	ctx, cancel := context.WithTimeout(base, t.Deadline)
	defer cancel()
	log := l.log.With("task", t.Name)
	hangs := time.AfterFunc(t.Deadline+grace, func() {
		log.Error("still runs after its deadline", "deadline", t.Deadline.String())
	})
	defer hangs.Stop()

	began := time.Now()
	l.status.begin(l.group.Name, t.Name, began)
	log.Debug("begins")
	figures, err := runRecovering(func() ([]slog.Attr, error) { return t.Do(ctx, l.ctx.Done()) })
	o := l.outcome(ctx, t, err)
	l.status.end(l.group.Name, t.Name, time.Now(), o, err)
	report(log, t, o, time.Since(began), figures, err)
	return err
}

// runRecovering makes a panic the error of one run, so that other groups go on.
func runRecovering(do func() ([]slog.Attr, error)) (figures []slog.Attr, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// An Outcome is how a run ended.
type Outcome string

const (
	OK      Outcome = "ok"
	Failed  Outcome = "failed"
	Late    Outcome = "deadline" // reached its time limit
	Skipped Outcome = "skipped"
	Stopped Outcome = "stopped" // stopped with the daemon
)

func (l *loop) outcome(ctx context.Context, t *Task, err error) Outcome {
	var skipped *SkippedError
	switch {
	case err == nil:
		return OK
	case errors.As(err, &skipped):
		return Skipped
	case l.ctx.Err() != nil && !t.AtEnd:
		return Stopped
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Late
	}
	return Failed
}

func report(log *slog.Logger, t *Task, o Outcome, took time.Duration, figures []slog.Attr, err error) {
	attrs := append([]slog.Attr{slog.String("took", took.Round(time.Millisecond).String())}, figures...)
	level := slog.LevelInfo
	switch o {
	case Failed, Late:
		level = slog.LevelError
	case Skipped, Stopped:
		level = slog.LevelWarn
	}
	if o == Late {
		attrs = append(attrs, slog.String("deadline", t.Deadline.String()))
	}
	if err != nil {
		attrs = append(attrs, slog.String("why", err.Error()))
	}
	log.LogAttrs(context.Background(), level, map[Outcome]string{OK: "done", Failed: "failed",
		Late: "not finished in time", Skipped: "skipped", Stopped: "stopped"}[o], attrs...)
}
