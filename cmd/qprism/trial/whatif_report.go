package trial

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// A WhatIfReport has the changes and their effects, for output.
type WhatIfReport struct {
	*whatif.Report
	s       *subject.Subject
	at      lastrun.Moment
	changes []string
	variant string   // as push --policy accepts it; empty if the policy itself is changed
	makes   []string // Grid Engine commands that make the changes, without a variant
	all     bool

	linear map[uint32]whatif.LinearTerm // terms of the variant linear
}

// Print prints a line for each waiting job to a pipe. For people it prints gains and losses.
func (r *WhatIfReport) Print(out show.Output) error {
	if !out.People() {
		return out.Sheet(r.jobSheet(out, r.Jobs))
	}
	out.Say("%s; run at %s; rules of %s", subject.Title(r.s.Snapshot), out.Zoned(r.At),
		subject.RulesName(r.s.Snapshot, r.s.Rules))
	out.Say("what if: %s", show.Printable(strings.Join(r.changes, ", ")))
	out.Say("")
	if len(r.Jobs) == 0 {
		out.Say("No job waits.")
		return nil
	}
	for _, line := range r.summary() {
		out.Say("%s", line)
	}
	moved := slices.DeleteFunc(slices.Clone(r.Jobs), func(j whatif.Job) bool { return !moves(&j) })
	if len(moved) == 0 {
		out.Say("\nNobody gains or loses.\nNext: %s",
			show.Step("see which settings affect the order, and which do not", r.s.Command("lint")))
		return nil
	}
	for _, kind := range []string{whatif.ByUser, whatif.ByProject, whatif.ByDepartment, whatif.BySize} {
		r.printGroups(out, kind)
	}
	hidden := 0
	if most := 15; !r.all && len(moved) > most {
		slices.SortStableFunc(moved, func(a, b whatif.Job) int {
			return cmp.Or(cmp.Compare(b.ChangeWait.Abs(), a.ChangeWait.Abs()),
				cmp.Compare(magnitude(b.Climbs()), magnitude(a.Climbs())))
		})
		hidden, moved = len(moved)-most, moved[:most]
	}
	out.Say("")
	t := r.jobSheet(out, moved)
	t.DropSame("project", "department")
	out.Sheet(t)
	if hidden > 0 {
		out.Say("… and %s with smaller changes; --all lists them", show.Plural(hidden, "more job"))
	}
	out.Say("\nNext: %s", r.next())
	return nil
}

// next returns the command that makes the change, or shows more.
func (r *WhatIfReport) next() string {
	warnings := show.Step("see the policy warnings", r.s.Command("lint"))
	switch {
	case r.variant != "":
		return show.Step("see the commands for this order; without --apply, qprism sends none",
			r.s.Command("push", "--policy", r.variant))
	case len(r.makes) == 0:
		return warnings
	}
	return show.Step("change the policy of the cluster", strings.Join(r.makes, " && ")) + "\nOr: " + warnings
}

func magnitude(n int) int { return max(n, -n) }

func moves(j *whatif.Job) bool {
	return j.Climbs() != 0 || j.ChangeWait != 0 || j.Starts[0] != j.Starts[1] || j.Never[0] != j.Never[1]
}

// summary says in a few lines how much changes.
func (r *WhatIfReport) summary() (lines []string) {
	places := 0
	for i := range r.Jobs {
		if r.Jobs[i].Climbs() != 0 {
			places++
		}
	}
	tau := "One of the two orders is empty"
	if !math.IsNaN(r.TauB) {
		tau = "Rank correlation with today's order: " + show.Ratio(r.TauB) + " (1 = same)"
	}
	lines = append(lines, fmt.Sprintf("%d of %s would get another place. %s.", places,
		show.Plural(len(r.Jobs), "waiting job"), tau),
		fmt.Sprintf("Tasks that the next run starts: %d with today's policy, %d with the change.", r.Starts[0], r.Starts[1]))
	if mean, jobs := r.Mean(); jobs > 0 {
		lines = append(lines, fmt.Sprintf("Average wait in the forecasts: %s with today's policy, %s with the "+
			"change. The average includes only jobs that start in both forecasts (%s).", show.Seconds(mean[0]),
			show.Seconds(mean[1]), show.Plural(jobs, "job")))
	}
	return lines
}

