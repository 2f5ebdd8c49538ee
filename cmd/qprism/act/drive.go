package act

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
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/importer/collect"
)

type driveOptions struct {
	given string // what somebody says that the cluster is called which is reached
	subject.Selection
	subject.Reach
	own           []string
	order, policy string
	ahead         bool
	apply         bool
	once          bool
	release       bool

	interval     time.Duration
	await        time.Duration
	stepDeadline time.Duration
	deadline     time.Duration // of giving back
	maxChanges   int
	stopFile     string
	lockDir      string
	collect      collect.Options

	host  shell.Host // where the cluster's commands run instead of where reach says; for tests
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

func newDrive(d *cli.Deps) *cobra.Command {
	opts := newDriveOptions()
	c := &cobra.Command{
		Use:   "drive [BUNDLE] --own WHICH [--policy NAME | --order FILE] [--apply [--once]]",
		Short: "Decide which job starts where, under the native scheduler",
		Long: `drive decides which of the jobs that it owns starts where, and leaves the scheduler nothing to choose.

Grid Engine: the jobs that --own selects wait under an operator hold (qalter -h o). Each step captures the
cluster, plans a run in the wanted order, and picks the starts that can be made certain: they are narrowed to
their hosts and queues (qalter -l hostname=..,qname=..) and released in the same call. The run is planned once
more as the scheduler will make it; what does not come out exactly there is not started. When a job has
started it gets its old requests back; one that did not start in time is held again. All other jobs are the
scheduler's, on the same hosts. Where such jobs wait too, the next slot of each host is decided about before it
falls free (--ahead), since the run in which it does gives it to one of them; a driven job starts there when its
turn comes in the scheduler's own order.

PBS: the scheduler is switched off (scheduling = False) and jobs are started by qrun -H, which checks nothing:
drive plans a cycle and starts what comes out of it. It needs --own all, as nothing else starts meanwhile.

Where nobody can tell the wanted order (a program fails, hangs, or says nothing), a step goes by the order that was wanted last,
for 20 steps, and then by the scheduler's own: what is held would else stay held. Such a step ends with the reason as its error.

Without --apply drive shows one step and sends nothing. With it, it makes a step each --interval until it is
told to stop (SIGINT, SIGTERM), and then gives everything back: holds, requests, the scheduler's switch. With
--once it makes one step and keeps the jobs, for cron. Everything is stored before it is sent; after any
interruption the next step goes on from there, or --release --apply gives all back.

A job with an operator hold of somebody else is not touched, nor is one whose hold or request somebody else
changed meanwhile. A step holds at most --max-changes jobs, and starts at most as many; the others follow in the
next steps. While a drive is open, push leaves its jobs alone; while a push is unfinished, no drive begins.

A job is held at the first step after its submission, and the native scheduler may be faster. To leave it no
chance let all jobs be submitted under a user hold: -h in sge_request (in $SGE_ROOT/$SGE_CELL/common). drive lays
its own hold on such a job, and starts it once the user hold is lifted: qalter -h U of what qstat -s ho lists.`,
		Example: `  qprism drive --own user=anna,ben --from sge@master                    show a step
  qprism drive --own all --policy fairshare --from sge@master --apply   drive until stopped
  * * * * * qprism drive --own project=chem --order /srv/order --apply --once --await 40s
  qprism drive --release --from sge@master --apply                      give everything back`,
		Annotations: map[string]string{cli.FormatsOf: "table json"},
		RunE: func(c *cobra.Command, args []string) error {
			return runDrive(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	subject.AddStored(c, &opts.Selection)
	subject.AddReach(c, &opts.Reach)
	f := c.Flags()
	f.StringArrayVar(&opts.own, "own", nil,
		"`which` jobs are decided about: all, user=A,B, project=A, group=A, job=1,2; several times for more")
	f.StringVar(&opts.order, "order", "", "the wanted order: a `file` of job numbers, read anew each step (default: the scheduler's own)")
	f.StringVar(&opts.policy, "policy", "", "the wanted order is that of another policy, by its `name`: a variant of what-if")
	f.BoolVar(&opts.ahead, "ahead", opts.ahead, "where other jobs wait, decide about the next slot of each host before it falls free")
	f.BoolVar(&opts.apply, "apply", false, "do it")
	f.BoolVar(&opts.once, "once", false, "one step, and keep the jobs")
	f.BoolVar(&opts.release, "release", false, "give everything back that an earlier drive took; without --apply only show it")
	f.Lookup("cluster").Usage += "; with --release: whose it is"
	cli.SpanVar(f, &opts.interval, "interval", "how often a step is made")
	cli.SpanVar(f, &opts.await, "await", "how long started jobs are waited for before they are held again")
	cli.SpanVar(f, &opts.deadline, "deadline", "how long giving back may take when told to stop")
	cli.SpanVar(f, &opts.stepDeadline, "step-deadline", "give a step up after so `long`; the next one goes on from there")
	f.IntVar(&opts.maxChanges, "max-changes", opts.maxChanges,
		"hold at most `n` jobs in a step, and start at most n; the others follow in later steps")
	f.StringVar(&opts.lockDir, "lock-dir", "",
		"the `folder` on the host where the commands run that holds the lock of all who change the cluster over it; none for none")
	f.StringVar(&opts.stopFile, "stop-file", "",
		"while this `file` exists nothing is decided, and what was taken is given back (default: push.stop beside the store)")
	c.MarkFlagsMutuallyExclusive("order", "policy")
	return c
}

func newDriveOptions() driveOptions {
	o := driveOptions{ahead: true, interval: 15 * time.Second, await: exporter.Gentle.Await, stepDeadline: 10 * time.Minute,
		deadline: time.Minute, maxChanges: exporter.Gentle.Changes,
		collect: collect.Routine(), now: time.Now, sleep: exporter.Wait}
	o.collect.Accounting, o.collect.Reporting = 0, 0
	return o
}

// runDrive shows a step, makes one, makes one after the other, or gives everything back.
func runDrive(ctx context.Context, d *cli.Deps, opts driveOptions, args []string, w, warn io.Writer) error {
	out := d.Output(w)
	opts.Cluster = subject.StoreName(ctx, d, opts.Cluster)
	opts.given = opts.Cluster
	if opts.release {
		return withDriver(d, opts, warn, func(v *driver) error {
			if !opts.apply {
				return v.showClaims(ctx, out)
			}
			return v.handBack(ctx)
		})
	}
	if opts.maxChanges < 1 {
		return fmt.Errorf("--max-changes %d: a step has to hold and start something; a stop file makes it wait", opts.maxChanges)
	}
	own, err := parseOwn(opts.own)
	if err != nil {
		return err
	}
	if !opts.apply {
		return showStep(ctx, d, opts, own, args, out, warn)
	}
	if len(args) > 0 {
		return errors.New("with --apply each step captures the cluster itself; leave the bundle out")
	}
	return withDriver(d, opts, warn, func(v *driver) error {
		v.own, v.out = own, out
		if opts.once {
			_, err := v.step(ctx)
			return err
		}
		return v.loop(ctx)
	})
}

// A driver makes steps.
type driver struct {
	*drive.Driver
	deps   *cli.Deps
	opts   driveOptions
	runner *shellRunner
	own    own
	out    show.Output
	warn   io.Writer
}

// withDriver opens the store, and does something with a driver. The cluster is reached when the first command runs.
func withDriver(d *cli.Deps, opts driveOptions, warn io.Writer, do func(*driver) error) error {
	runner := &shellRunner{reach: opts.Reach, host: opts.host, given: opts.given}
	c := control(d, runner, opts.lockDir, warn)
	c.Limits.Changes, c.Limits.Await, c.Now, c.Sleep = opts.maxChanges, opts.await, opts.now, opts.sleep
	return withStore(d, runner, func(store *sqlite.Store) error {
		return do(&driver{Driver: &drive.Driver{Controller: c, Journal: store}, deps: d, opts: opts, runner: runner, warn: warn})
	})
}

var _ drive.Journal = (*sqlite.Store)(nil)

// stopped is why no step is to be made.
func (v *driver) stopped() error {
	return stopFile(stopFileOf(v.deps, pushOptions{stopFile: v.opts.stopFile}))
}

// loop makes steps until it is told to stop, and gives everything back. A step that fails, or is refused, is followed by another one: what
// it left is settled there. A first one that is refused ends it.
func (v *driver) loop(ctx context.Context) error {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer cancel()
	var failed error
	for first := true; ctx.Err() == nil; first = false {
		if failed = v.stopped(); failed != nil {
			break
		}
		began := v.opts.now()
		again, err := v.step(ctx)
		if isDecision(err) {
			fmt.Fprintf(v.warn, "qprism: %v\n", err)
		} else if err != nil && ctx.Err() == nil {
			fmt.Fprintf(v.warn, "qprism: this step failed: %v\n", err)
			var refusal *exporter.RefusalError
			if first && errors.As(err, &refusal) {
				failed = err
				break
			}
		}
		if rest := v.opts.interval - v.opts.now().Sub(began); !again && rest > 0 {
			_ = v.opts.sleep(ctx, rest)
		}
	}
	back, end := context.WithTimeout(context.WithoutCancel(ctx), v.opts.deadline)
	defer end()
	err := v.handBack(back)
	if errors.Is(err, model.ErrNoDrive) {
		err = nil
	}
	return errors.Join(failed, err)
}

// handBack gives back what the drive of the cluster took.
func (v *driver) handBack(ctx context.Context) error {
	s, err := v.Resume(ctx, v.opts.Cluster)
	if err != nil {
		if errors.Is(err, model.ErrNoDrive) && v.opts.release {
			return sayNothingDriven(v.warn)
		}
		return err
	}
	defer s.Close()
	if err := v.giveBack(ctx, s); err != nil {
		return fmt.Errorf("not everything is given back yet: %w; qprism drive --release --apply goes on with it", err)
	}
	s.Say("everything is given back: %s", s.Drive.Outcome)
	return nil
}
