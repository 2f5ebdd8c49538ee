package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/gridengine"
)

// push pushes the wanted order. First it ends an open push.
func (s *Served) push(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
	opts := s.PushOptions(stop)
	if err := control.Stopped(control.StopFile(s.Deps, opts.StopFile)); err != nil {
		return nil, &cadence.SkippedError{Why: err.Error()}
	}
	if _, err := s.recoverPush(ctx, stop); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		figures, err := s.pushOnce(ctx, opts, n > 1)
		if _, old := errors.AsType[*exporter.StaleError](err); n == push.Captures || !old {
			return figures, err
		}
		s.log.Info("captured again", "task", "push", "why", err.Error())
	}
}

// pushOnce plans a push from the newest snapshot, or a new one, and sends it.
func (s *Served) pushOnce(ctx context.Context, opts push.Options, anew bool) ([]slog.Attr, error) {
	id, subject, err := s.fresh(ctx, anew)
	if err != nil {
		return nil, err
	}
	opts.Snapshot = id
	plan, err := push.NewPlan(ctx, subject, opts, io.Discard)
	if err != nil {
		return nil, err
	}
	if err := plan.Unsafe(subject); err != nil {
		return nil, err
	}
	var r *exporter.Report
	err = s.withServedPusher(ctx, opts, func(p *exporter.Pusher) (err error) {
		p.Limits.By = s.pushedBy(opts.Now())
		r, err = plan.Send(ctx, subject, p)
		return err
	})
	if err != nil {
		return []slog.Attr{slog.Int64("snapshot", id)}, err
	}
	figures := append([]slog.Attr{slog.Int64("snapshot", id), slog.Int("waiting", plan.Waiting)}, pushFigures(r)...)
	if n := r.Count(model.OrderRefused); n > 0 {
		return figures, fmt.Errorf("the master refused %d of %s", n, show.Plural(len(r.Push.Orders), "order"))
	}
	return figures, nil // agrees says if the order differs; jobs come and go, and the next push follows
}

// pushedBy is when a push stops waiting for the scheduler, as the next push is due soon. An await in the file
// counts instead.
func (s *Served) pushedBy(now time.Time) (by time.Time) {
	if s.Push == nil || s.Push.Await > 0 {
		return by
	}
	next := s.Push.Schedule.Next(now)
	return next.Add(-next.Sub(now) / 4)
}

// fresh returns a snapshot that is new enough to plan orders. If the newest is too old, or if anew is true,
// fresh captures one. It computes the age with the clock of this machine. If that clock was set back, fresh
// captures, too.
func (s *Served) fresh(ctx context.Context, anew bool) (int64, *subject.Subject, error) {
	if i, err := s.newest(ctx); err == nil && !anew && recent(i.ImportedAt, mostFresh) {
		subject, err := s.at(ctx, i.ID)
		if err != nil {
			return 0, nil, err
		}
		pushed, err := s.pushedSince(ctx, i)
		if err != nil || !pushed && recent(i.ImportedAt, subject.SchedulerInterval()/2) {
			return i.ID, subject, err
		}
	}
	figures, id, err := s.captured(ctx, atOnce)
	if err != nil {
		return 0, nil, fmt.Errorf("capture for the push: %w", err)
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "captured for a push", figures...)
	subject, err := s.at(ctx, id)
	return id, subject, err
}

func recent(at time.Time, within time.Duration) bool {
	age := time.Since(at)
	return age >= 0 && age < within
}

// mostFresh is the greatest age of a snapshot for planning orders. Half of the scheduler's interval is a limit,
// too. A push takes time, and it refuses a snapshot older than the interval.
const mostFresh = time.Minute

func pushFigures(r *exporter.Report) []slog.Attr {
	if len(r.Push.Orders) == 0 {
		return []slog.Attr{slog.Int("orders", 0)}
	}
	return []slog.Attr{slog.Int64("push", r.Push.ID), slog.Int("orders", len(r.Push.Orders)),
		slog.Bool("agrees", r.Agrees),
		slog.String("outcome", r.Push.Outcome)}
}

