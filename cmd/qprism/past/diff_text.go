package past

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/compat"
	"qprism/engine/diff"
	"qprism/engine/model"
)

// expectations describe the rules for an expected order.
var expectations = map[diff.Prediction]string{
	diff.ByOrder:    "the dispatch order of each run",
	diff.ByPlan:     "a plan of each run",
	diff.ByForecast: "a forecast from each snapshot",
}

// Print prints a line for each inversion to a pipe. For people it prints figures, causes and the overtaken
// jobs.
func (r *diffReport) Print(out show.Output) error {
	if !out.People() {
		return out.Sheet(r.pairSheet(out))
	}
	out.Say("%s, times in %s", subject.Title(r.first), out.ZoneOf(r.first.TakenAt))
	out.Say("expected: %s, by the rules of %s", expectations[r.by], r.rules)
	out.Say("")
	r.printFigures(out)
	r.sayErrors(out)
	r.sayUnseen(out)
	if len(r.causes()) > 0 {
		r.printCauses(out)
	} else {
		out.Say("\nNo job was overtaken.")
	}
	out.Say("\nNext: %s", r.next())
	return nil
}

// printCauses prints how often each cause was found, and who was overtaken because of it.
func (r *diffReport) printCauses(out show.Output) {
	out.Say("")
	out.Sheet(r.causeSheet())
	out.Say("")
	t, hidden := r.overtakenSheet(out)
	out.Sheet(t)
	if hidden > 0 {
		out.Say("… and %s; --all lists them for each run", show.Plural(hidden, "more line"))
	}
}

// next returns the command that shows more.
func (r *diffReport) next() string {
	_, lost := r.unseen()
	list := r.overtaken(r.runs)
	switch {
	case len(lost) > 0 && r.first.KeepsCycleLog():
		return "use --sched-log FILE and --accounting FILE, or a full bundle, to see what happened to " +
			"the tasks that disappeared."
	case len(lost) > 0:
		return "use --accounting FILE or --reporting FILE to see what happened to the tasks that disappeared."
	case len(list) > 0 && len(r.names) > 0:
		h := r.hints
		h.Named = cli.SnapshotWord(r.names[0])
		job := fmt.Sprint(list[0].late.Job)
		return show.Step("see what job "+job+" waited for on each host", h.Command("why", job))
	case r.by == diff.ByForecast:
		return show.Step("predict when each waiting job starts", r.hints.Command("forecast"))
	}
	return "add --predict forecast to also compare the start times with a forecast."
}

// printFigures prints a line for each run with starts, but not too many for people, and the totals.
func (r *diffReport) printFigures(out show.Output) {
	const most = 12
	t, idle := r.figureSheet(out)
	hidden := 0
	if !r.all && len(t.Rows) > most {
		hidden, t.Rows = len(t.Rows)-most, t.Rows[:most]
	}
	out.Sheet(t)
	if hidden > 0 {
		out.Say("… and %s; --all lists them", show.Plural(hidden, "more run"))
	}
	if idle > 0 {
		out.Say("and %s without a start", show.Plural(idle, "run"))
	}
	var started, tasks int
	var pairs, inverted int64
	for i := range r.runs {
		f := &r.runs[i].Figures
		started, tasks, pairs, inverted = started+f.Started, tasks+f.Tasks, pairs+f.Pairs, inverted+f.Inversions
	}
	if started == 0 {
		out.Say("\nNo task started, so there is no order to compare.")
		return
	}
	others := ""
	if started < tasks {
		others = " In the comparison, tasks without a start come last."
	}
	out.Say("\n%s started.%s Inversions (pairs of tasks in the wrong order): %d of %d.", show.Plural(started, "task"), others,
		inverted, pairs)
	out.Say("tau-b (rank correlation): 1 = same order, -1 = reverse order; footrule (distance): 0 = " +
		"same order, 1 = reverse order.")
}

