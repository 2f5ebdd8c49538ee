package past

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/history"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/chart"
)

type historyOptions struct {
	cluster string
	all     bool
	passed  bool
}

func newHistory(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "history JOB", runHistory)
	cli.Prints(c, "table json csv svg")
	c.Args = cobra.ExactArgs(1)
	c.ValidArgsFunction = subject.CompleteJob(d)
	c.Flags().StringVar(&opts.cluster, "cluster", "",
		"the `cluster`, by its name in the store or in the configuration of serve (default: the cluster "+
			"of the latest snapshot)")
	c.Flags().BoolVar(&opts.all, "all", false, "on a terminal, print every snapshot, also if only numbers changed")
	c.Flags().BoolVar(&opts.passed, "passed", false, "list the jobs that were behind this one and started before it")
	return c
}

func runHistory(ctx context.Context, d *cli.Deps, opts historyOptions, args []string, w io.Writer) error {
	n, err := strconv.ParseUint(args[0], 10, 32)
	if err != nil {
		return fmt.Errorf("%q is not a job number: qprism history JOB", args[0])
	}
	number := uint32(n)
	store, cluster, err := subject.OpenCluster(ctx, d, opts.cluster)
	if err != nil {
		return err
	}
	defer store.Close()
	moments, err := store.History(ctx, cluster, number)
	if err != nil {
		return err
	}
	if len(moments) == 0 {
		return fmt.Errorf("job %d is not in any stored snapshot of %s", number, cluster)
	}
	lives := livesOf(cluster, number, moments)
	out := d.Output(w)
	if opts.passed {
		return runPassed(ctx, store, lives[len(lives)-1], out)
	}
	switch d.Format {
	case "json":
		return out.JSON(jsonLives(lives))
	case "svg":
		return chart.Draw(w, lives[len(lives)-1].chart())
	}
	return printLives(out, d.Hints(""), lives, opts.all)
}

// A life is one job through the snapshots; a number that was given again begins another.
type life struct {
	cluster string
	number  uint32
	moments []sqlite.Moment
	wait    history.Wait
}

// livesOf parts the moments of a number by job, oldest first.
func livesOf(cluster string, number uint32, moments []sqlite.Moment) []*life {
	var lives []*life
	for _, m := range moments {
		k := slices.IndexFunc(lives, func(l *life) bool { return sameJob(&l.moments[0].Job, &m.Job) })
		if k < 0 {
			k = len(lives)
			lives = append(lives, &life{cluster: cluster, number: number})
		}
		lives[k].moments = append(lives[k].moments, m)
	}
	for _, l := range lives {
		list := make([]history.Moment, len(l.moments))
		for i := range l.moments {
			m := &l.moments[i]
			list[i] = history.Moment{At: m.TakenAt, Job: &m.Job, Standing: m.Standing}
		}
		l.wait = history.WaitOf(list)
	}
	return lives
}

// sameJob distinguishes jobs with one number. It compares the submission, which a bundle may lack, or the id of
// PBS.
func sameJob(a, b *model.Job) bool {
	if a.ServerID() != b.ServerID() {
		return false
	}
	return unknownTime(a.Submitted) || unknownTime(b.Submitted) || a.Submitted.Truncate(time.Second).Equal(
		b.Submitted.Truncate(time.Second))
}

func unknownTime(t time.Time) bool { return t.Unix() <= 0 }

// taskOf returns the task for a moment: the first waiting task, or else the first one.
func taskOf(j *model.Job) *model.Task {
	for i := range j.Tasks {
		if j.Tasks[i].Pending() {
			return &j.Tasks[i]
		}
	}
	if len(j.Tasks) > 0 {
		return &j.Tasks[0]
	}
	return nil
}

// values returns the values of a moment to draw and print. Unknown ones are NaN.
func values(m *sqlite.Moment) (prio, tickets, rank float64) {
	prio, tickets, rank = math.NaN(), math.NaN(), math.NaN()
	if t := taskOf(&m.Job); t != nil && t.Reported != nil {
		prio, tickets = t.Reported.Prio, t.Reported.Tckts
	}
	if m.Standing != nil && m.Standing.Rank > 0 {
		rank = float64(m.Standing.Rank)
	}
	return prio, tickets, rank
}

// reasonOf says why a job waits, from the analysis, or else in the scheduler's words.
func reasonOf(out show.Output, m *sqlite.Moment) string {
	if st := m.Standing; st != nil && st.Cause != model.CauseUnknown {
		return standingText(out, st)
	}
	if told := m.Job.SchedulerMessages(); len(told) > 0 && (m.Job.Waits() || !m.Job.HoldsTasks()) {
		return told[0]
	}
	return ""
}

// standingText puts a standing into words.
func standingText(out show.Output, st *model.Standing) string {
	text := causeName(st.Cause)
	switch what := strings.TrimSpace(strings.Join([]string{st.Lacks, place(st.Object)}, " ")); {
	case what != "" && st.Rival != 0:
		text += fmt.Sprintf(": job %d comes first for %s", st.Rival, what)
	case st.Rival != 0:
		text += fmt.Sprintf(": job %d comes first", st.Rival)
	case what != "":
		text += ": " + what
	}
	switch {
	case st.Start.IsZero():
	case st.Start.Unix() <= 0:
		text += "; reserved for a past time" // a known fault of releases, compat's D1
	default:
		text += "; reserved from " + out.Moment(st.Start)
	}
	return text
}

// causeName returns the name of a cause for people. The execution time of qsub would be confusing.
func causeName(c model.Cause) string {
	if c == model.CauseTime {
		return "start time (-a)"
	}
	return string(c)
}

func place(object string) string {
	if object == "" {
		return ""
	}
	return "at " + object
}

