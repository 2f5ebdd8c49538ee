package act

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// drive makes one step: what an earlier one left is settled, jobs are held, and those start that were decided.
func (s *served) drive(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
	s.drove = true
	opts := s.driveOptions(stop)
	if err := stopFile(stopFileOf(s.Deps, opts.stopFile)); err != nil {
		if _, err := s.release(ctx, stop); err != nil { // as drive itself does
			return nil, err
		}
		return nil, &cadence.SkippedError{Why: "the stop file exists, and what was driven is given back"}
	}
	if _, err := s.newest(ctx); err != nil { // release finds the cluster by it
		if _, _, err := s.captured(ctx); err != nil {
			return nil, err
		}
	}
	var r driveReport
	err := decoded(&r, func(w io.Writer) error {
		v, err := s.driver(opts)
		if err != nil {
			return err
		}
		v.out = show.Out(w, "json")
		v.again, err = v.step(ctx)
		if s.once || err != nil && !isDecision(err) {
			s.leave()
		}
		return err
	})
	return []slog.Attr{slog.Int("owned", r.Owned), slog.Int("orders", len(r.Orders)), slog.Int("held", r.Held)}, err
}

// driver is the one that makes steps. Its connection is kept between them: by it the driver hears what happens, and the watchdog of it.
func (s *served) driver(opts driveOptions) (_ *driver, err error) {
	if s.driving != nil {
		return s.driving, nil
	}
	own, err := parseOwn(opts.own)
	if err != nil {
		return nil, err
	}
	v, err := openDriver(s.Deps, opts, io.Discard)
	if err != nil {
		return nil, err
	}
	v.own, s.driving = own, v
	s.tellOnce(v)
	return v, nil
}

// leave ends the connection of the driver; what it took it still has.
func (s *served) leave() {
	if s.driving != nil {
		s.driving.close()
		s.driving = nil
	}
}

// sooner waits until something happens that a step of the drive is about. The first step is due at once: there may be something to go on
// with.
func (s *served) sooner(ctx context.Context, until time.Time) bool {
	return !s.drove || s.driving != nil && (s.driving.again || s.driving.rest(ctx, until))
}

// release gives back what was driven. Nothing driven is none to give back.
func (s *served) release(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	s.leave()
	opts := s.driveOptions(nil) // giving back is not stopped
	i, err := s.newest(ctx)
	if err != nil {
		return nil, nil // nothing is driven here before there is a snapshot
	}
	opts.Cluster = i.Cluster
	err = s.withServedDriver(opts, func(v *driver) error { return v.handBack(ctx) })
	if errors.Is(err, model.ErrNoDrive) {
		err = nil
	}
	return nil, err
}

// driveOptions are the options of drive that the configuration gives.
func (s *served) driveOptions(stop <-chan struct{}) driveOptions {
	o := newDriveOptions()
	o.given = s.Known
	o.Reach, o.apply, o.once, o.sleep = s.reach(), true, true, unlessStopped(stop)
	if t := s.Drive; t != nil {
		o.own, o.policy, o.order, o.stopFile, o.lockDir = t.Own, t.Policy, t.Order, t.StopFile, t.LockDir
		o.rules = t.Rules
		o.silence = cmp.Or(t.Watchdog, 2*gapOf(t.Schedule, o.now()))
		o.maxChanges = cmp.Or(t.MaxChanges, o.maxChanges)
	}
	if s.Capture != nil && s.Capture.Slow > 0 {
		o.collect.Slow = s.Capture.Slow
	}
	return o
}

// gapOf is how far apart the next two runs of a schedule are; the watchdog bears at least a minute.
func gapOf(s cron.Schedule, now time.Time) time.Duration {
	next := s.Next(now)
	return max(s.Next(next).Sub(next), 30*time.Second)
}

// withServedDriver is withDriver for tasks: what it tells goes into the log.
func (s *served) withServedDriver(opts driveOptions, do func(*driver) error) error {
	return withDriver(s.Deps, opts, io.Discard, func(v *driver) error {
		s.tellOnce(v)
		return do(v)
	})
}

// tellOnce puts what a driver tells into the log, but not twice in a row.
func (s *served) tellOnce(v *driver) {
	last := ""
	v.Tell = func(text string) {
		if text != last {
			s.log.Info(text, "task", "drive")
		}
		last = text
	}
}
