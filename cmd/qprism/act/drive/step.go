package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/gridengine"
	"qprism/exporter/pbs"
)

// Step makes one step before its deadline. again means that the next step should follow at once, because some
// jobs did not fit into this step.
func (v *Driver) Step(ctx context.Context) (again bool, err error) {
	limited, cancel := context.WithTimeout(ctx, v.opts.StepDeadline)
	defer cancel()
	again, err = v.makeStep(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the step took longer than --step-deadline %v: %w", v.opts.StepDeadline, err)
	}
	return again, err
}

func (v *Driver) makeStep(ctx context.Context) (again bool, err error) {
	if err := v.stopped(); err != nil {
		return false, err
	}
	v.Stop, v.began, v.follows = v.stopped, v.opts.Now(), false
	defer func() { v.Stop = nil }()                             // giving back is not stopped
	if v.system != "" && v.opts.Now().Sub(v.looked) > justNow { // later events cause another step
		_ = v.look(ctx) // a lost connection is opened again below
	}
	s, err := v.captureFresh(ctx)
	if err != nil {
		return false, err
	}
	v.system = s.System
	return subject.Choose(s.Snapshot, v.stepGridEngine, v.stepPBS)(ctx, s)
}

// stepGridEngine makes a step on Grid Engine. It sets the wanted values of waiting jobs, and asks the scheduler
// for a run.
func (v *Driver) stepGridEngine(ctx context.Context, s *subject.Subject) (again bool, err error) {
	if err := exporter.Unsafe(s.Snapshot, v.opts.Alters()...); err != nil {
		return false, err
	}
	session, err := v.Open(ctx, model.Drive{Cluster: s.Cluster, Identity: s.Identity, System: model.GridEngine,
		Owns: v.Own.words})
	if err != nil {
		return false, err
	}
	defer session.Close()
	if err := v.permitted(ctx, gridengine.Priorities{}); err != nil {
		return false, err
	}
	again, err = v.steer(ctx, s, &gridengine.Dispatcher{Session: session, Captured: v.captured})
	if IsFallback(err) {
		return again, err
	}
	return again, interrupted(err)
}

// RulesMay reports whether a file or a program can set rules.
func (o *Options) RulesMay() bool {
	return o.Rules != "" || strings.HasPrefix(o.Policy, "external ")
}

// Alters lists the qalter options that a step may need, as in jsv_allowed_mod.
func (o *Options) Alters() []string {
	if !o.RulesMay() {
		return []string{"p"}
	}
	return []string{"p", "h", "l_hard", "l_soft", "R", "ac"}
}

// interrupted adds to the error of a step how to go on.
func interrupted(err error) error {
	if _, refused := errors.AsType[*exporter.RefusalError](err); err == nil || refused {
		return err
	}
	return fmt.Errorf("%w; the next step makes the remaining changes, \"qprism drive --release --apply\" "+
		"restores all jobs", err)
}

// permitted returns an error if the account lacks rights. It asks for them once on each connection.
func (v *Driver) permitted(ctx context.Context, system exporter.System) error {
	if v.permittedBy == v.runner.Reached {
		return nil
	}
	missing, err := system.Rights(ctx, v.Runner, nil)
	if err == nil && missing != "" {
		err = &exporter.RefusalError{Why: missing}
	}
	if err == nil {
		v.permittedBy = v.runner.Reached
	}
	return err
}

