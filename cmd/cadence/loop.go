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

// A loop does the tasks of one group, one at a time.
type loop struct {
	*Daemon
	group    *Group
	ctx      context.Context // ends when the daemon is told to stop
	patience context.Context // ends when it gives up waiting
	log      *slog.Logger
	due      []time.Time // of each task, zero for never again
	jittered time.Time   // the instant that jitter was drawn for
	jitter   time.Duration
}

func newLoop(d *Daemon, g *Group, ctx, patience context.Context) *loop {
	l := &loop{Daemon: d, group: g, ctx: ctx, patience: patience, log: d.Log.With("cluster", g.Name)}
	now := time.Now()
	for i := range g.Tasks {
		l.due = append(l.due, now)
		if s := g.Tasks[i].Schedule; s != nil {
			l.due[i] = s.Next(now)
		}
		d.status.due(g.Name, g.Tasks[i].Name, l.due[i])
	}
	return l
}

// run does the tasks as they come due.
func (l *loop) run() {
	for {
		i, ok := l.next()
		if !ok || !l.wait(l.due[i].Add(l.jitterOf(i))) {
			return
		}
		_ = l.perform(i, l.missed(i))
		l.reschedule(i)
	}
}

// next is the task that is due first, of several the first of the group.
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

// wait sleeps until a moment; false says that the daemon was told to stop.
func (l *loop) wait(until time.Time) bool {
	for {
		// The clock of a machine may be set, or stand still while it sleeps: look at it again from time to time.
		rest := min(time.Until(until), time.Minute)
		if rest <= 0 {
			return l.ctx.Err() == nil
		}
		timer := time.NewTimer(rest)
		select {
		case <-l.ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
		}
	}
}

// missed is how often a task was due while the group was busy, besides the run that is about to begin. More than manyMissed are not counted.
func (l *loop) missed(i int) (n int) {
	s := l.group.Tasks[i].Schedule
	if s == nil {
		return 0
	}
	const manyMissed = 1000
	for at := s.Next(l.due[i]); !at.IsZero() && !at.After(time.Now()) && n < manyMissed; at = s.Next(at) {
		n++
	}
	return n
}

// reschedule finds when a task is due again: what it missed meanwhile is over.
func (l *loop) reschedule(i int) {
	l.due[i] = time.Time{}
	if s := l.group.Tasks[i].Schedule; s != nil {
		l.due[i] = s.Next(time.Now())
	}
	l.status.due(l.group.Name, l.group.Tasks[i].Name, l.due[i])
}

// perform does a task once, within its deadline, and tells what came of it.
func (l *loop) perform(i, missed int) error {
	t := &l.group.Tasks[i]
	base := l.ctx
	if t.Careful {
		base = l.patience
	}
	ctx, cancel := context.WithTimeout(base, t.Deadline)
	defer cancel()
	log := l.log.With("task", t.Name)
	if missed > 0 {
		log.Warn("runs left out: the one before took too long", "missed", missed)
	}
	hangs := time.AfterFunc(t.Deadline+grace, func() { log.Error("does not end, though its time is over", "deadline", t.Deadline.String()) })
	defer hangs.Stop()

	began := time.Now()
	l.status.begin(l.group.Name, t.Name, began)
	log.Debug("begins")
	figures, err := shielded(func() ([]slog.Attr, error) { return t.Do(ctx, l.ctx.Done()) })
	o := l.outcome(ctx, err)
	l.status.end(l.group.Name, t.Name, time.Now(), o, err)
	report(log, t, o, time.Since(began), figures, err)
	return err
}

// shielded does something; a panic is an error of that one run, and no other group is the worse for it.
func shielded(do func() ([]slog.Attr, error)) (figures []slog.Attr, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// An Outcome is how a run ended.
type Outcome string

// Outcomes.
const (
	OK      Outcome = "ok"
	Failed  Outcome = "failed"
	Late    Outcome = "deadline" // it was not done in its time
	Skipped Outcome = "skipped"
	Stopped Outcome = "stopped" // the daemon was told to stop
)

func (l *loop) outcome(ctx context.Context, err error) Outcome {
	var skipped *SkippedError
	switch {
	case err == nil:
		return OK
	case errors.As(err, &skipped):
		return Skipped
	case l.ctx.Err() != nil:
		return Stopped
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Late
	}
	return Failed
}

// report logs how a run ended.
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
	log.LogAttrs(context.Background(), level, map[Outcome]string{OK: "done", Failed: "failed", Late: "not done in time", Skipped: "skipped", Stopped: "stopped"}[o], attrs...)
}