// headings are the headings of groups.
var headings = map[string]string{whatif.ByUser: "user", whatif.ByProject: "project", whatif.ByDepartment: "department",
	whatif.BySize: "size"}

// printGroups prints the groups of a kind, the greatest gain first. It leaves out a kind with only one group.
func (r *WhatIfReport) printGroups(out show.Output, kind string) {
	const most = 12
	groups := slices.DeleteFunc(slices.Clone(r.Groups), func(g whatif.Group) bool { return g.Kind != kind })
	if len(groups) < 2 {
		return
	}
	hidden := 0
	if !r.all && len(groups) > most {
		hidden = len(groups) - most
		groups = slices.Concat(groups[:most/2], groups[len(groups)-most/2:])
	}
	names := []string{headings[kind], ">jobs", ">places", ">starts today", ">then"}
	never := slices.ContainsFunc(groups, func(g whatif.Group) bool { return g.Never != [2]int{} })
	if r.Played {
		names = append(names, ">wait today", ">then", ">change")
		if never {
			names = append(names, ">never today", ">then")
		}
	}
	t := show.NewSheet(names...)
	for i := range groups {
		t.Add(r.groupCells(&groups[i])[:len(names)]...)
	}
	out.Say("")
	out.Sheet(t)
	if hidden > 0 {
		out.Say("… and %d between them; --all lists them", hidden)
	}
}

func (r *WhatIfReport) groupCells(g *whatif.Group) []string {
	cells := []string{g.Name, strconv.Itoa(g.Jobs), climbText(g.Climbs), strconv.Itoa(g.Starts[0]),
		strconv.Itoa(g.Starts[1])}
	if !r.Played {
		return cells
	}
	if g.Waits == 0 {
		cells = append(cells, "-", "-", "-")
	} else {
		cells = append(cells, show.Seconds(g.Wait[0]), show.Seconds(g.Wait[1]), signedSpan(g.Wait[1]-g.Wait[0]))
	}
	return append(cells, strconv.Itoa(g.Never[0]), strconv.Itoa(g.Never[1]))
}

// climbText is a number of places with one digit, 0 for none.
func climbText(v float64) string {
	if math.Abs(v) < 0.05 {
		return "0"
	}
	return fmt.Sprintf("%+.1f", v)
}

// signedSpan is a change of a wait, in seconds.
func signedSpan(v float64) string {
	if d := time.Duration(math.Round(v)) * time.Second; d > 0 {
		return "+" + show.SpanText(d)
	} else if d < 0 {
		return show.SpanText(d)
	}
	return "0"
}

// jobSheet has a line for each job, in the new order.
func (r *WhatIfReport) jobSheet(out show.Output, jobs []whatif.Job) show.Sheet {
	names := []string{">job", "owner", "project", "department", ">slots", ">place today", ">then",
		">climbs", "run today", "then"}
	if r.Played {
		names = append(names, ">wait today", ">then", ">change")
	}
	if r.linear != nil {
		names = append(names, ">value then", ">of urgency", ">of tickets", ">of -p")
	}
	t := show.Sheet{Columns: show.Columns(names...), Less: []string{"of -p", "of urgency", "of tickets", "value then"}}
	for i := range jobs {
		j := &jobs[i]
		cells := []string{show.Number32(j.Job.Number), j.Job.Owner, j.Job.Project, j.Job.Department, strconv.Itoa(j.Size),
			strconv.Itoa(j.Rank[0]), strconv.Itoa(j.Rank[1]),
			climbsText(j.Climbs()), string(j.Verdict[0]), string(j.Verdict[1])}
		if r.Played {
			change := "-"
			if j.WaitKnown {
				change = signedSpan(j.ChangeWait.Seconds())
			}
			cells = append(cells, startsIn(j, 0), startsIn(j, 1), change)
		}
		if l, ok := r.linear[j.Job.Number]; ok {
			u, k, x := l.Parts()
			cells = append(cells, fmt.Sprintf("%.5f", l.Value), fmt.Sprintf("%.5f", u), fmt.Sprintf("%.5f", k),
				fmt.Sprintf("%.5f", x))
		} else if r.linear != nil {
			cells = append(cells, "", "", "", "")
		}
		t.Add(cells...)
	}
	return t
}

