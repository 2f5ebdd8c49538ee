package past

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/history"
	"qprism/engine/model"
	"qprism/exporter/chart"
)

type TimelineOptions struct {
	cluster      string
	Since, Until string
	passed       bool
	by           string
	all          bool
}

func newTimeline(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "timeline", runTimeline)
	c.Args = cobra.NoArgs
	cli.Prints(c, "table json csv svg")
	c.Flags().StringVar(&opts.cluster, "cluster", "",
		"the `cluster`, by its name in the store or in the configuration of serve (default: the cluster "+
			"of the latest snapshot)")
	c.Flags().StringVar(&opts.Since, "since", "", "ignore what happened before this `moment`: "+cli.MomentForms)
	c.Flags().StringVar(&opts.Until, "until", "", "ignore what happened after this `moment`")
	c.Flags().BoolVar(&opts.all, "all", false, "on a terminal, list every snapshot")
	c.Flags().BoolVar(&opts.passed, "passed", false, "list jobs that started before jobs ahead of them, and why")
	c.Flags().StringVar(&opts.by, "by", "", "with --passed: add up how long jobs waited after a later job "+
		"had started, by job, user, project, department or `cause`")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(lostBy, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// A tick is one snapshot in the timeline.
type tick struct {
	sqlite.Info
	load     model.Load
	analysed bool
}

func runTimeline(ctx context.Context, d *cli.Deps, opts TimelineOptions, _ []string, w io.Writer) error {
	if opts.by != "" && (!opts.passed || !slices.Contains(lostBy, opts.by)) {
		return fmt.Errorf("--by %s: use --passed --by with %s", opts.by, show.JoinOr(lostBy))
	}
	store, cluster, err := subject.OpenCluster(ctx, d, opts.cluster)
	if err != nil {
		return err
	}
	defer store.Close()
	since, until, err := opts.Bounds()
	if err != nil {
		return err
	}
	infos, err := subject.StoredOf(ctx, store, cluster, since, until)
	if err != nil {
		return err
	}
	out := d.Output(w)
	if opts.passed {
		return runLedger(ctx, &ledger{store: store, by: opts.by, hints: d.Hints("")}, lastDay(infos, opts), out)
	}
	infos, earlier := shown(out, infos, opts.all)
	ticks, err := ticksOf(ctx, store, infos)
	if err != nil {
		return err
	}
	switch d.Format {
	case "json":
		return out.JSON(jsonTicks(ticks))
	case "svg":
		return chart.Draw(w, timelineChart(ticks))
	}
	out.Say("%s", show.Printable(cluster)+andOthers(ctx, store, cluster))
	out.Say("")
	if len(ticks) == 0 {
		out.Say("No snapshot was taken in that time; \"qprism db list\" lists the stored snapshots.")
		return nil
	}
	return showTimeline(out, d.Hints(""), ticks, earlier)
}

// andOthers names other clusters with snapshots in the store.
func andOthers(ctx context.Context, store *sqlite.Store, cluster string) string {
	var others []string
	err := store.EachInfo(ctx, func(i *sqlite.Info) {
		if i.Cluster != cluster && !slices.Contains(others, i.Cluster) {
			others = append(others, i.Cluster)
		}
	})
	if err != nil || len(others) == 0 {
		return ""
	}
	slices.Sort(others)
	return "; --cluster chooses another: " + show.Printable(strings.Join(others, ", "))
}

// ticksOf are snapshots with their loads.
func ticksOf(ctx context.Context, store *sqlite.Store, infos []sqlite.Info) ([]tick, error) {
	loads, err := store.Loads(ctx, infos)
	if err != nil {
		return nil, err
	}
	ticks := make([]tick, len(infos))
	for n, i := range infos {
		l, known := loads[i.ID]
		ticks[n] = tick{i, l, known}
	}
	return ticks, nil
}

func (o *TimelineOptions) Bounds() (since, until time.Time, err error) {
	if since, err = cli.MomentOf("since", o.Since); err == nil {
		until, err = cli.MomentOf("until", o.Until)
	}
	return since, until, err
}

// waitingFor is how many tasks wait for a cause.
func (t *tick) waitingFor(cause model.Cause) int64 {
	for _, c := range t.load.Waiting {
		if c.Cause == cause {
			return c.Tasks
		}
	}
	return 0
}

// causesOf are the causes that occur, in their order.
func causesOf(ticks []tick) []model.Cause {
	return slices.DeleteFunc(slices.Clone(history.Causes), func(c model.Cause) bool {
		return !slices.ContainsFunc(ticks, func(t tick) bool { return t.waitingFor(c) > 0 })
	})
}

// mostTicks is how many snapshots people see.
const mostTicks = 48

// shown returns the snapshots that a time line lists: all, or for people the latest ones. earlier is how many it leaves out.
func shown(out show.Output, infos []sqlite.Info, all bool) (list []sqlite.Info, earlier int) {
	if !all && out.People() {
		earlier = max(len(infos)-mostTicks, 0)
	}
	return infos[earlier:], earlier
}

// showTimeline lists snapshots, and counts those before them that it does not list.
func showTimeline(out show.Output, h cli.Hints, ticks []tick, earlier int) error {
	causes := causesOf(ticks)
	names := []string{"taken", ">snapshot", ">jobs", ">running tasks", ">slots", ">used", ">waiting tasks"}
	for _, c := range causes {
		names = append(names, ">"+causeName(c))
	}
	t := show.NewSheet(names...)
	for i := range ticks {
		k := &ticks[i]
		row := []string{out.Moment(k.TakenAt), fmt.Sprint(k.ID), fmt.Sprint(k.Jobs), fmt.Sprint(k.Running),
			"", "", fmt.Sprint(k.Pending)}
		if k.analysed {
			row[4], row[5] = fmt.Sprint(k.load.Slots), fmt.Sprint(k.load.Used)
		}
		for _, c := range causes {
			cell := ""
			if n := k.waitingFor(c); n > 0 {
				cell = fmt.Sprint(n)
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	out.Sheet(t)
	hidden := ""
	if earlier > 0 {
		hidden = show.Plural(earlier, "earlier snapshot")
	}
	out.More(hidden)
	out.Say("Next: %s", show.Step("see the history of one job", h.Command("history", "JOB")))
	out.Say("Or: %s", show.Step("list jobs that started before jobs ahead of them", h.Command("timeline", "--passed")))
	return nil
}

// jsonTick is a snapshot on the time line as JSON.
type jsonTick struct {
	Snapshot int64        `json:"snapshot"`
	TakenAt  time.Time    `json:"taken_at"`
	Jobs     int          `json:"jobs"`
	Running  int64        `json:"running"`
	Pending  int64        `json:"pending"`
	Slots    *int64       `json:"slots"`
	Used     *int64       `json:"used"`
	Waiting  []jsonCauses `json:"waiting"`
}

type jsonCauses struct {
	Cause string `json:"cause"`
	Jobs  int64  `json:"jobs"`
	Tasks int64  `json:"tasks"`
}

func jsonTicks(ticks []tick) []jsonTick {
	list := make([]jsonTick, 0, len(ticks))
	for i := range ticks {
		k := &ticks[i]
		x := jsonTick{Snapshot: k.ID, TakenAt: k.TakenAt, Jobs: k.Jobs, Running: k.Running,
			Pending: k.Pending, Waiting: []jsonCauses{}}
		if k.analysed {
			x.Slots, x.Used = &k.load.Slots, &k.load.Used
		}
		for _, c := range k.load.Waiting {
			x.Waiting = append(x.Waiting, jsonCauses{string(c.Cause), c.Jobs, c.Tasks})
		}
		list = append(list, x)
	}
	return list
}

func timelineChart(ticks []tick) *chart.Chart {
	c := &chart.Chart{Title: "cluster over time", Lines: []chart.Line{{Name: "running"}, {Name: "slots in use"},
		{Name: "waiting"}}}
	if len(ticks) > 0 {
		c.Title = ticks[0].Cluster
	}
	causes := causesOf(ticks)
	for _, cause := range causes {
		c.Lines = append(c.Lines, chart.Line{Name: string(cause)})
	}
	for i := range ticks {
		k := &ticks[i]
		c.Times = append(c.Times, k.TakenAt)
		values := []float64{float64(k.Running), float64(k.load.Used), float64(k.Pending)}
		for _, cause := range causes {
			values = append(values, float64(k.waitingFor(cause)))
		}
		for n, v := range values {
			c.Lines[n].Values = append(c.Lines[n].Values, v)
		}
	}
	return c
}