// figureSheet has a line for each run that started something, and counts the others; with --all a line for those, too.
func (r *diffReport) figureSheet(out show.Output) (t show.Sheet, idle int) {
	names := []string{"run", ">tasks", ">started", ">tau-b", ">footrule", ">first k", ">inversions", "first overtaken"}
	if r.by == diff.ByForecast {
		names = slices.Insert(names, 7, ">off by P50", ">P90")
		names[0] = "forecast at"
	}
	t = show.NewSheet(names...)
	for i := range r.runs {
		f := &r.runs[i].Figures
		if f.Started == 0 && len(r.runs[i].New) == 0 && len(r.runs) > 1 && !r.all {
			idle++
			continue
		}
		cells := []string{out.Moment(r.runs[i].At), strconv.Itoa(f.Tasks), strconv.Itoa(f.Started),
			show.Ratio(f.TauB), footruleText(f),
			overlapText(f), strconv.FormatInt(f.Inversions, 10), r.divergence(&r.runs[i])}
		if r.by == diff.ByForecast {
			cells = slices.Insert(cells, 7, show.Seconds(f.Errors.P50), show.Seconds(f.Errors.P90))
		}
		t.Add(cells...)
	}
	return t, idle
}

// footruleText prints the footrule. Without any start it prints nothing, because all jobs are tied.
func footruleText(f *diff.Figures) string {
	if f.Started == 0 {
		return "-"
	}
	return show.Ratio(f.Footrule)
}

// overlapText is how many of the first k were the k that started, "2 of 3".
func overlapText(f *diff.Figures) string {
	if f.TopK == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", int(math.Round(f.Overlap*float64(f.TopK))), f.TopK)
}

func (r *diffReport) divergence(run *diff.Run) string {
	f := &run.Figures
	if f.Divergence == 0 {
		return "none"
	}
	return fmt.Sprintf("%s (expected at place %d), by %s", r.name(run.Items[f.Divergence-1].Task),
		f.Divergence, r.name(f.By))
}

func (r *diffReport) name(t diff.Task) string  { return r.jobs.name(t) }
func (r *diffReport) owner(t diff.Task) string { return r.jobs.owner(t) }

// sayErrors says how far the start times of the first forecast were off. Later forecasts have their errors in
// their line.
func (r *diffReport) sayErrors(out show.Output) {
	if r.by != diff.ByForecast || len(r.runs) == 0 {
		return
	}
	e := &r.runs[0].Figures.Errors
	out.Say("")
	if e.Known == 0 {
		out.Say("None of the tasks that the first forecast expected has started.")
	} else {
		out.Say("%s of the first forecast started. For half of these tasks, the predicted start is wrong by at most %s; "+
			"for 90 %% of these tasks, by at most %s. %s started later than predicted.",
			show.Plural(e.Known, "task"), show.Seconds(e.P50), show.Seconds(e.P90), show.Plural(e.Late, "task"))
	}
	if e.Missed > 0 {
		out.Say("%s of the first forecast had not started at the last snapshot.", show.Plural(e.Missed, "task"))
	}
	for _, h := range diff.Horizons(r.runs[0].Items, r.runs[0].At) {
		span := "within " + show.SpanText(h.Within)
		if h.After > 0 {
			span = show.SpanText(h.After) + " to " + show.SpanText(h.Within)
		}
		out.Say("  expected %-21s %s, error P50 %s, P90 %s", span+":",
			show.Plural(h.Known, "task"), show.Seconds(h.P50), show.Seconds(h.P90))
	}
}

// sayUnseen names the tasks that the figures of some runs do not count.
func (r *diffReport) sayUnseen(out show.Output) {
	fresh, lost := r.unseen()
	if len(fresh)+len(lost) > 0 {
		out.Say("")
	}
	if len(fresh) > 0 {
		out.Say("%s started, but no snapshot shows that %s waited. %s.", show.Plural(len(fresh), "task"), itThey(fresh), r.uncounted(fresh))
	}
	if len(lost) > 0 {
		out.Say("%s disappeared between two snapshots, and no file shows that %s started. %s.", show.Plural(len(lost), "task"),
			itThey(lost), r.uncounted(lost))
	}
}

// itThey is the pronoun for tasks.
func itThey(list []diff.Task) string {
	if len(list) == 1 {
		return "it"
	}
	return "they"
}

// uncounted names tasks that the figures leave out.
func (r *diffReport) uncounted(list []diff.Task) string {
	if len(list) == 1 {
		return "Some figures leave out this task: job " + r.named(list)
	}
	return "Some figures leave out these tasks: jobs " + r.named(list)
}