func printLives(out show.Output, h cli.Hints, lives []*life, all bool) error {
	t := show.NewSheet("taken", ">snapshot", "state", ">rank", ">prio", ">tckts", "reason")
	for i, l := range lives {
		if i > 0 && out.Terminal && out.Format == "table" {
			out.Say("")
		}
		l.say(out)
		hidden := 0
		for k := range l.moments {
			if all || !out.Terminal || l.turns(k) {
				t.Add(l.row(out, k)...)
			} else {
				hidden++
			}
		}
		if out.Terminal && out.Format == "table" {
			own := show.Sheet{Columns: slices.Clone(t.Columns), Rows: t.Rows}
			own.DropEmpty("prio", "tckts")
			out.Sheet(own)
			if hidden > 0 {
				out.Say("… and %s in which only numbers changed; --all prints them", show.Plural(hidden, "more snapshot"))
			}
			t.Rows = nil
		}
	}
	if out.Terminal && out.Format == "table" {
		out.Say("")
		job := fmt.Sprint(lives[0].number)
		out.Say("Next: %s", show.Step("list the jobs that started before it", h.Command("history", job, "--passed")))
		out.Say("Or: %s", show.Step("draw the history", h.Command("history", job, "--format", "svg")))
		return nil
	}
	return out.Sheet(t)
}

// turns reports whether a moment has something new: another state, cause or rival. The first and last moments
// always count.
func (l *life) turns(k int) bool {
	if k == 0 || k == len(l.moments)-1 {
		return true
	}
	a, b := &l.moments[k-1], &l.moments[k]
	if a.Job.States() != b.Job.States() || (a.Standing == nil) != (b.Standing == nil) {
		return true
	}
	return a.Standing != nil && (a.Standing.Cause != b.Standing.Cause || a.Standing.Object != b.Standing.Object)
}

func (l *life) row(out show.Output, k int) []string {
	m := &l.moments[k]
	prio, tickets, rank := values(m)
	return []string{out.Moment(m.TakenAt), fmt.Sprint(m.Snapshot), m.Job.States(), known(rank, "%.0f"),
		known(prio, "%.5f"),
		known(tickets, "%.0f"),
		reasonOf(out, m)}
}

func known(v float64, format string) string {
	if v != v {
		return ""
	}
	return fmt.Sprintf(format, v)
}

// say prints a life's heading: who, the waiting time by cause, and sparklines.
func (l *life) say(out show.Output) {
	j := &l.moments[0].Job
	text := "job " + j.KnownAs()
	if j.Name != "" {
		text += " " + strconv.Quote(j.Name)
	}
	if j.Owner != "" {
		text += " of " + j.Owner
	}
	if !unknownTime(j.Submitted) {
		text += ", submitted " + out.Zoned(j.Submitted)
	}
	out.Say("%s; in %s of %s", show.Printable(text), show.Plural(len(l.moments), "snapshot"), l.cluster)
	out.Say("%s", l.waitText())
	up := "  (up is sooner)"
	for _, line := range l.lines() {
		if spark := strings.TrimRight(chart.Spark(&line, 60), " "); spark != "" {
			out.Say("  %-8s %s%s", line.Name, spark, up)
			up = ""
		}
	}
	out.Say("")
}

// waitText says how long a job waited, and for what.
func (l *life) waitText() string {
	w := &l.wait
	total := w.Total()
	verb := "waited"
	if w.Waiting {
		verb = "has waited"
	}
	var parts []string
	for _, p := range w.Parts {
		part := exporter.Span(p.For) + " " + causeName(p.Cause)
		if len(p.Rivals) > 0 {
			part += " (" + rivalText(p.Rivals) + ")"
		}
		parts = append(parts, part)
	}
	if w.Unseen.Round(time.Second) > 0 {
		parts = append(parts, exporter.Span(w.Unseen)+" before the first snapshot")
	}
	if len(parts) == 0 {
		return verb + " " + exporter.Span(total)
	}
	return fmt.Sprintf("%s %s, by cause: %s", verb, exporter.Span(total), strings.Join(parts, ", "))
}

// rivalText names jobs that came first.
func rivalText(rivals []uint32) string {
	const most = 3
	var names []string
	for _, r := range rivals[:min(len(rivals), most)] {
		names = append(names, fmt.Sprint(r))
	}
	text := "job " + strings.Join(names, ", ")
	if len(names) > 1 {
		text = "jobs " + strings.Join(names, ", ")
	}
	if len(rivals) > most {
		text += " …"
	}
	return text + " first"
}

// lines are the values of a life over time.
func (l *life) lines() []chart.Line {
	lines := []chart.Line{{Name: "priority"}, {Name: "rank", Down: true}, {Name: "tickets"}}
	for k := range l.moments {
		prio, tickets, rank := values(&l.moments[k])
		for i, v := range []float64{prio, rank, tickets} {
			lines[i].Values = append(lines[i].Values, v)
		}
	}
	return slices.DeleteFunc(lines, func(line chart.Line) bool {
		return !slices.ContainsFunc(line.Values, func(v float64) bool { return v == v })
	})
}

func (l *life) chart() *chart.Chart {
	c := &chart.Chart{Title: fmt.Sprintf("job %d, %s: %s", l.number, l.cluster, l.waitText()), Lines: l.lines()}
	for k := range l.moments {
		m := &l.moments[k]
		c.Times = append(c.Times, m.TakenAt)
		cause := ""
		if m.Standing != nil {
			cause = string(m.Standing.Cause)
		}
		c.Band = append(c.Band, cause)
	}
	for _, p := range l.wait.Parts {
		c.Legend = append(c.Legend, string(p.Cause))
	}
	return c
}
