package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/replay"
	"qprism/engine/whatif"
)

type sweepOptions struct {
	cluster      string
	since, until string
	by           string
	all          bool

	submit, collect string // folders
	to              string // the system that runs the tasks: ge, pbs
	perTask         int
	task            string // the folder of the array job that this is a task of
	todo            int
}

func newSweep(d *cli.Deps) *cobra.Command {
	var opts sweepOptions
	c := &cobra.Command{
		Use:         "sweep FILE [-- QSUB OPTIONS]",
		Args:        cobra.ArbitraryArgs,
		Annotations: map[string]string{cli.FormatsOf: "table json csv"},
		RunE: func(c *cobra.Command, args []string) error {
			file, qsub := args, []string(nil)
			if n := c.ArgsLenAtDash(); n >= 0 {
				file, qsub = args[:n], args[n:]
			}
			return chooseSweep(c.Context(), d, opts, file, qsub, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&opts.cluster, "cluster", "",
		"the `cluster`, by its name in the store or in the configuration of serve (default: the cluster "+
			"of the latest snapshot)")
	f.StringVar(&opts.since, "since", "7d", "replay the time since this `moment`: "+cli.MomentForms)
	f.StringVar(&opts.until, "until", "", "until this `moment` (default: the last stored snapshot)")
	f.StringVar(&opts.by, "by", "wait", "rank by this `measure`: wait, wait:project/NAME, lost, lost:CAUSE, shares")
	f.BoolVar(&opts.all, "all", false, "on a terminal, list all policies")
	f.StringVar(&opts.submit, "submit", "", "let the cluster do the work, as an array job with this shared `folder`")
	f.StringVar(&opts.to, "to", "ge", "with --submit: the system of qsub, `ge` or pbs")
	f.IntVar(&opts.perTask, "per-task", 1, "with --submit: the number of policies for each task; each "+
		"task reads the history once")
	f.StringVar(&opts.collect, "collect", "", "rank the results of the tasks in this `folder`")
	f.StringVar(&opts.task, "task", "", "run as a task of the array job of this folder")
	f.IntVar(&opts.todo, "todo", 0, "of this submission")
	_, _ = f.MarkHidden("task"), f.MarkHidden("todo")
	c.MarkFlagsMutuallyExclusive("submit", "collect", "task")
	return c
}

// chooseSweep chooses the action by the flags.
func chooseSweep(ctx context.Context, d *cli.Deps, opts sweepOptions, file, qsub []string, w, warn io.Writer) error {
	if _, err := measureOf(opts.by); err != nil {
		return err
	}
	switch {
	case opts.to != "ge" && opts.to != "pbs":
		return fmt.Errorf("--to %s: use ge or pbs", opts.to)
	case len(file) > 1 || len(qsub) > 0 && opts.submit == "":
		return errors.New("give one FILE; options after -- are for --submit")
	case opts.submit != "":
		return runSubmit(ctx, d, opts, file, qsub, w)
	case opts.task != "":
		return runTask(ctx, opts, warn)
	case opts.collect != "" && len(file) > 0:
		return errors.New("--collect reads the grid from its folder: do not give FILE")
	case opts.collect != "":
		return runCollect(ctx, d, opts, w)
	case len(file) == 0:
		return errors.New("give the FILE of a grid, with a line for each number to change: weight_urgency = 0 0.1 1")
	}
	return runSweep(ctx, d, opts, file[0], w, warn)
}

func readGrid(file string) ([][]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	policies, err := replay.ParseGrid(string(text))
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return policies, err
}

func runSweep(ctx context.Context, d *cli.Deps, opts sweepOptions, file string, w, warn io.Writer) error {
	policies, err := readGrid(file)
	if err != nil {
		return err
	}
	r, err := readPeriod(ctx, d, &subject.Selection{}, opts.cluster, opts.since, opts.until)
	if err != nil {
		return err
	}
	found, err := r.sweep(ctx, policies, warn)
	if err != nil {
		return err
	}
	j := jsonSweep{jsonPeriod: r.head(), By: opts.by, Policies: found}
	return j.print(d, w, opts.all)
}

// sweep plays the period under policies.
func (r *replayed) sweep(ctx context.Context, policies [][]string, warn io.Writer) (list []jsonSwept, err error) {
	cases := make([]*whatif.Case, len(policies))
	for i, set := range policies {
		if cases[i], err = r.policy(ctx, set, warn); err != nil {
			return nil, fmt.Errorf("policy %s: %w", strings.Join(set, " "), err)
		}
	}
	found, err := r.play(ctx, cases...)
	for i := range found {
		list = append(list, jsonSwept{Set: policies[i], jsonPlayed: found[i]})
	}
	return list, err
}

func (r *replayed) policy(ctx context.Context, set []string, warn io.Writer) (*whatif.Case, error) {
	var o WhatIfOptions
	for _, change := range set {
		if ofShares(change) {
			o.Shares = append(o.Shares, change)
		} else {
			o.Set = append(o.Set, change)
		}
	}
	at := r.infos[0].TakenAt
	c, _, err := o.caseOf(r.first, at, &VariantMaker{Ctx: ctx, At: at, Warn: warn}, nil, warn)
	return c, err
}

// ofShares reports whether a change of a grid is one of shares, project/bio=100, and not of sched_conf.
func ofShares(change string) bool {
	key, _, _ := strings.Cut(change, "=")
	return strings.Contains(key, "/")
}

// jsonSweep are the policies of a grid, the best first.
type jsonSweep struct {
	jsonPeriod
	By       string      `json:"by"`
	Policies []jsonSwept `json:"policies"`
}

// jsonSwept is what came of a period under a policy of a grid.
type jsonSwept struct {
	Set   []string `json:"set"`   // what it changes, key=value
	Value *float64 `json:"value"` // ranks the policy: seconds, or a part for shares; null if not known
	jsonPlayed
}

// measureOf returns the measure of --by.
func measureOf(by string) (func(p *jsonPlayed) *float64, error) {
	kind, of, detailed := strings.Cut(by, ":")
	group, name, named := strings.Cut(of, "/")
	switch {
	case kind == "wait" && (named || !detailed):
		return func(p *jsonPlayed) *float64 {
			if g := p.group(group, name); g.Tasks > 0 {
				return &g.Median
			}
			return nil
		}, nil
	case kind == "lost":
		return func(p *jsonPlayed) *float64 { return new(p.waited(of)) }, nil
	case by == "shares":
		return func(p *jsonPlayed) *float64 { return p.Off }, nil
	}
	return nil, errors.New("--by " + by + ": use wait, wait:KIND/NAME, lost, lost:CAUSE or shares")
}

// rank sorts the policies, the best first. Policies without a result come last. Equal ones keep their order in
// the grid.
func (j *jsonSweep) rank() error {
	measure, err := measureOf(j.By)
	if err != nil {
		return err
	}
	for i := range j.Policies {
		j.Policies[i].Value = measure(&j.Policies[i].jsonPlayed)
	}
	slices.SortStableFunc(j.Policies, func(a, b jsonSwept) int {
		return cmp.Compare(a.rank(), b.rank())
	})
	return nil
}

func (s *jsonSwept) rank() float64 {
	if s.Value == nil {
		return math.Inf(1)
	}
	return *s.Value
}

// print ranks the policies, and lists them.
func (j *jsonSweep) print(d *cli.Deps, w io.Writer, all bool) error {
	if err := j.rank(); err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		return out.JSON(j)
	}
	j.say(out)
	out.Say("%d policies, the best by %s first", len(j.Policies), show.Printable(j.By))
	out.Say("")
	t := show.NewSheet(">rank", "policy", ">started", ">median wait", ">lost", ">off shares")
	if strings.Contains(j.By, ":") {
		t.Columns = append(t.Columns, show.Columns(">"+j.By)...)
	}
	const few = 20
	for i := range j.Policies {
		if i == few && out.People() && !all {
			break
		}
		t.Add(j.row(i)[:len(t.Columns)]...)
	}
	if err := out.Sheet(t); err != nil || !out.People() {
		return err
	}
	if more := len(j.Policies) - few; more > 0 && !all {
		out.Say("… and %d more; --all lists them", more)
	}
	if len(j.Policies) > 0 {
		out.Say("\nNext: %s", show.Step("see who gains with the first policy", j.next(d)))
	}
	return nil
}

func (j *jsonSweep) row(i int) []string {
	p := &j.Policies[i]
	everybody, value := p.group("", ""), ""
	if p.Value != nil {
		value = show.Seconds(*p.Value)
	}
	return []string{strconv.Itoa(i + 1), strings.Join(p.Set, " "), strconv.Itoa(everybody.Started),
		show.Seconds(everybody.Median), hours(p.waited("")), part(p.Off), value}
}

// next is the command that says more of the first policy.
func (j *jsonSweep) next(d *cli.Deps) string {
	args := []string{}
	for _, change := range j.Policies[0].Set {
		flag := "--set"
		if ofShares(change) {
			flag = "--shares"
		}
		args = append(args, flag, change)
	}
	moment := func(at time.Time) string { return at.Format(time.RFC3339Nano) }
	return d.Hints("").Command("what-if", append(args, "--since", moment(j.From), "--until", moment(j.To))...)
}
