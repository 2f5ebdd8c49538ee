package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/compat"
	"qprism/engine/diff"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// expectations say in words what an order is expected by.
var expectations = map[diff.Prediction]string{
	diff.ByOrder:    "the order in which each run tries its jobs",
	diff.ByPlan:     "what a plan of each run starts",
	diff.ByForecast: "a forecast from each snapshot",
}

// print prints a line for each inversion into a pipe, and figures, causes and who was overtaken for people.
func (r *diffReport) print(out output) error {
	if !out.people() {
		return out.sheet(r.pairSheet(out))
	}
	cluster := r.first.Cluster
	if cluster == "" {
		cluster = "unnamed cluster"
	}
	out.say("%s, %s %s, times in UTC", printable(cluster), newSubject(r.first, r.rules, lastrun.Options{}).system.product(), printable(release(r.first)))
	out.say("expected: %s, by the rules of %s", expectations[r.by], r.rules)
	out.say("")
	if err := r.printFigures(out); err != nil {
		return err
	}
	r.sayErrors(out)
	r.sayUnseen(out)
	if len(r.causes()) > 0 {
		if err := r.printCauses(out); err != nil {
			return err
		}
	} else {
		out.say("\nNo job was overtaken.")
	}
	out.say("\nNext: %s", r.next())
	return nil
}

// printCauses prints how often each cause was found, and who was overtaken because of it.
func (r *diffReport) printCauses(out output) error {
	out.say("")
	if err := out.sheet(r.causeSheet()); err != nil {
		return err
	}
	out.say("")
	t, hidden := r.overtakenSheet(out)
	t.whole = r.all
	if err := out.sheet(t); err != nil {
		return err
	}
	if hidden > 0 {
		out.say("… and %s; --all lists them, run by run", plural(hidden, "more line"))
	}
	return nil
}

// next is the command that tells more.
func (r *diffReport) next() string {
	_, lost := r.unseen()
	list := r.overtaken(r.runs)
	switch {
	case len(lost) > 0 && r.first.PBS != nil:
		return "--sched-log FILE and --accounting FILE, or a full bundle, tell what became of the tasks that are gone."
	case len(lost) > 0:
		return "--accounting FILE or --reporting FILE tells what became of the tasks that are gone."
	case len(list) > 0 && len(r.names) > 0:
		h := r.hints
		h.named = snapshotWord(r.names[0])
		return h.in(fmt.Sprintf("qprism why %d says what it waited for, place by place.", list[0].late.Job))
	case r.by == diff.ByForecast:
		return r.hints.in("qprism forecast says when each job that waits will start.")
	}
	return "--predict forecast holds start times against a forecast, too."
}

// printFigures prints a line for each run that started something, no more than people read, and what they come to.
func (r *diffReport) printFigures(out output) error {
	const most = 12
	t, idle := r.figureSheet(out)
	hidden := 0
	if !r.all && len(t.rows) > most {
		hidden, t.rows = len(t.rows)-most, t.rows[:most]
	}
	if err := out.sheet(t); err != nil {
		return err
	}
	if hidden > 0 {
		out.say("… and %s; --all lists them", plural(hidden, "more run"))
	}
	if idle > 0 {
		out.say("and %s that started nothing", plural(idle, "run"))
	}
	var started, tasks int
	var pairs, inverted int64
	for i := range r.runs {
		f := &r.runs[i].Figures
		started, tasks, pairs, inverted = started+f.Started, tasks+f.Tasks, pairs+f.Pairs, inverted+f.Inversions
	}
	if started == 0 {
		out.say("\nNothing started, so there is no order to compare with.")
		return nil
	}
	out.say("\nTogether %d started; %d of %s came the other way round.", started, inverted, plural(int(pairs), "pair"))
	out.say("tau-b: 1 is the same order, -1 the reverse; footrule: 0 is the same order, 1 the reverse.")
	if started < tasks {
		out.say("What did not start counts as last, all alike.")
	}
	return nil
}

// figureSheet has a line for each run that started something, and counts the others; with --all a line for those, too.
func (r *diffReport) figureSheet(out output) (t sheet, idle int) {
	names := []string{"run", ">tasks", ">started", ">tau-b", ">footrule", ">first k", ">inversions", "first overtaken"}
	if r.by == diff.ByForecast {
		names = slices.Insert(names, 7, ">off by P50", ">P90")
		names[0] = "forecast at"
	}
	t = sheet{columns: columns(names...)}
	for i := range r.runs {
		f := &r.runs[i].Figures
		if f.Started == 0 && len(r.runs[i].New) == 0 && len(r.runs) > 1 && !r.all {
			idle++
			continue
		}
		cells := []string{out.moment(r.runs[i].At), strconv.Itoa(f.Tasks), strconv.Itoa(f.Started), ratio(f.TauB), footruleText(f),
			overlapText(f), strconv.FormatInt(f.Inversions, 10), r.divergence(&r.runs[i])}
		if r.by == diff.ByForecast {
			cells = slices.Insert(cells, 7, seconds(f.Errors.P50), seconds(f.Errors.P90))
		}
		t.add(cells...)
	}
	return t, idle
}

// footruleText is the footrule, unless nothing started: then all are tied, and it is one half of nothing.
func footruleText(f *diff.Figures) string {
	if f.Started == 0 {
		return "-"
	}
	return ratio(f.Footrule)
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
	return fmt.Sprintf("%s, expected at place %d, by %s", r.name(run.Items[f.Divergence-1].Task), f.Divergence, r.name(f.By))
}

