package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/compat"
	"qprism/engine/audit"
	"qprism/engine/diff"
	"qprism/engine/model"
)

// A diffReport is what a comparison found, to be printed.
type diffReport struct {
	first *model.Snapshot
	jobs  map[uint32]*model.Job // as the first snapshot that has them shows them
	rules string
	by    diff.Prediction
	runs  []diff.Run
	all   bool
}

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
	out.say("%s, %s %s; expected: %s, by the rules of %s", printable(cluster), newSubject(r.first, r.rules, audit.Options{}).system.product(), printable(release(r.first)), expectations[r.by], r.rules)
	out.say("")
	if err := out.sheet(r.figureSheet(out)); err != nil {
		return err
	}
	r.sayErrors(out)
	r.sayUnseen(out)
	if len(r.causes()) == 0 {
		out.say("\nNo job was overtaken.")
		return nil
	}
	out.say("")
	if err := out.sheet(r.causeSheet()); err != nil {
		return err
	}
	out.say("")
	t, hidden := r.overtakenSheet()
	t.fit(out.width())
	if err := out.sheet(t); err != nil {
		return err
	}
	if hidden > 0 {
		out.say("… and %s more; --all lists them", plural(hidden, "line"))
	}
	return nil
}

// figureSheet has a line for each run that started something.
func (r *diffReport) figureSheet(out output) sheet {
	names := []string{"run", ">tasks", ">started", ">tau-b", ">footrule", ">first k", ">inversions", "first overtaken"}
	if r.by == diff.ByForecast {
		names = slices.Insert(names, 7, ">off by P50", ">P90")
	}
	t := sheet{columns: columns(names...)}
	idle := 0
	for i := range r.runs {
		f := &r.runs[i].Figures
		if f.Started == 0 && len(r.runs[i].New) == 0 && len(r.runs) > 1 && !r.all {
			idle++
			continue
		}
		cells := []string{out.moment(r.runs[i].At), strconv.Itoa(f.Tasks), strconv.Itoa(f.Started), ratio(f.TauB), ratio(f.Footrule),
			ratio(f.Overlap) + " of " + strconv.Itoa(f.TopK), strconv.FormatInt(f.Inversions, 10), r.divergence(&r.runs[i])}
		if r.by == diff.ByForecast {
			cells = slices.Insert(cells, 7, seconds(f.Errors.P50), seconds(f.Errors.P90))
		}
		t.add(cells...)
	}
	if idle > 0 {
		t.add(plural(idle, "run") + " that started nothing")
		last := &t.rows[len(t.rows)-1]
		for len(*last) < len(t.columns) {
			*last = append(*last, "")
		}
	}
	return t
}

func (r *diffReport) divergence(run *diff.Run) string {
	f := &run.Figures
	if f.Divergence == 0 {
		return "none"
	}
	return fmt.Sprintf("%s, expected at place %d, by %s", r.name(run.Items[f.Divergence-1].Task), f.Divergence, r.name(f.By))
}

// name is a task's name: of a job that is no array its number alone.
func (r *diffReport) name(t diff.Task) string {
	if j := r.jobs[t.Job]; t.Number == 1 && (j == nil || !j.Array) {
		return number32(t.Job)
	}
	return t.String()
}

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
		out.say("No task started of which the first forecast expected it.")
	} else {
		out.say("The first forecast: half of %s were off by no more than %s, nine of ten by no more than %s; %d came later than expected.", plural(e.Known, "task"),
			seconds(e.P50), seconds(e.P90), e.Late)
	}
	if e.Missed > 0 {
		out.say("Until the last snapshot %s expected by it have not started.", plural(e.Missed, "task"))
	}
	for _, h := range diff.Horizons(r.runs[0].Items, r.runs[0].At) {
		out.say("  expected within %-9s %s, P50 %s, P90 %s", spanText(h.Within)+":", plural(h.Known, "task"), seconds(h.P50), seconds(h.P90))
	}
}