func (s *Served) PushOptions(stop <-chan struct{}) push.Options {
	opts := push.Options{Selection: subject.Selection{Cluster: s.Known}, Reach: s.Reach(), Apply: true, Now: time.Now,
		Sleep: unlessStopped(stop), Halts: stopping(stop)}
	opts.MaxChanges, opts.Await = exporter.Gentle.Changes, exporter.Gentle.Await
	opts.Priorities = fmt.Sprintf("%d..%d", gridengine.MinP, gridengine.MaxP)
	if t := s.Push; t != nil {
		opts.Margin = t.Margin
		opts.Policy, opts.Order, opts.Through, opts.StopFile, opts.LockDir = t.Policy, t.Order,
			t.Through, t.StopFile, t.LockDir
		opts.Priorities, opts.MaxChanges, opts.Await = cmp.Or(t.Priorities, opts.Priorities),
			cmp.Or(t.MaxChanges, opts.MaxChanges),
			cmp.Or(t.Await, opts.Await)
	}
	return opts
}

// errStopping ends a push between two executions, and its wait for the scheduler.
var errStopping = errors.New("qprism is stopping")

func unlessStopped(stop <-chan struct{}) func(context.Context, time.Duration) error {
	return func(ctx context.Context, d time.Duration) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-stop:
			return errStopping
		case <-timer.C:
			return nil
		}
	}
}

// stopping is an error after the daemon was asked to stop: a push ends after its present execution.
func stopping(stop <-chan struct{}) func() error {
	return func() error {
		select {
		case <-stop:
			return errStopping
		default:
			return nil
		}
	}
}

// withServedPusher runs a function with a pusher that writes to the log.
func (s *Served) withServedPusher(ctx context.Context, opts push.Options, do func(*exporter.Pusher) error) error {
	return push.WithPusher(ctx, s.Deps, opts, io.Discard, func(p *exporter.Pusher) error {
		p.Tell = s.logOnce("push")
		return do(p)
	})
}

// logOnce logs the messages of a task, but not the same line twice in a row. A waiting task repeats its
// message.
func (s *Served) logOnce(task string) func(text string) {
	last := ""
	return func(text string) {
		if text != last {
			s.log.Info(text, "task", task)
		}
		last = text
	}
}

// finishWithin is the most age of an unfinished push that is finished. An older one is taken back, since the
// queue has moved on.
const finishWithin = 15 * time.Minute

// recoverPush finishes a push of this cluster that is open, or takes it back.
func (s *Served) recoverPush(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
	left, err := s.openPush(ctx)
	if err != nil || left == nil {
		return nil, err
	}
	age := time.Since(left.Begun)
	resume := age <= finishWithin || left.Undoes != 0
	verb := map[bool]string{true: "is finished", false: "is too old to finish, so qprism takes it back"}[resume]
	s.log.Warn("a push was not finished: it "+verb, "task", "recover", "push", left.ID,
		"begun", left.Begun.Format(time.RFC3339), "by",
		left.By)
	var r *exporter.Report
	err = s.withServedPusher(ctx, s.PushOptions(stop), func(p *exporter.Pusher) (err error) {
		if p.System, err = push.SystemOf(ctx, p.Journal, left.ID); err != nil {
			return err
		}
		do := p.Undo
		if resume {
			do = p.Resume
		}
		r, err = do(ctx, left.ID)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("push %d, which was not finished: %w", left.ID, err)
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "the push is complete",
		append([]slog.Attr{slog.String("task", "recover")}, pushFigures(r)...)...)
	return pushFigures(r), nil
}

// openPush returns the last push of the cluster, if it is open.
func (s *Served) openPush(ctx context.Context) (*model.Push, error) {
	list, err := s.snapshots(ctx)
	if err != nil || len(list) == 0 {
		return nil, err // nothing was ever pushed here without a snapshot
	}
	push, err := s.lastPush(ctx, list[len(list)-1].Cluster)
	if err != nil || push == nil || !push.Open() {
		return nil, err
	}
	return push, nil
}

// pushedSince reports whether a push ended after a snapshot: then jobs have other values than it shows.
func (s *Served) pushedSince(ctx context.Context, i sqlite.Info) (bool, error) {
	push, err := s.lastPush(ctx, i.Cluster)
	return push != nil && push.Ended.After(i.ImportedAt), err
}

func (s *Served) lastPush(ctx context.Context, cluster string) (*model.Push, error) {
	store, err := subject.MakeStore(s.Deps)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	push, err := store.LastPush(ctx, cluster)
	if errors.Is(err, model.ErrNoPush) {
		return nil, nil
	}
	return push, err
}
