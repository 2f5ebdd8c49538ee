package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/when"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/whatif"
	"qprism/importer/cluster"
	"qprism/importer/gridengine"
)

type WhatIfOptions struct {
	subject.Selection
	Set        []string
	Shares     []string
	Tickets    []string      // kind/name=n
	For        time.Duration // how long the extra tickets stay; 0 for no limit
	Complex    []string
	Tree       string
	Policy     string
	Runtime    string
	Runs       int
	noForecast bool
	Timeout    time.Duration
	all        bool

	since, until string // period of stored snapshots

	inTree, inBoth []string // of Shares: those that changed the share tree; those that also changed functional shares
}

func newWhatIf(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "what-if [BUNDLE] [VARIANT]", runWhatIf)
	opts.Timeout = 30 * time.Second
	subject.AddSelection(c, &opts.Selection)
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = completeVariant
	f := c.Flags()
	f.Lookup("now").Usage = "the `moment` of the run, " + cli.MomentForms + " (default: when the bundle was taken)"
	f.StringArrayVar(&opts.Set, "set", nil, "change a value of the policy: `key=value`; may be repeated")
	f.StringArrayVar(&opts.Shares, "shares", nil, "change the shares of the active policy: "+
		"`kind/name=n`, kind user, project or department, or name=x2")
	f.StringArrayVar(&opts.Tickets, "tickets", nil,
		"give override tickets: `kind/name=n`, kind user, project, department or job")
	cli.SpanVar(f, &opts.For, "for", "how long the override tickets last (default: forever)")
	f.StringArrayVar(&opts.Complex, "complex", nil,
		"other resources, in a `file` in the format of qconf -sc; or name=urgency")
	f.StringVar(&opts.Tree, "tree", "", "another share tree, in a `file` in the format of qconf "+
		"-sstree, or a resource_group")
	f.StringVar(&opts.Policy, "policy", "", "another scheduler configuration, in a `file` in the format "+
		"of qconf -ssconf, or a sched_config")
	f.StringVar(&opts.Runtime, "runtime", "",
		"how `long` jobs without a limit run: 90m, 2d, 1:30:00; a plain number is seconds (default: default_duration)")
	f.IntVar(&opts.Runs, "runs", 10_000, "use at most this `number` of scheduler runs in a forecast")
	f.BoolVar(&opts.noForecast, "no-forecast", false, "compare only order and plan")
	cli.SpanVar(f, &opts.Timeout, "timeout", "the time limit of an external program")
	f.BoolVar(&opts.all, "all", false, "on a terminal, list all jobs")
	f.StringVar(&opts.since, "since", "", "replay the time since this `moment` with the stored snapshots: "+
		cli.MomentForms)
	f.StringVar(&opts.until, "until", "", "with --since: until this `moment` (default: the last stored snapshot)")
	return c
}

func runWhatIf(ctx context.Context, d *cli.Deps, opts WhatIfOptions, args []string, w io.Writer) error {
	warn := d.Warn()
	if opts.since != "" {
		return runReplay(ctx, d, opts, args, w, warn)
	}
	r, err := whatIf(ctx, d, opts, args, warn)
	if err != nil {
		return err
	}
	if d.Format == "json" {
		return r.WriteJSON(w)
	}
	return r.Print(d.Output(w))
}

// whatIf compares a bundle or stored snapshot with itself under the changes of the flags and of a variant.
func whatIf(ctx context.Context, d *cli.Deps, opts WhatIfOptions, args []string, warn io.Writer) (
	*WhatIfReport, error) {
	bundle, variant := splitVariant(args)
	s, err := subject.Of(ctx, d, &opts.Selection, bundle)
	if err != nil {
		return nil, err
	}
	return WhatIf(ctx, d, s, opts, variant, warn)
}