// sayUnseen names the tasks that no figure counts, because a snapshot lacks them.
func (r *diffReport) sayUnseen(out output) {
	var fresh, lost []diff.Task
	seen := map[diff.Task]bool{}
	for i := range r.runs {
		fresh = append(fresh, r.runs[i].New...)
		for _, t := range r.runs[i].Lost {
			if !seen[t] {
				seen[t] = true
				lost = append(lost, t)
			}
		}
	}
	if len(fresh)+len(lost) > 0 {
		out.say("")
	}
	if len(fresh) > 0 {
		out.say("Not in the figures: %s started that no snapshot shows waiting: %s.", plural(len(fresh), "task"), r.named(fresh))
	}
	if len(lost) > 0 {
		out.say("Not in the figures: %s gone without a trace: %s. An accounting file may know them: --accounting.", plural(len(lost), "task"), r.named(lost))
	}
}

func seconds(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return spanText(time.Duration(math.Round(v)) * time.Second)
}

// A causeCount counts the inversions of one cause.
type causeCount struct {
	kind   diff.Kind
	detail string
	pairs  int
	jobs   int // that were overtaken
}

// causes counts inversions by cause, the kinds in their order, the most frequent first.
func (r *diffReport) causes() (list []causeCount) {
	places := map[[2]string]int{}
	type who struct {
		place, run int
		task       diff.Task
	}
	seen := map[who]bool{}
	for i := range r.runs {
		for _, p := range r.runs[i].Pairs {
			key := [2]string{string(p.Cause.Kind), p.Cause.Detail}
			at, known := places[key]
			if !known {
				at = len(list)
				places[key] = at
				list = append(list, causeCount{kind: p.Cause.Kind, detail: p.Cause.Detail})
			}
			list[at].pairs++
			if w := (who{at, i, p.Late}); !seen[w] {
				seen[w] = true
				list[at].jobs++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b causeCount) int {
		return cmp.Or(cmp.Compare(slices.Index(diff.Kinds, a.kind), slices.Index(diff.Kinds, b.kind)), cmp.Compare(b.pairs, a.pairs), cmp.Compare(a.detail, b.detail))
	})
	return list
}

// inversions is their number, and how many have no cause.
func (r *diffReport) inversions() (all, unlooked int64, unknown int) {
	for i := range r.runs {
		all += r.runs[i].Figures.Inversions
		unlooked += r.runs[i].Unlooked
		for _, p := range r.runs[i].Pairs {
			if p.Cause.Kind == diff.Unknown {
				unknown++
			}
		}
	}
	return all, unlooked, unknown
}

// causeSheet has a line for each cause, and one for what is unknown, even where nothing is.
func (r *diffReport) causeSheet() sheet {
	t := sheet{columns: columns("cause", "which", ">inversions", ">share", ">tasks overtaken")}
	all, unlooked, unknown := r.inversions()
	share := func(n int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))) }
	for _, c := range r.causes() {
		t.add(string(c.kind), c.detail, strconv.Itoa(c.pairs), share(int64(c.pairs)), strconv.Itoa(c.jobs))
	}
	if unlooked > 0 {
		t.add("not looked at", "", strconv.FormatInt(unlooked, 10), share(unlooked), "")
	}
	if unknown == 0 {
		t.add(string(diff.Unknown), "", "0", share(0), "0")
	}
	return t
}

// An overtaken task with those that overtook it for one cause.
type overtaken struct {
	late  diff.Task
	cause diff.Cause
	early []diff.Task
}

// overtakenOf groups the inversions of a run.
func overtakenOf(run *diff.Run) (list []overtaken) {
	type key struct {
		late         diff.Task
		kind, detail string
	}
	places := map[key]int{}
	for _, p := range run.Pairs {
		k := key{p.Late, string(p.Cause.Kind), p.Cause.Detail}
		at, known := places[k]
		if !known {
			at = len(list)
			places[k] = at
			list = append(list, overtaken{late: p.Late, cause: p.Cause})
		}
		list[at].early = append(list[at].early, p.Early)
	}
	return list
}

