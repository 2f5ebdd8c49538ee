package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// drive makes one step.
func (s *Served) drive(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
	s.drove = true
	opts := s.DriveOptions(stop)
	if err := control.Stopped(control.StopFile(s.Deps, opts.StopFile)); err != nil {
		if _, err := s.release(ctx, stop); err != nil { // as drive itself does
			return nil, err
		}
		return nil, &cadence.SkippedError{Why: "the stop file exists, and all jobs that drive controlled are restored"}
	}
	if _, err := s.newest(ctx); err != nil { // release finds the cluster by it
		if _, _, err := s.captured(ctx, atOnce); err != nil {
			return nil, err
		}
	}
	var r drive.Report
	err := decoded(&r, func(w io.Writer) error {
		v, err := s.driver(opts)
		if err != nil {
			return err
		}
		v.Out = show.Out(w, "json")
		v.Again, err = v.Step(ctx)
		if s.once || err != nil && !drive.IsFallback(err) {
			s.leave()
		}
		return err
	})
	return []slog.Attr{slog.Int("owned", r.Owned), slog.Int("orders", len(r.Orders)), slog.Int("held", r.Held)}, err
}

// driver makes the steps. It keeps its connection between them, to hear of events and to feed the watchdog.
func (s *Served) driver(opts drive.Options) (_ *drive.Driver, err error) {
	if s.driving != nil {
		return s.driving, nil
	}
	own, err := drive.ParseOwn(opts.Own)
	if err != nil {
		return nil, err
	}
	v, err := drive.Open(s.Deps, opts, io.Discard)
	if err != nil {
		return nil, err
	}
	v.Own, s.driving = own, v
	v.Tell = s.logOnce("drive")
	return v, nil
}

// leave ends the connection of the driver. What it took stays taken.
func (s *Served) leave() {
	if s.driving != nil {
		s.driving.Close()
		s.driving = nil
	}
}

// sooner waits for an event that needs a step. The first step is due at once, as there may be something to go
// on with.
func (s *Served) sooner(ctx context.Context, until time.Time) bool {
	return !s.drove || s.driving != nil && (s.driving.Again || s.driving.Wait(ctx, until))
}

// release restores the values that a drive changed, if there are any.
func (s *Served) release(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
	s.leave()
	opts := s.DriveOptions(nil) // giving back is not stopped
	i, err := s.newest(ctx)
	if err != nil {
		return nil, nil // without a snapshot there is no drive
	}
	opts.Cluster = i.Cluster
	err = drive.With(s.Deps, opts, io.Discard, func(v *drive.Driver) error {
		v.Tell = s.logOnce("drive")
		return v.HandBack(ctx)
	})
	if errors.Is(err, model.ErrNoDrive) {
		err = nil
	}
	return nil, err
}

func (s *Served) DriveOptions(stop <-chan struct{}) drive.Options {
	o := drive.NewOptions()
	o.Given = s.Known
	o.Reach, o.Apply, o.Once, o.Sleep = s.Reach(), true, true, unlessStopped(stop)
	if t := s.Drive; t != nil {
		o.Own, o.Policy, o.Order, o.StopFile, o.LockDir = t.Own, t.Policy, t.Order, t.StopFile, t.LockDir
		o.Rules = t.Rules
		o.Silence = cmp.Or(t.Watchdog, 2*gapOf(t.Schedule, o.Now()))
		o.MaxChanges = cmp.Or(t.MaxChanges, o.MaxChanges)
	}
	if s.Capture != nil && s.Capture.Slow > 0 {
		o.Collect.Slow = s.Capture.Slow
	}
	return o
}

// gapOf is the time between two runs of a schedule, at least half a minute.
func gapOf(s cron.Schedule, now time.Time) time.Duration {
	next := s.Next(now)
	return max(s.Next(next).Sub(next), 30*time.Second)
}