// causeSheet has a line for each cause, and always one for unknown causes.
func (r *diffReport) causeSheet() show.Sheet {
	t := show.NewSheet("cause", "which", ">inversions", ">share", ">tasks overtaken")
	all, unlooked, unknown := r.inversions()
	share := func(n int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))) }
	for _, c := range r.causes() {
		t.Add(c.Cause, c.Detail, strconv.Itoa(c.Pairs), share(int64(c.Pairs)), strconv.Itoa(c.Tasks))
	}
	if unlooked > 0 {
		t.Add("not examined", "", strconv.FormatInt(unlooked, 10), share(unlooked), "")
	}
	if unknown == 0 {
		t.Add(string(diff.Unknown), "", "0", share(0), "0")
	}
	return t
}

// overtakenSheet lists who was overtaken by whom and why, no more lines than people read; with --all run by run.
func (r *diffReport) overtakenSheet(out show.Output) (t show.Sheet, hidden int) {
	const most = 15
	if r.all {
		t = show.NewSheet("run", ">task", "owner", "overtaken by", "because of")
		for i := range r.runs {
			for _, o := range r.overtaken(r.runs[i : i+1]) {
				t.Add(out.Moment(o.first), r.name(o.late), r.owner(o.late), r.named(o.early), causeText(&o.cause))
			}
		}
		return t, 0
	}
	t = show.NewSheet(">task", "owner", "overtaken by", ">runs", "because of")
	for _, o := range r.overtaken(r.runs) {
		if len(t.Rows) == most {
			hidden++
			continue
		}
		t.Add(r.name(o.late), r.owner(o.late), r.named(o.early), strconv.Itoa(o.runs), causeText(&o.cause))
	}
	return t, hidden
}

func (r *diffReport) named(list []diff.Task) string {
	const some = 4
	var names []string
	for i, t := range list {
		if i == some && len(list) > some+1 {
			names = append(names, fmt.Sprintf("%d more", len(list)-some))
			break
		}
		names = append(names, r.name(t))
	}
	return strings.Join(names, ", ")
}

// causeText says a cause in words.
func causeText(c *diff.Cause) string {
	text := ""
	if c.Why != nil {
		text = whyText(c.Why)
	}
	switch c.Kind {
	case diff.Backfilled:
		if !c.Start.IsZero() && c.Start.Unix() > 0 {
			return fmt.Sprintf("backfill: reserved for %s; %s", c.Start.UTC().Format("2006-01-02 15:04:05"),
				cmp.Or(text, c.Detail))
		}
		return "backfill: " + cmp.Or(text, c.Detail)
	case diff.Quirk:
		return "quirk " + c.Detail + ": " + quirkText(c.Detail)
	case diff.Changed:
		return "priority changed: " + c.Detail
	case diff.RunTime:
		return fmt.Sprintf("run times: %s ended earlier than planned, and the other job used the free slots", c.Over)
	case diff.Tie:
		return "tie: the bundle does not show which of the two comes first"
	case diff.Unknown:
		return show.Joined(": ", "unknown", c.Detail)
	}
	return cmp.Or(text, show.Joined(": ", string(c.Kind), c.Detail))
}

// quirkText describes a quirk.
func quirkText(id string) string {
	for _, q := range compat.Quirks {
		if q.ID == id {
			return q.What
		}
	}
	return "several quirks together cause this inversion"
}

// whyText is a reason of either system in words.
func whyText(r *model.Reason) string {
	return cmp.Or(r.Text, words.ReasonText(r))
}

// pairSheet has a line for each inversion.
func (r *diffReport) pairSheet(out show.Output) show.Sheet {
	t := show.NewSheet("run", ">late_job", ">late_task", ">early_job", ">early_task", "cause", "which",
		"because")
	for i := range r.runs {
		run := &r.runs[i]
		for k := range run.Pairs {
			p := &run.Pairs[k]
			t.Add(out.Moment(run.At), show.Number32(p.Late.Job), show.Number32(p.Late.Number), show.Number32(p.Early.Job),
				show.Number32(p.Early.Number),
				string(p.Cause.Kind), p.Cause.Detail, causeText(&p.Cause))
		}
	}
	return t
}
