package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/exporter/svg"
	"qprism/importer"
	"qprism/importer/gridengine"
)

// loadBundle reads a bundle.
func loadBundle(path string, keepGoing bool) (*model.Snapshot, error) {
	bundle, closer, err := bundleAt(path)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return readBundle(bundle, keepGoing)
}

// planning are the flags of the commands that plan runs.
type planning struct {
	selection
	policy string
}

type planOptions struct {
	planning
	jobFilter
	all         bool
	compare     bool
	compareWith string
	bundle      string
	logs        masterLogs
}

func newPlan(d *deps) *cobra.Command {
	var opts planOptions
	c := &cobra.Command{
		Use:   "plan [BUNDLE]",
		Short: "Plan one scheduler run: what starts, what is reserved for, what waits and why",
		Long: `plan plans one scheduler run over the state that a bundle shows: which tasks start and on
which queue instances, for which ones the scheduler reserves and when, and why the others
wait. The run takes place when the bundle was taken, unless --now says otherwise.

Of places that are equally good, "(or 3 others)", the scheduler takes the one that it has not
touched for longest, which no bundle shows. A number behind a reason, "no slot free (7)", says
at how many hosts, queues or queue instances it holds.

  --policy FILE   with the scheduler configuration of a file (qconf -ssconf) instead
  --format        table, json (with the gantt data), csv, schedule (the lines of the file
                  that params MONITOR=1 makes the scheduler write) or svg (a picture)
  --compare       play the last run that the bundle's schedule file records, and compare
  --compare-with  compare with the run that another bundle, taken after it, records

Of PBS, plan plans one cycle: which jobs start and on which vnodes, the top jobs for which
vnodes are kept, whom it preempts, and what the scheduler would log about the others. --policy is
a sched_config, and --compare compares with the cycle that the scheduler's log tells of.

A comparison prints job by job: same; tie, where another place was as good; other host, other
slots, other time, other verdict; only planned, only recorded. Exit status: 0, or of a comparison
3 where the two differ; 1 on errors.`,
		Example: `  qprism plan cluster.tar.gz
  qprism plan cluster.tar.gz --policy sched_conf.new --format json | jq .decisions
  qprism plan cluster.tar.gz --format svg >plan.svg
  qprism plan before.tar.gz --compare-with after.tar.gz
  qprism plan --snapshot 12 --compare
  qprism plan --snapshot 12 --compare-with 13`,
		Annotations: map[string]string{formatsOf: "table json csv schedule svg"},
		RunE: func(c *cobra.Command, args []string) error {
			return runPlan(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addPlanning(c, &opts.planning)
	addFilter(c, &opts.jobFilter)
	c.Flags().BoolVar(&opts.all, "all", false, "list every task and every job on a terminal, and in JSON every place of a reason")
	c.Flags().BoolVar(&opts.compare, "compare", false, "compare with what the bundle records of its last run")
	c.Flags().StringVar(&opts.compareWith, "compare-with", "", "compare with what the `bundle` taken after the run records, or the stored snapshot of that number")
	addMasterLogs(c, &opts.logs)
	return c
}

// addPlanning gives a command the flags that choose a snapshot and a policy.
func addPlanning(c *cobra.Command, p *planning) {
	addSelection(c, &p.selection)
	c.Flags().Lookup("now").Usage = "the `moment` of the run, " + momentForms + " (default: when the bundle was taken)"
	c.Flags().StringVar(&p.policy, "policy", "", "the scheduler configuration in this `file`, as qconf -ssconf prints it or a sched_config of PBS, instead of the snapshot's")
}

func runPlan(ctx context.Context, d *deps, opts planOptions, args []string, w, warn io.Writer) error {
	s, err := d.planSubject(ctx, &opts.planning, args, warn)
	if err != nil {
		return err
	}
	if opts.compare || opts.compareWith != "" {
		opts.bundle = firstArgument(args)
		return outlookOf(s).compare(ctx, d, opts, w)
	}
	at, err := s.moment()
	if err := errors.Join(err, opts.check(s.Snapshot)); err != nil {
		return err
	}
	p := opts.plan(s.Snapshot, s.system.plan(at.At))
	switch out := d.output(w); d.format {
	case "json":
		return writePlan(w, s, p, opts.all)
	case "schedule":
		return outlookOf(s).writeSchedule(w, p.Lines)
	case "svg":
		return svg.Draw(w, outlookOf(s).pictured(p))
	default:
		if len(p.Decisions) == 0 && out.people() {
			printHeader(out, s, at, true)
			out.say("%s", opts.none())
			return nil
		}
		return printPlan(out, s, at, p, opts.all)
	}
}

// planSubject loads what a command plans with: a snapshot, and the policy of --policy. What keeps runs from being planned at
// all is an error.
func (d *deps) planSubject(ctx context.Context, opts *planning, args []string, warn io.Writer) (*subject, error) {
	s, err := d.subject(ctx, &opts.selection, args)
	if err != nil {
		return nil, err
	}
	if opts.policy != "" {
		if err := s.system.replacePolicy(opts.policy, warn); err != nil {
			return nil, err
		}
	}
	return s, s.system.lacks(opts.policy != "")
}

// lacks is an error that names everything without which no run can be planned.
func (s gridEngine) lacks(policy bool) error {
	var parts []string
	if !policy && !s.HasFile("sched_conf.txt") {
		parts = append(parts, "the scheduler configuration (sched_conf.txt; --policy FILE gives it)")
	}
	if len(s.Instances) == 0 {
		parts = append(parts, "the queue instances (qstat-f.xml, qhost.xml)")
	}
	if len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("a run cannot be planned: the bundle lacks %s; scripts/capture-ge.sh makes a full one on the master", strings.Join(parts, " and "))
}

// replacePolicy puts the scheduler configuration of a file into the snapshot. A key that the master's own configuration does
// not have is more likely misspelt than new: it is warned of.
func (s gridEngine) replacePolicy(path string, warn io.Writer) error {
	policy, err := gridengine.ReadPolicy(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	var problem *importer.Problem
	if errors.As(err, &problem) {
		problem.File = path
	}
	if err != nil {
		return err
	}
	for _, o := range policy.Other {
		if _, known := model.Text(s.Policy.Other, o.Name); !known {
			fmt.Fprintf(warn, "qprism: %s: %s is no key of the scheduler configuration; it is ignored\n", path, printable(o.Name))
		}
	}
	s.Policy = policy
	return nil
}

// moment is when the run takes place: --now, else when the bundle was taken.
func (s *subject) moment() (lastrun.Moment, error) {
	switch {
	case !s.look.At.IsZero():
		return lastrun.Moment{At: s.look.At, Source: "--now"}, nil
	case !s.TakenAt.IsZero():
		return lastrun.Moment{At: s.TakenAt, Source: "the bundle's own time"}, nil
	}
	return lastrun.Moment{}, errors.New("the bundle does not say when it was taken; give the moment of the run with --now")
}

func rangesText(ranges []model.Range) string { return taskText(&model.Task{IDs: ranges}) }

func startText(out output, d *model.Decision) string {
	if d.Verdict == model.Never {
		return ""
	}
	return out.moment(d.Start)
}

// lengthText is how long resources are booked for, with the allowance of DURATION_OFFSET.
func lengthText(d *model.Decision) string {
	if d.Verdict == model.Never {
		return ""
	}
	return spanText(d.Duration)
}

// spanText prints a duration as Grid Engine does: h:mm:ss, or days before.
func spanText(d time.Duration) string {
	if d == model.Forever {
		return "INFINITY"
	}
	seconds := int64(d / time.Second)
	if d < 0 {
		return "-" + spanText(-d)
	}
	text := fmt.Sprintf("%d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
	if days := seconds / 86400; days > 0 {
		return fmt.Sprintf("%dd %s", days, text)
	}
	return text
}

func slotsText(grants []model.Grant) string {
	sum := 0
	for _, g := range grants {
		sum += g.Slots
	}
	if sum == 0 {
		return ""
	}
	return strconv.Itoa(sum)
}

// whereText names the queue instances of a task, the master's first, with their slots where there are several.
func whereText(d *model.Decision) string {
	const named = 3
	var parts []string
	for i, g := range d.Slots {
		if i == named && len(d.Slots) > named+1 {
			parts = append(parts, fmt.Sprintf("… %d more", len(d.Slots)-named))
			break
		}
		if len(d.Slots) > 1 {
			parts = append(parts, fmt.Sprintf("%s=%d", g.Instance, g.Slots))
		} else {
			parts = append(parts, g.Instance)
		}
	}
	if len(d.Tied) > 0 {
		parts = append(parts, fmt.Sprintf("(or %s)", plural(len(d.Tied), "other")))
	}
	return strings.Join(parts, " ")
}