func WhatIf(ctx context.Context, d *cli.Deps, s *subject.Subject, opts WhatIfOptions, variant []string,
	warn io.Writer) (*WhatIfReport,
	error) {
	estimate, err := next.ParseRuntime(opts.Runtime)
	if err != nil {
		return nil, err
	}
	if err := s.Batch.Lacks(opts.Policy != ""); err != nil {
		return nil, err
	}
	at, err := s.Moment()
	if err != nil {
		return nil, err
	}
	today := &whatif.Case{Snapshot: s.Snapshot, Quirks: s.Look.Quirks}
	v := &VariantMaker{Ctx: ctx, Today: today, At: at.At, Timeout: opts.Timeout, Warn: warn}
	then, changes, err := opts.caseOf(s, at.At, v, variant, warn)
	if err != nil {
		return nil, err
	}
	r := &WhatIfReport{s: s, at: at, all: opts.all, changes: changes}
	if s.TakesQconf() {
		r.makes = opts.Commands()
	}
	if len(changes) == 1 && len(variant) > 0 {
		r.variant = strings.Join(variant, " ")
	}
	if len(variant) > 0 && variant[0] == "linear" {
		r.linear = then.LinearTerms(at.At)
	}
	if opts.noForecast {
		own := *today
		today.Made = func() *whatif.Made {
			return cli.Once(d, "the run by today's policy", func() *whatif.Made { return own.Run(at.At) })
		}
	}
	r.Report = whatif.Compare(today, then, at.At, opts.play(ctx, at, estimate))
	return r, ctx.Err()
}

// caseOf makes the case of a snapshot with the changes of the flags and of a variant. It also describes the
// changes.
func (o *WhatIfOptions) caseOf(s *subject.Subject, at time.Time, v *VariantMaker, variant []string,
	warn io.Writer) (c *whatif.Case,
	changes []string, err error) {
	c, changes, err = o.change(s, warn)
	if err != nil {
		return nil, nil, err
	}
	overridden, err := o.override(c, at)
	if err != nil {
		return nil, nil, err
	}
	what, err := v.Apply(c, variant)
	if err != nil {
		return nil, nil, err
	}
	if changes = slices.Concat(changes, overridden, what); len(changes) == 0 {
		err = errors.New("nothing to change; give --set, --shares, --tickets, --tree, --complex, " +
			"--policy, or a variant: linear, fairshare, " +
			"formula EXPR, external CMD")
	}
	return c, changes, err
}

// play are the options of both forecasts, nil for none.
func (o *WhatIfOptions) play(ctx context.Context, at lastrun.Moment, estimate time.Duration) *forecast.Options {
	if o.noForecast {
		return nil
	}
	return &forecast.Options{At: at.At, Estimate: estimate, MostRuns: o.Runs, Stop: func() bool {
		return ctx.Err() != nil
	}}
}

// Variants are the words that begin a variant, with the least number of words that must follow.
var Variants = map[string]int{"linear": 0, "fairshare": 0, "formula": 1, "external": 1}

// splitVariant separates the bundle, if any, from the words of a variant.
func splitVariant(args []string) (bundle, variant []string) {
	for i, word := range args[:min(len(args), 2)] {
		if _, known := Variants[word]; known {
			return args[:i], args[i:]
		}
	}
	return args[:min(len(args), 1)], args[min(len(args), 1):]
}

// change makes the case with the policy of the flags, and describes the changes.
func (o *WhatIfOptions) change(s *subject.Subject, warn io.Writer) (*whatif.Case, []string, error) {
	own := *s.Snapshot
	c := &whatif.Case{Snapshot: &own, Quirks: s.Look.Quirks}
	var changes []string
	for _, step := range []func(*model.Snapshot, io.Writer) ([]string, error){o.ChangePolicy,
		o.changeValues, o.changeShares, o.changeTree,
		o.changeComplex} {
		said, err := step(&own, warn)
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, said...)
	}
	return c, changes, nil
}

