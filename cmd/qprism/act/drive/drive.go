package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/shell"
	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/gridengine"
	"qprism/importer/collect"
)

// Options are the flags of drive, and settings that other commands make.
type Options struct {
	Given     string // name that the user gave to the cluster
	unchained bool   // the master refused -hold_jid
	subject.Selection
	subject.Reach
	Own           []string
	Order, Policy string
	Rules         string // a file with rules
	RunNow        bool   // ask the scheduler for a run at once
	Apply         bool
	Once          bool
	Release       bool
	try           string // a program that gives the wanted order

	Interval     time.Duration
	poll         time.Duration
	Silence      time.Duration // how long the watchdog waits; 0 for two intervals, negative for no watchdog
	StepDeadline time.Duration
	deadline     time.Duration // time limit to restore everything
	MaxChanges   int
	StopFile     string
	LockDir      string
	Collect      collect.Options

	Host  shell.Host // replaces Reach in tests
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// New makes the command drive.
func New(d *cli.Deps) *cobra.Command {
	opts := NewOptions()
	c := &cobra.Command{
		Use:         "drive [BUNDLE] --own WHICH [--policy NAME | --order FILE] [--rules FILE] [--apply [--once]]",
		Annotations: map[string]string{cli.FormatsOf: "table json", cli.Careful: "yes"},
		RunE: func(c *cobra.Command, args []string) error {
			return Run(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	subject.AddStored(c, &opts.Selection)
	subject.AddReach(c, &opts.Reach)
	f := c.Flags()
	f.StringArrayVar(&opts.Own, "own", nil, "")
	f.StringVar(&opts.Order, "order", "", "")
	f.StringVar(&opts.Policy, "policy", "", "")
	f.StringVar(&opts.Rules, "rules", "", "")
	f.BoolVar(&opts.RunNow, "run-now", opts.RunNow, "")
	f.StringVar(&opts.try, "try", "", "")
	f.BoolVar(&opts.Apply, "apply", false, "")
	f.BoolVar(&opts.Once, "once", false, "")
	f.BoolVar(&opts.Release, "release", false, "")
	f.Lookup("cluster").Usage += ". --release restores the jobs of this cluster"
	cli.SpanVar(f, &opts.Interval, "interval", "")
	cli.SpanVar(f, &opts.poll, "poll", "")
	cli.SpanVar(f, &opts.Silence, "watchdog", "")
	cli.SpanVar(f, &opts.deadline, "deadline", "")
	cli.SpanVar(f, &opts.StepDeadline, "step-deadline", "")
	f.IntVar(&opts.MaxChanges, "max-changes", opts.MaxChanges, "")
	f.StringVar(&opts.LockDir, "lock-dir", "", "")
	f.StringVar(&opts.StopFile, "stop-file", "", "")
	c.MarkFlagsMutuallyExclusive("order", "policy")
	return c
}

func NewOptions() Options {
	o := Options{RunNow: true, poll: time.Second, Interval: 15 * time.Second,
		StepDeadline: 10 * time.Minute, deadline: time.Minute, MaxChanges: exporter.Gentle.Changes,
		Collect: collect.Routine(), Now: time.Now, Sleep: exporter.Wait}
	o.Collect.Accounting, o.Collect.Reporting, o.Collect.ListAge = 0, 0, time.Minute
	return o
}

// Run carries out the command: it shows a step, makes one step, drives until stopped, or restores everything.
func Run(ctx context.Context, d *cli.Deps, opts Options, args []string, w, warn io.Writer) error {
	out := d.Output(w)
	opts.Cluster = subject.StoreName(ctx, d, opts.Cluster)
	opts.Given = opts.Cluster
	if opts.Release {
		return With(d, opts, warn, func(v *Driver) error {
			if !opts.Apply {
				return v.showClaims(ctx, out)
			}
			return v.HandBack(ctx)
		})
	}
	if opts.MaxChanges < 1 {
		return fmt.Errorf(
			"--max-changes %d: a step must be allowed to change something; to pause qprism drive, use a stop "+
				"file", opts.MaxChanges)
	}
	if opts.try != "" {
		if opts.Apply || opts.Order != "" || opts.Policy != "" {
			return errors.New("--try only shows the output of a program; do not give --apply, --order or --policy with it")
		}
		opts.Policy = "external " + opts.try
		if len(opts.Own) == 0 {
			opts.Own = []string{"all"}
		}
	}
	own, err := ParseOwn(opts.Own)
	if err != nil {
		return err
	}
	if !opts.Apply {
		return showStep(ctx, d, opts, own, args, out, warn)
	}
	if len(args) > 0 {
		return errors.New("with --apply, each step captures the cluster itself; do not give a bundle")
	}
	return With(d, opts, warn, func(v *Driver) error {
		v.Own, v.Out = own, out
		if opts.Once {
			_, err := v.Step(ctx)
			return err
		}
		return v.loop(ctx)
	})
}

// A Driver makes the steps of a drive.
type Driver struct {
	*drive.Driver
	deps   *cli.Deps
	opts   Options
	runner *control.Shell
	store  *sqlite.Store
	Own    own
	Out    show.Output
	warn   io.Writer

	system     model.System
	seen       listing              // the last listing of jobs by the master
	looked     time.Time            // when the master listed jobs last
	ruled      bool                 // the rules depend on running jobs
	moved      bool                 // a running job has ended since the last request for a run
	coming     time.Time            // the next start time (-a) of a job
	decideAt   time.Time            // when a step has to decide about that job
	captured   *gridengine.Captured // job data of the capture
	capturedAt time.Time
	known      bool      // claims on jobs of other users were dropped
	Again      bool      // make the next step at once
	follows    bool      // the next step should follow soon
	began      time.Time // when the last step began

	permittedBy *subject.Reached // the connection over which the account may change jobs
	mayNotRun   bool             // the account may not ask for runs
}

// With opens a Driver, calls do, and closes the Driver. The first command connects to the cluster.
func With(d *cli.Deps, opts Options, warn io.Writer, do func(*Driver) error) error {
	v, err := Open(d, opts, warn)
	if err != nil {
		return err
	}
	defer v.Close()
	return do(v)
}

// Open opens the store and makes a Driver. Its method Close closes both.
func Open(d *cli.Deps, opts Options, warn io.Writer) (*Driver, error) {
	runner := &control.Shell{Reach: opts.Reach, Host: opts.Host, Given: opts.Given}
	c := control.New(d, runner, opts.LockDir, warn)
	c.Limits.Changes, c.Now, c.Sleep = opts.MaxChanges, opts.Now, opts.Sleep
	store, err := subject.MakeStore(d)
	if err != nil {
		return nil, err
	}
	taking := &drive.Driver{Controller: c, Journal: store, Silence: opts.silent()}
	return &Driver{Driver: taking, deps: d, opts: opts, runner: runner, store: store, warn: warn}, nil
}

func (v *Driver) Close() {
	v.runner.Close()
	_ = v.store.Close()
}

// silent is the silence after which the watchdog acts.
func (o *Options) silent() time.Duration {
	switch {
	case o.Silence != 0:
		return o.Silence
	case o.Once:
		return 3 * time.Minute
	}
	return max(2*o.Interval, 10*time.Second)
}

var _ drive.Journal = (*sqlite.Store)(nil)

// stopped is an error while the stop file exists.
func (v *Driver) stopped() error {
	return control.Stopped(control.StopFile(v.deps, v.opts.StopFile))
}

// loop makes steps until it is stopped. Then it restores everything. After a failed step, the next step
// completes its work. If the very first step is refused, the drive ends.
func (v *Driver) loop(ctx context.Context) error {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer cancel()
	var failed error
	for first := true; ctx.Err() == nil; first = false {
		if failed = v.stopped(); failed != nil {
			break
		}
		began := v.opts.Now()
		again, err := v.Step(ctx)
		if IsFallback(err) {
			fmt.Fprintf(v.warn, "qprism: %v\n", err)
		} else if err != nil && ctx.Err() == nil {
			fmt.Fprintf(v.warn, "qprism: this step failed: %v\n", err)
			if _, refused := errors.AsType[*exporter.RefusalError](err); first && refused {
				failed = err
				break
			}
		}
		if !again {
			v.Wait(ctx, began.Add(v.opts.Interval))
		}
	}
	back, end := context.WithTimeout(context.WithoutCancel(ctx), v.opts.deadline)
	defer end()
	err := v.HandBack(back)
	if errors.Is(err, model.ErrNoDrive) {
		err = nil
	}
	return errors.Join(failed, err)
}

func (v *Driver) HandBack(ctx context.Context) error {
	s, err := v.Resume(ctx, v.opts.Cluster)
	if err != nil {
		if errors.Is(err, model.ErrNoDrive) && v.opts.Release {
			return sayNothingDriven(v.warn)
		}
		return err
	}
	defer s.Close()
	if err := v.giveBack(ctx, s); err != nil {
		return fmt.Errorf("some jobs are not restored yet: %w; \"qprism drive --release --apply\" restores "+
			"the others", err)
	}
	s.Say("all jobs are restored: %s", s.Drive.Outcome)
	return nil
}