// climbsText is a number of places with its sign, 0 for none.
func climbsText(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}

func startsIn(j *whatif.Job, side int) string {
	if j.Never[side] {
		return "never"
	}
	return show.SpanText(j.Wait[side])
}

type jsonWhatIf struct {
	Cluster string            `json:"cluster"`
	Release string            `json:"release"`
	Rules   string            `json:"quirks"`
	At      time.Time         `json:"run_at"`
	Changes []string          `json:"changes"`
	TauB    float64           `json:"tau_b"`
	Starts  [2]int            `json:"starts"`
	Mean    [2]float64        `json:"mean_wait"`
	Groups  []jsonWhatIfGroup `json:"groups"`
	Jobs    []jsonWhatIfJob   `json:"jobs"`
}

type jsonWhatIfGroup struct {
	Kind   string      `json:"kind"`
	Name   string      `json:"name"`
	Jobs   int         `json:"jobs"`
	Climbs float64     `json:"places"`
	Starts [2]int      `json:"starts"`
	Wait   *[2]float64 `json:"wait"` // null where no job starts in both forecasts
	Never  [2]int      `json:"never"`
}

// jsonLinear is the value of a job in the linear order, and its summands.
type jsonLinear struct {
	Value   float64 `json:"value"`
	Urgency float64 `json:"urgency"`
	Tickets float64 `json:"tickets"`
	Posix   float64 `json:"posix"`
}

type jsonWhatIfJob struct {
	Job        uint32           `json:"job"`
	Owner      string           `json:"owner"`
	Project    string           `json:"project,omitempty"`
	Department string           `json:"department,omitempty"`
	Slots      int              `json:"slots"`
	Place      [2]int           `json:"place"`
	Verdict    [2]model.Verdict `json:"verdict"`
	Wait       [2]time.Duration `json:"wait"`             // seconds, null for never and without forecasts
	Linear     *jsonLinear      `json:"linear,omitempty"` // variant linear: the values that rank the jobs
}

// WriteJSON writes the whole report. Of two values, the first is the current one.
func (r *WhatIfReport) WriteJSON(w io.Writer) error {
	mean, _ := r.Mean()
	j := jsonWhatIf{Cluster: r.s.Cluster, Release: r.s.Release.String(),
		Rules: subject.RulesName(r.s.Snapshot, r.s.Rules), At: r.At,
		Changes: r.changes, TauB: r.TauB, Starts: r.Report.Starts,
		Mean: [2]float64{mean[0], mean[1]}, Groups: []jsonWhatIfGroup{}, Jobs: []jsonWhatIfJob{}}
	for i := range r.Groups {
		g := &r.Groups[i]
		group := jsonWhatIfGroup{Kind: g.Kind, Name: g.Name, Jobs: g.Jobs, Climbs: g.Climbs, Starts: g.Starts, Never: g.Never}
		if g.Waits > 0 {
			group.Wait = &[2]float64{g.Wait[0], g.Wait[1]}
		}
		j.Groups = append(j.Groups, group)
	}
	for i := range r.Jobs {
		n := &r.Jobs[i]
		job := jsonWhatIfJob{Job: n.Job.Number, Owner: n.Job.Owner, Project: n.Job.Project,
			Department: n.Job.Department, Slots: n.Size, Place: n.Rank, Verdict: n.Verdict}
		if l, ok := r.linear[n.Job.Number]; ok {
			u, k, x := l.Parts()
			job.Linear = &jsonLinear{l.Value, u, k, x}
		}
		for side := range job.Wait {
			job.Wait[side] = model.Forever
			if r.Played && !n.Never[side] {
				job.Wait[side] = n.Wait[side]
			}
		}
		j.Jobs = append(j.Jobs, job)
	}
	return show.Output{W: w, Format: "json"}.JSON(j)
}