// captureFresh captures the cluster, again if that took too long for sending orders. The second capture is
// faster, since most of the configuration is known.
func (v *Driver) captureFresh(ctx context.Context) (s *subject.Subject, err error) {
	for range push.Captures {
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

// capture makes a routine capture and reads it.
func (v *Driver) capture(ctx context.Context) (*subject.Subject, error) {
	o := subject.CaptureOptions{Reach: v.opts.Reach, Collect: v.opts.Collect}
	o.Collect.Records, o.Collect.StateAge = 0, v.opts.Interval // files of earlier runs affect no decision
	folder, err := os.MkdirTemp("", "qprism-drive-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	site, err := v.runner.Site(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := o.BundleOf(ctx, v.deps, v.runner.Reached, site, folder); err != nil {
		v.runner.Close()
		return nil, err
	}
	s, err := subject.Of(ctx, v.deps, &v.opts.Selection, []string{folder})
	if err != nil {
		return nil, err
	}
	v.keepJobs(folder)
	s.Identity.Given, s.Identity.Via = site.Given, site.Via
	s.Cluster, err = v.store.NameOf(ctx, s.Cluster, s.Identity)
	return s, err
}

// keepJobs keeps the job data of the capture, so that the step need not ask again. If there are very many jobs,
// the step asks only for jobs that it changes.
func (v *Driver) keepJobs(folder string) {
	const most = 4 << 20
	v.captured = nil
	listing, err := os.ReadFile(filepath.Join(folder, "qstat.xml"))
	details, bad := os.ReadFile(filepath.Join(folder, "qstat-j.xml"))
	if err == nil && bad == nil && len(details) < most {
		v.captured, v.capturedAt = &gridengine.Captured{Listing: string(listing), Details: string(details)}, v.opts.Now()
	}
}

// captureLasts is how old that may be when orders are sent: deciding may take long.
const captureLasts = time.Second

// justNow is how long an answer of the master counts as new.
const justNow = 250 * time.Millisecond

// steer decides the values of jobs and sends them. again means that some jobs are left for the next step.
func (v *Driver) steer(ctx context.Context, s *subject.Subject, d *gridengine.Dispatcher) (again bool, err error) {
	if err := v.Beat(ctx); err != nil {
		return false, err
	}
	if !v.known { // numbers of claims that another process made
		if err := d.ForgetOtherJobs(ctx); err != nil {
			return false, err
		}
		v.known = true
	}
	var failed error
	p, err := planned(ctx, s, v.opts, v.Own, d.Drive.Claims, v.askOrFallBack(d.Drive.Cluster, &failed))
	if err != nil {
		return false, err
	}
	v.ruled, v.coming, v.decideAt = p.ruled, time.Time{}, time.Time{}
	if !p.coming.IsZero() {
		v.coming = v.opts.Now().Add(p.coming.Sub(s.TakenAt) + time.Second)
	}
	if !p.decideAt.IsZero() {
		v.decideAt = v.opts.Now().Add(p.decideAt.Sub(s.TakenAt) - before)
	}
	for _, note := range p.notes {
		v.Say("%s", note)
	}
	if v.opts.Now().Sub(v.capturedAt) > captureLasts {
		d.Captured = nil
	}
	changes, more, err := d.Steer(ctx, p.wanted, v.opts.MaxChanges)
	if err != nil {
		return false, err
	}
	refused := refusedBy(changes)
	v.opts.unchained = v.opts.unchained || slices.ContainsFunc(changes, func(c model.Order) bool {
		return c.Attribute == "after" && c.State == model.OrderRefused
	})
	v.follows = p.again && len(changes) > 0 && refused == nil
	if (v.moved || len(changes) > 0 && p.room) && !v.follows { // who gets a place at the next step would be passed
		v.runNow(ctx)
	}
	return more, errors.Join(printSteered(v.Out, s, p, changes), refused, failed)
}

// refusedBy is an error if the master refused orders. The next step sends them again.
func refusedBy(changes []model.Order) error {
	n, words := 0, ""
	for _, c := range changes {
		if c.State == model.OrderRefused || c.State == model.OrderUnknown {
			n, words = n+1, c.Words
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("the master did not accept %d of %d changes: %s", n, len(changes), words)
}

// runNow asks the scheduler for a run, if the account may. Else the next run comes by itself.
func (v *Driver) runNow(ctx context.Context) {
	v.moved = false
	if v.mayNotRun || !v.opts.RunNow || v.system != model.GridEngine {
		return
	}
	results, err := v.Runner.Run(ctx, [][]string{{"qconf", "-tsm"}})
	if err == nil && len(results) == 1 && results[0].Exit != 0 {
		v.mayNotRun = true
		v.Say("waiting for the next scheduler run: %s", strings.Join(exporter.Lines(results[0].Text()), "; "))
	}
}

func (v *Driver) giveBack(ctx context.Context, s *drive.Session) error {
	if s.Drive.System != model.GridEngine {
		return (&pbs.Dispatcher{Session: s}).Release(ctx)
	}
	return (&gridengine.Dispatcher{Session: s}).Release(ctx)
}

func showStep(ctx context.Context, d *cli.Deps, opts Options, own own, args []string, out show.Output,
	warn io.Writer) error {
	return With(d, opts, warn, func(v *Driver) error {
		s, err := v.subject(ctx, args)
		if err != nil {
			return err
		}
		return subject.Choose(s.Snapshot, v.showGridEngine, v.showPBS)(ctx, s, own, out)
	})
}

func (v *Driver) showGridEngine(ctx context.Context, s *subject.Subject, own own, out show.Output) error {
	if err := s.Batch.Guesses(); err != nil {
		return err
	}
	open, err := v.Journal.OpenDrives(ctx, s.Cluster)
	if err != nil {
		return err
	}
	var claims []model.Claim
	for _, o := range open {
		claims = append(claims, o.Claims...)
	}
	p, err := planned(ctx, s, v.opts, own, claims, v.askWanted)
	if err != nil {
		return err
	}
	return printPlanned(out, s, p, exporter.Unsafe(s.Snapshot, v.opts.Alters()...))
}

// subject returns the bundle of the command line, or a new capture of the cluster.
func (v *Driver) subject(ctx context.Context, args []string) (*subject.Subject, error) {
	if len(args) > 0 || v.opts.Snapshot != 0 || v.opts.Cluster != "" {
		return subject.Of(ctx, v.deps, &v.opts.Selection, args)
	}
	return v.capture(ctx)
}