// overtakenSheet lists who was overtaken by whom and why, no more lines than people read.
func (r *diffReport) overtakenSheet() (t sheet, hidden int) {
	const most = 20
	t = sheet{columns: columns("run", ">task", "owner", "overtaken by", "because of")}
	for i := range r.runs {
		for _, o := range overtakenOf(&r.runs[i]) {
			if len(t.rows) == most && !r.all {
				hidden++
				continue
			}
			t.add(r.runs[i].At.UTC().Format("15:04:05"), r.name(o.late), r.owner(o.late), r.named(o.early), causeText(&o.cause))
		}
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

func (r *diffReport) owner(t diff.Task) string {
	if j := r.jobs[t.Job]; j != nil {
		return j.Owner
	}
	return ""
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

// writeJSON writes everything.
func (r *diffReport) writeJSON(w io.Writer) error {
	all, unlooked, unknown := r.inversions()
	report := jsonDiff{Cluster: r.first.Cluster, Release: r.first.Release.String(), Rules: r.rules, Predict: string(r.by), Inversions: all, Unlooked: unlooked, Unknown: unknown,
		Runs: []jsonDiffRun{}, Causes: []jsonCauseCount{}}
	for _, c := range r.causes() {
		report.Causes = append(report.Causes, jsonCauseCount{string(c.kind), c.detail, c.pairs, c.jobs})
	}
	for i := range r.runs {
		report.Runs = append(report.Runs, diffRunJSON(&r.runs[i]))
	}
	return output{w: w, format: "json"}.json(report)
}

type jsonDiff struct {
	Cluster    string           `json:"cluster"`
	Release    string           `json:"release"`
	Rules      string           `json:"quirks"`
	Predict    string           `json:"predict"`
	Inversions int64            `json:"inversions"`
	Unlooked   int64            `json:"not_looked_at"`
	Unknown    int              `json:"unknown"`
	Causes     []jsonCauseCount `json:"causes"`
	Runs       []jsonDiffRun    `json:"runs"`
}

type jsonCauseCount struct {
	Cause  string `json:"cause"`
	Detail string `json:"detail"`
	Pairs  int    `json:"inversions"`
	Tasks  int    `json:"tasks"`
}

type jsonDiffRun struct {
	At         *string         `json:"run_at"`
	Tasks      int             `json:"tasks"`
	Started    int             `json:"started"`
	TauB       number          `json:"tau_b"`
	Footrule   number          `json:"footrule"`
	K          int             `json:"k"`
	Overlap    number          `json:"overlap"`
	Divergence int             `json:"first_divergence"`
	Inversions int64           `json:"inversions"`
	P50        number          `json:"start_error_p50"`
	P90        number          `json:"start_error_p90"`
	Median     number          `json:"start_error_median"`
	Missed     int             `json:"missed"`
	Order      []jsonItem      `json:"order"`
	Pairs      []jsonInversion `json:"pairs"`
	Lost       []string        `json:"lost,omitempty"`
	New        []string        `json:"new,omitempty"`
}

type jsonItem struct {
	Task     string  `json:"task"`
	Expected *string `json:"expected,omitempty"`
	Started  *string `json:"started"`
	Actual   int32   `json:"actual"`
}

type jsonInversion struct {
	Late   string      `json:"late"`
	Early  string      `json:"early"`
	Cause  string      `json:"cause"`
	Detail string      `json:"detail,omitempty"`
	Start  *string     `json:"reserved_for,omitempty"`
	Why    *jsonReason `json:"why,omitempty"`
	Text   string      `json:"text"`
}

func diffRunJSON(run *diff.Run) jsonDiffRun {
	f := &run.Figures
	j := jsonDiffRun{At: rfc3339(run.At), Tasks: f.Tasks, Started: f.Started, TauB: number(f.TauB), Footrule: number(f.Footrule), K: f.TopK, Overlap: number(f.Overlap),
		Divergence: f.Divergence, Inversions: f.Inversions, P50: number(f.Errors.P50), P90: number(f.Errors.P90), Median: number(f.Errors.Median), Missed: f.Errors.Missed,
		Order: []jsonItem{}, Pairs: []jsonInversion{}, Lost: names(run.Lost), New: names(run.New)}
	for _, it := range run.Items {
		j.Order = append(j.Order, jsonItem{it.Task.String(), rfc3339(it.Expected), rfc3339(it.Started), it.Actual})
	}
	for i := range run.Pairs {
		p := &run.Pairs[i]
		pair := jsonInversion{Late: p.Late.String(), Early: p.Early.String(), Cause: string(p.Cause.Kind), Detail: p.Cause.Detail, Start: rfc3339(p.Cause.Start), Text: causeText(&p.Cause)}
		if p.Cause.Why != nil {
			why := reasonsJSON([]model.Reason{*p.Cause.Why}, false)[0]
			pair.Why = &why
		}
		j.Pairs = append(j.Pairs, pair)
	}
	return j
}

func names(tasks []diff.Task) (list []string) {
	for _, t := range tasks {
		list = append(list, t.String())
	}
	return list
}
