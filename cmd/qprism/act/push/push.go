package push

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/shell"
	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/trial"
	"qprism/engine/gridengine/dispatch"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/gridengine"
	"qprism/exporter/pbs"
	"qprism/importer/collect"
)

// Options are the flags of push, and settings that other commands make.
type Options struct {
	subject.Selection
	subject.Reach
	Order, Policy string
	First         []string
	Leads         bool // the named jobs lead by more than urgency and tickets can change
	Through       string
	Apply         bool
	Undo, Resume  bool
	Release       bool
	ID            int64

	MaxChanges int
	Priorities string
	Margin     float64
	Await      time.Duration
	Deadline   time.Duration
	StopFile   string
	LockDir    string

	Patience time.Duration    // time limit of a program for the wanted order
	Rules    *[]dispatch.Rule // where to store the rules of a program
	Driven   bool             // for drive, which accepts an order without jobs
	Again    func(string)     // gets a job that the order names twice; if nil, this is an error

	Known string       // name of the cluster if Cluster is empty
	By    string       // the user who asks; "" for this process
	Sees  review       // gets the commands before they are sent; may be nil
	Halts func() error // returns an error to stop the push; may be nil
	Host  shell.Host   // replaces Reach in tests
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// New makes the command push.
func New(d *cli.Deps) *cobra.Command {
	opts := Options{Selection: subject.Selection{Live: subject.CaptureOptions{Collect: collect.Routine()}},
		Await:    exporter.Gentle.Await,
		Deadline: 10 * time.Minute, Now: time.Now, Sleep: exporter.Wait}
	c := &cobra.Command{
		Use:         "push [BUNDLE] --order FILE | --first JOB,... | --policy NAME [--apply]",
		Annotations: map[string]string{cli.Careful: "yes"},
		RunE: func(c *cobra.Command, args []string) error {
			opts.Leads = len(opts.First) > 0 && !c.Flags().Changed("margin")
			return Run(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	subject.AddStored(c, &opts.Selection)
	subject.AddReach(c, &opts.Reach)
	f := c.Flags()
	f.StringVar(&opts.Order, "order", "", "")
	f.StringSliceVar(&opts.First, "first", nil, "")
	f.StringVar(&opts.Policy, "policy", "", "")
	f.StringVar(&opts.Through, "through", "", "")
	f.BoolVar(&opts.Apply, "apply", false, "")
	f.BoolVar(&opts.Undo, "undo", false, "")
	f.BoolVar(&opts.Resume, "resume", false, "")
	f.BoolVar(&opts.Release, "release", false, "")
	f.Int64Var(&opts.ID, "push", 0, "")
	f.IntVar(&opts.MaxChanges, "max-changes", exporter.Gentle.Changes, "")
	f.StringVar(&opts.Priorities, "priorities", fmt.Sprintf("%d..%d", gridengine.MinP, gridengine.MaxP), "")
	f.Float64Var(&opts.Margin, "margin", 0, "")
	cli.SpanVar(f, &opts.Await, "await", "")
	cli.SpanVar(f, &opts.Deadline, "deadline", "")
	f.StringVar(&opts.LockDir, "lock-dir", "", "")
	f.StringVar(&opts.StopFile, "stop-file", "", "")
	_ = c.RegisterFlagCompletionFunc("policy", trial.CompletePolicy)
	_ = c.RegisterFlagCompletionFunc("first", subject.CompleteJobs(d))
	c.MarkFlagsMutuallyExclusive("order", "first", "policy", "undo", "resume", "release")
	c.MarkFlagsMutuallyExclusive("push", "release")
	return c
}

// Run plans and sends a push, or finishes a stored push, before the deadline.
func Run(ctx context.Context, d *cli.Deps, opts Options, args []string, w, warn io.Writer) (err error) {
	opts.Cluster = subject.StoreName(ctx, d, opts.Cluster)
	if opts.Deadline > 0 {
		limited, cancel := context.WithTimeout(ctx, opts.Deadline)
		defer cancel()
		ctx = limited
	}
	if opts.Undo || opts.Resume || opts.Release {
		err = runStored(ctx, d, opts, args, w, warn)
	} else {
		err = runAnew(ctx, d, opts, args, w, warn)
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("the push took longer than --deadline %v: %w", opts.Deadline, err)
	}
	return err
}

// Captures is how often one command captures at most, until a capture is recent enough to send orders.
const Captures = 3

// runAnew plans a new push, and shows or sends it.
func runAnew(ctx context.Context, d *cli.Deps, opts Options, args []string, w, warn io.Writer) error {
	if len(args) == 0 && opts.Snapshot == 0 && opts.Cluster == "" {
		opts.Live.Reach = opts.Reach // if the user named a host, the cluster is captured first
	}
	for n := 1; ; n++ {
		err := pushOnce(ctx, d, opts, args, w, warn)
		if _, old := errors.AsType[*exporter.StaleError](err); opts.Live.From == "" || n == Captures || !old {
			return err
		}
		fmt.Fprintf(warn, "qprism: %v; qprism captures it again\n", err)
	}
}

// pushOnce plans a push from one snapshot.
func pushOnce(ctx context.Context, d *cli.Deps, opts Options, args []string, w, warn io.Writer) error {
	s, err := subject.Of(ctx, d, &opts.Selection, args)
	if err != nil {
		return err
	}
	plan, err := NewPlan(ctx, s, opts, warn)
	if err != nil {
		return err
	}
	if len(opts.First) > 0 && len(plan.passed) > 0 {
		return fmt.Errorf(
			"--first %s: this job has no place in the queue (it runs, is held, is in error or is gone)", listed(plan.passed))
	}
	out := d.Output(w)
	if !opts.Apply {
		return plan.print(out, s, opts)
	}
	if err := plan.Unsafe(s); err != nil {
		return err
	}
	if err := opts.Sees.commands(plan.system.Commands(plan.orders)); err != nil {
		return err
	}
	return WithPusher(ctx, d, opts, warn, func(p *exporter.Pusher) error {
		r, err := plan.Send(ctx, s, p)
		if err != nil {
			return err
		}
		return printReport(out, d.Hints(""), r, plan.nothing())
	})
}

// review looks at the commands before they are sent. An error keeps them from being sent.
type review func(commands [][]string) error

func (f review) commands(list []exporter.Command) error {
	if f == nil {
		return nil
	}
	return f(argvs(list))
}

func argvs(commands []exporter.Command) [][]string {
	list := make([][]string, len(commands))
	for i, c := range commands {
		list[i] = c.Args
	}
	return list
}

// SystemOf returns the system of a stored push.
func SystemOf(ctx context.Context, j exporter.Journal, id int64) (exporter.System, error) {
	push, err := j.Push(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("push %d: %w", id, err)
	}
	for _, of := range []func(kind string) exporter.System{gridengine.SystemOf, pbs.SystemOf} {
		if system := of(push.Kind); system != nil {
			return system, nil
		}
	}
	return nil, fmt.Errorf("push %d has a kind that this version does not know: %s", id, push.Kind)
}

// WithPusher opens the store and a shell on the cluster, then calls do.
func WithPusher(ctx context.Context, d *cli.Deps, opts Options, warn io.Writer, do func(*exporter.Pusher) error) error {
	runner := &control.Shell{Reach: opts.Reach, Host: opts.Host, Given: cmp.Or(opts.Cluster, opts.Known)}
	c := control.New(d, runner, opts.LockDir, warn)
	c.Limits.Changes, c.Limits.Await, c.Now, c.Sleep, c.Holder = opts.MaxChanges, opts.Await,
		opts.Now, opts.Sleep, cmp.Or(opts.By, c.Holder)
	c.Stop = func() error {
		if opts.Halts != nil {
			if err := opts.Halts(); err != nil {
				return err
			}
		}
		return control.Stopped(control.StopFile(d, opts.StopFile))
	}
	store, err := subject.MakeStore(d)
	if err != nil {
		return err
	}
	defer store.Close()
	defer runner.Close()
	return do(&exporter.Pusher{Controller: c, Journal: store})
}

// Send sends the push of a plan. It sends only to the cluster and the jobs of the plan's snapshot.
func (p *Plan) Send(ctx context.Context, s *subject.Subject, pusher *exporter.Pusher) (*exporter.Report, error) {
	pusher.System, pusher.Explain, pusher.Planned = p.system, p.explain, s.Snapshot
	name, err := pusher.Journal.(*sqlite.Store).NameOf(ctx, s.Cluster, s.Identity)
	if err != nil {
		return nil, err
	}
	return pusher.Send(ctx, &model.Push{Cluster: name, Identity: s.Identity, By: pusher.Holder, Kind: p.system.Kind(),
		SnapshotAt: s.TakenAt, Orders: exporter.ForJobsOf(s.Snapshot, p.orders), Wanted: p.wanted})
}

// printReport prints the result of a push, or why there is nothing to push. An order that is not confirmed is
// an error.
func printReport(out show.Output, h cli.Hints, r *exporter.Report, nothing string) error {
	if out.Format == "json" {
		if err := out.JSON(reportJSON(r)); err != nil {
			return err
		}
		return reportError(r)
	}
	out.Terminal = out.Terminal || out.Format == "table"
	if len(r.Push.Orders) == 0 {
		out.Say("%s", nothing)
		return nil
	}
	t := show.NewSheet(">job", ">from", ">to", "state", "what the master said")
	for _, o := range r.Push.Orders {
		t.Add(o.Job, o.From, o.To, string(o.State), o.Words)
	}
	if err := out.Sheet(t); err != nil || out.Tabular() {
		return errors.Join(err, reportError(r))
	}
	out.Say("")
	for _, line := range sentences(fmt.Sprintf("push %d: %s", r.Push.ID, r.Push.Outcome)) {
		out.Say("%s", line)
	}
	if r.Push.Undoes == 0 && r.Push.Kind != (pbs.Starts{}).Kind() { // a start cannot be undone
		out.Say("To take it back: %s", h.Command("push", "--undo", "--push", fmt.Sprint(r.Push.ID), "--apply"))
	}
	return reportError(r)
}

// sentences makes a sentence of each clause.
func sentences(text string) (list []string) {
	for clause := range strings.SplitSeq(text, "; ") {
		if clause != "" {
			list = append(list, strings.ToUpper(clause[:1])+clause[1:]+".")
		}
	}
	return list
}

// reportError is an error if the master refused orders, or ranks jobs in another order than wanted.
func reportError(r *exporter.Report) error {
	n := r.Count(model.OrderRefused)
	switch {
	case n > 0:
		return fmt.Errorf("the master refused %d of %s", n, show.Plural(len(r.Push.Orders), "order"))
	case len(r.Push.Wanted) > 0 && r.Order != nil && r.Taken && !r.Agrees:
		return fmt.Errorf("the order of the master differs from the wanted order, from job %s on: "+
			"capture and push again; in a busy queue, --margin makes an order last longer", show.Printable(r.Differs))
	}
	return nil
}
