package past

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/diff"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

type DiffOptions struct {
	subject.Selection
	Predict   string
	runtime   string
	logs      subject.MasterLogs
	reporting string // a file of Grid Engine; empty for none
	since     string // start of the period, for stored snapshots
	until     string
	all       bool
}

func newDiff(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "diff [BUNDLE BUNDLE...]", runDiff)
	subject.AddStored(c, &opts.Selection)
	c.Args = cobra.ArbitraryArgs
	_ = c.Flags().MarkHidden("snapshot")
	c.Flags().Lookup("now").Usage = "the `moment` of the first run, " + cli.MomentForms + " (default: the first start)"
	c.Flags().StringVar(&opts.Predict, "predict", string(diff.ByOrder), "what predicts the order: order, plan or forecast")
	c.Flags().StringVar(&opts.runtime, "runtime", "",
		"with a forecast: how `long` jobs without a limit run: 90m, 2d, 1:30:00; a plain number is seconds")
	subject.AddMasterLogs(c, &opts.logs)
	c.Flags().Lookup("accounting").Usage = "an accounting `file` that the bundles lack; for Grid " +
		"Engine, a name that ends in .jsonl means JSON lines"
	c.Flags().StringVar(&opts.reporting, "reporting", "",
		"Grid Engine: a reporting `file` that the bundles lack (reporting_params joblog=true)")
	c.Flags().StringVar(&opts.since, "since", "",
		"compare the stored snapshots taken at this `moment` or later: "+cli.MomentForms)
	c.Flags().StringVar(&opts.until, "until", "", "compare the stored snapshots taken at this `moment` or earlier")
	c.Flags().BoolVar(&opts.all, "all", false, "on a terminal, list every overtaken job and every run")
	_ = c.RegisterFlagCompletionFunc("predict", cobra.FixedCompletions(predictions, cobra.ShellCompDirectiveNoFileComp))
	return c
}

var predictions = []string{string(diff.ByOrder), string(diff.ByPlan), string(diff.ByForecast)}

func runDiff(ctx context.Context, d *cli.Deps, opts DiffOptions, args []string, w io.Writer) error {
	r, err := compareRuns(ctx, d, opts, args)
	if err != nil {
		return err
	}
	if d.Format == "json" {
		return r.WriteJSON(w)
	}
	return r.Print(d.Output(w))
}

// compareRuns compares bundles or stored snapshots.
func compareRuns(ctx context.Context, d *cli.Deps, opts DiffOptions, args []string) (*diffReport, error) {
	if !slices.Contains(predictions, opts.Predict) {
		return nil, fmt.Errorf("unknown --predict %q; use %s", opts.Predict, show.JoinOr(predictions))
	}
	s, err := loadSeries(ctx, d, opts, args)
	if err != nil {
		return nil, err
	}
	o, rules, err := opts.Compared(ctx, s.snapshots[0])
	if err != nil {
		return nil, err
	}
	o.Events = s.events
	runs := diff.Compare(s.snapshots, o)
	return &diffReport{first: s.snapshots[0], names: s.names, jobs: jobsOfAll(s.snapshots),
		rules: rules, by: o.Predict, runs: runs, all: opts.all, hints: d.Hints("")}, ctx.Err()
}

// A Drift has the figures of starts against what was expected. A figure is NaN if nothing gives it.
type Drift struct {
	TauB     float64 // rank correlation with the expected order, in the last run
	P50, P90 float64 // errors of the forecast from the first snapshot, in seconds
}

// DriftOf compares two bundles or stored snapshots, without causes: for 50,000 jobs, these take most of the time.
func DriftOf(ctx context.Context, d *cli.Deps, before, after string) (Drift, error) {
	opts := DiffOptions{Predict: string(diff.ByOrder)}
	s, err := loadSeries(ctx, d, opts, []string{before, after})
	if err != nil {
		return Drift{}, err
	}
	o, _, err := opts.Compared(ctx, s.snapshots[0])
	if err != nil {
		return Drift{}, err
	}
	o.Events = s.events
	tried, foreseen := diff.Drift(s.snapshots, o)
	f := Drift{TauB: math.NaN(), P50: math.NaN(), P90: math.NaN()}
	if len(tried) > 0 {
		f.TauB = tried[len(tried)-1].Figures.TauB
	}
	if len(foreseen) > 0 {
		e := foreseen[0].Figures.Errors
		f.P50, f.P90 = e.P50, e.P90
	}
	return f, ctx.Err()
}

// jobsByNumber finds jobs by number, as the first snapshot that has them shows them.
type jobsByNumber map[uint32]*model.Job

func jobsOfAll(snapshots []*model.Snapshot) jobsByNumber {
	m := jobsByNumber{}
	for _, s := range snapshots {
		for i := range s.Jobs {
			if j := &s.Jobs[i]; m[j.Number] == nil {
				m[j.Number] = j
			}
		}
	}
	return m
}

// name is a task's name: of a job that is no array its number alone.
func (m jobsByNumber) name(t diff.Task) string {
	if j := m[t.Job]; t.Number == 1 && (j == nil || !j.Array) {
		return show.Number32(t.Job)
	}
	return t.String()
}

func (m jobsByNumber) owner(t diff.Task) string {
	if j := m[t.Job]; j != nil {
		return j.Owner
	}
	return ""
}

// Compared returns the options of a comparison, and the name of the rules for the expected order.
func (opts *DiffOptions) Compared(ctx context.Context, s *model.Snapshot) (o diff.Options, rules string, err error) {
	at, err := opts.Moment()
	if err != nil {
		return o, "", err
	}
	estimate, err := next.ParseRuntime(opts.runtime)
	if err != nil {
		return o, "", err
	}
	rules, quirks, err := opts.Profile(s)
	if err != nil {
		return o, "", err
	}
	release, does := compat.For(s.Release)
	o = diff.Options{Predict: diff.Prediction(opts.Predict), At: at, Quirks: quirks, Release: does}
	if rules = subject.RulesName(s, rules); s.HasQuirks() {
		o.Variants = variantsOf(release)
	}
	o.Forecast = func(s *model.Snapshot, at time.Time) *forecast.Forecast {
		system := subject.NewSubject(s, rules, lastrun.Options{Quirks: quirks}).Batch
		return system.Forecast(forecast.Options{At: at, Estimate: estimate, Stop: func() bool { return ctx.Err() != nil }})
	}
	return o, rules, nil
}

// variantsOf are the quirks of a release, each left out once.
func variantsOf(release string) (list []diff.Variant) {
	r := compat.Named(release)
	if r == nil {
		return nil
	}
	for _, q := range r.Quirks() {
		list = append(list, diff.Variant{ID: q.ID, Quirks: compat.Without(release, q.ID)})
	}
	return list
}