func (o *WhatIfOptions) ChangePolicy(s *model.Snapshot, warn io.Writer) ([]string, error) {
	if o.Policy == "" {
		return nil, nil
	}
	own := subject.NewSubject(s, "", lastrun.Options{})
	return []string{"policy of " + o.Policy}, own.Batch.ReplacePolicy(o.Policy, warn)
}

// changeValues carries out --set.
func (o *WhatIfOptions) changeValues(s *model.Snapshot, _ io.Writer) (said []string, err error) {
	for _, change := range o.Set {
		key, value, ok := strings.Cut(change, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: not key=value", change)
		}
		if err := cluster.SetPolicy(s, key, value); err != nil {
			return nil, fmt.Errorf("--set %w%s", err, subject.KeyMeant(s, key))
		}
		said = append(said, key+" "+value)
	}
	return said, nil
}

// override gives the override tickets that --tickets asks for, for the time of --for.
func (o *WhatIfOptions) override(c *whatif.Case, at time.Time) (said []string, err error) {
	switch {
	case o.For != 0 && len(o.Tickets) == 0:
		return nil, errors.New("--for needs --tickets")
	case len(o.Tickets) > 0 && !c.Snapshot.HasFunctionalShares():
		return nil, errors.New("--tickets: PBS has no override tickets")
	}
	for _, change := range o.Tickets {
		who, value, ok := strings.Cut(change, "=")
		kind, name, named := strings.Cut(who, "/")
		n, err := strconv.ParseUint(value, 10, 32)
		if !ok || !named || err != nil {
			return nil, fmt.Errorf("--tickets %s: not kind/name=number", change)
		}
		job, _ := strconv.ParseUint(name, 10, 32) // no number is no job
		give := whatif.Override{Kind: kind, Name: name, Job: uint32(job), Tickets: uint32(n)}
		if err := give.Check(c.Snapshot); err != nil {
			return nil, fmt.Errorf("--tickets %s: %w", change, err)
		}
		c.Overrides = append(c.Overrides, give)
		said = append(said, "override tickets of "+kind+" "+name+" "+value)
	}
	if o.For > 0 {
		c.Until = at.Add(o.For)
		said[len(said)-1] += " for " + when.Short(o.For)
	}
	return said, nil
}

// changeTree carries out --tree.
func (o *WhatIfOptions) changeTree(s *model.Snapshot, _ io.Writer) (said []string, err error) {
	if o.Tree == "" {
		return nil, nil
	}
	err = cluster.SetTree(s, os.DirFS(filepath.Dir(o.Tree)), filepath.Base(o.Tree))
	return []string{"tree of " + o.Tree}, subject.InFile(err, o.Tree)
}

// changeComplex carries out --complex.
func (o *WhatIfOptions) changeComplex(s *model.Snapshot, _ io.Writer) (said []string, err error) {
	if len(o.Complex) > 0 && !s.HasUrgency() {
		return nil, errors.New("--complex is for Grid Engine; resources of PBS have no urgency")
	}
	for _, change := range o.Complex {
		name, urgency, one := strings.Cut(change, "=")
		if !one {
			if s.Resources, err = gridengine.ReadResources(os.DirFS(filepath.Dir(change)), filepath.Base(change)); err != nil {
				return nil, subject.InFile(err, change)
			}
			said = append(said, "complex of "+change)
			continue
		}
		if _, err := model.ParseNumber(urgency); err != nil {
			return nil, fmt.Errorf("--complex %s: urgency: %w", change, err)
		}
		i := slices.IndexFunc(s.Resources, func(r model.Resource) bool { return r.Name == name || r.Shortcut == name })
		if i < 0 {
			return nil, fmt.Errorf("--complex %s: there is no resource %s", change, name)
		}
		s.Resources = slices.Clone(s.Resources)
		s.Resources[i].Urgency = urgency
		said = append(said, "urgency of "+name+" "+urgency)
	}
	return said, nil
}