func (r *diffReport) name(t diff.Task) string  { return r.jobs.name(t) }
func (r *diffReport) owner(t diff.Task) string { return r.jobs.owner(t) }

func ratio(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// sayErrors says how far the start times of the first forecast were off; those of later ones are in its line of the figures.
func (r *diffReport) sayErrors(out output) {
	if r.by != diff.ByForecast || len(r.runs) == 0 {
		return
	}
	e := &r.runs[0].Figures.Errors
	out.say("")
	if e.Known == 0 {
		out.say("No task started that the first forecast expected to.")
	} else {
		out.say("The first forecast: half of %s were off by %s at most, nine of ten by %s; %d came later than expected.", plural(e.Known, "start"),
			seconds(e.P50), seconds(e.P90), e.Late)
	}
	if e.Missed > 0 {
		out.say("%s that it expected had not started when the last snapshot was taken.", plural(e.Missed, "task"))
	}
	for _, h := range diff.Horizons(r.runs[0].Items, r.runs[0].At) {
		out.say("  expected within %-9s %s, P50 %s, P90 %s", spanText(h.Within)+":", plural(h.Known, "task"), seconds(h.P50), seconds(h.P90))
	}
}

// sayUnseen names the tasks that no figure counts.
func (r *diffReport) sayUnseen(out output) {
	fresh, lost := r.unseen()
	if len(fresh)+len(lost) > 0 {
		out.say("")
	}
	if len(fresh) > 0 {
		out.say("Not in the figures: %s started that no snapshot shows waiting: %s.", plural(len(fresh), "task"), r.named(fresh))
	}
	if len(lost) > 0 {
		out.say("Not in the figures, as nothing tells whether they started: %s that went between two snapshots: %s.", plural(len(lost), "task"), r.named(lost))
	}
}

func seconds(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return spanText(time.Duration(math.Round(v)) * time.Second)
}

// causeSheet has a line for each cause, and one for what is unknown, even where nothing is.
func (r *diffReport) causeSheet() sheet {
	t := sheet{columns: columns("cause", "which", ">inversions", ">share", ">tasks overtaken")}
	all, unlooked, unknown := r.inversions()
	share := func(n int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))) }
	for _, c := range r.causes() {
		t.add(string(c.kind), c.detail, strconv.Itoa(c.pairs), share(int64(c.pairs)), strconv.Itoa(c.tasks))
	}
	if unlooked > 0 {
		t.add("not looked at", "", strconv.FormatInt(unlooked, 10), share(unlooked), "")
	}
	if unknown == 0 {
		t.add(string(diff.Unknown), "", "0", share(0), "0")
	}
	return t
}

// overtakenSheet lists who was overtaken by whom and why, no more lines than people read; with --all run by run.
func (r *diffReport) overtakenSheet(out output) (t sheet, hidden int) {
	const most = 15
	if r.all {
		t = sheet{columns: columns("run", ">task", "owner", "overtaken by", "because of")}
		for i := range r.runs {
			for _, o := range r.overtaken(r.runs[i : i+1]) {
				t.add(out.moment(o.first), r.name(o.late), r.owner(o.late), r.named(o.early), causeText(&o.cause))
			}
		}
		return t, 0
	}
	t = sheet{columns: columns(">task", "owner", "overtaken by", ">runs", "because of")}
	for _, o := range r.overtaken(r.runs) {
		if len(t.rows) == most {
			hidden++
			continue
		}
		t.add(r.name(o.late), r.owner(o.late), r.named(o.early), strconv.Itoa(o.runs), causeText(&o.cause))
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
			return fmt.Sprintf("backfill: reserved for %s; %s", c.Start.UTC().Format("2006-01-02 15:04:05"), orText(text, c.Detail))
		}
		return "backfill: " + orText(text, c.Detail)
	case diff.Quirk:
		return "quirk " + c.Detail + ": " + quirkText(c.Detail)
	case diff.Changed:
		return "priority changed: " + c.Detail
	case diff.RunTime:
		return fmt.Sprintf("run times: %s was over sooner than foreseen, and made room for the early one", c.Over)
	case diff.Tie:
		return "tie: nothing in a bundle says which comes first"
	case diff.Unknown:
		return joined(": ", "unknown", c.Detail)
	}
	if text != "" {
		return text
	}
	return joined(": ", string(c.Kind), c.Detail)
}

func orText(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// quirkText says what a quirk is.
func quirkText(id string) string {
	for _, q := range compat.Quirks {
		if q.ID == id {
			return q.What
		}
	}
	return "it takes more than one to leave the inversion out"
}

// whyText is a reason of either system in words.
func whyText(r *model.Reason) string {
	if r.Text != "" {
		return r.Text
	}
	return reasonText(r)
}

// pairSheet has a line for each inversion.
func (r *diffReport) pairSheet(out output) sheet {
	t := sheet{columns: columns("run", ">late_job", ">late_task", ">early_job", ">early_task", "cause", "which", "because")}
	for i := range r.runs {
		run := &r.runs[i]
		for k := range run.Pairs {
			p := &run.Pairs[k]
			t.add(out.moment(run.At), number32(p.Late.Job), number32(p.Late.Number), number32(p.Early.Job), number32(p.Early.Number),
				string(p.Cause.Kind), p.Cause.Detail, causeText(&p.Cause))
		}
	}
	return t
}
