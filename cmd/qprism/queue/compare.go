package queue

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/explain"
	"qprism/engine/model"
)

type compareOptions struct {
	subject.Selection
	at string
}

func newCompare(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "compare A B [BUNDLE]", runCompareJobs)
	subject.AddSelection(c, &opts.Selection)
	addAt(c, &opts.at)
	c.Args = cobra.RangeArgs(2, 3)
	c.ValidArgsFunction = subject.CompleteJob(d)
	return c
}

func runCompareJobs(ctx context.Context, d *cli.Deps, opts compareOptions, args []string, w io.Writer) error {
	if id := args[1]; len(args) == 2 && (id == "" || id[0] < '0' || id[0] > '9') {
		return fmt.Errorf("%q is not a job number: give two, then the bundle", id)
	}
	s, sc, err := scene(ctx, d, &opts.Selection, opts.at, args[2:])
	if err != nil {
		return err
	}
	var ids [2]string
	for i := range ids {
		if ids[i], err = s.Batch.InScene(args[i]); err != nil {
			return err
		}
	}
	c, err := sc.Compare(ids[0], ids[1])
	if err != nil {
		return withList(err)
	}
	switch out := d.Output(w); d.Format {
	case "json":
		return out.JSON(comparedJSON(s, c))
	case "csv", "tsv":
		return out.Sheet(pairTable(c, c.Rows, ""))
	default:
		p := &explanationText{out: out, colour: out.Colored()}
		p.printComparison(s, sc, c)
		return p.write()
	}
}

// printComparison prints one screen: both jobs, term by term, and what would change their order.
func (p *explanationText) printComparison(s *subject.Subject, sc explain.Scene, c *explain.Comparison) {
	p.out.Terminal = true // a comparison is for people, wherever it goes; programs ask for JSON
	p.header(s, sc)
	for _, e := range []*explain.Explanation{c.A, c.B} {
		p.paragraph(Describe(e.Job, e.ID, "", p.out) + ": " + briefly(e))
	}
	p.line("")
	p.line("%s", p.strong(show.Printable(first(c))))
	p.line("")
	for _, e := range []*explain.Explanation{c.A, c.B} {
		if notes := explanationNotes(e); e.State == explain.NotInRun && len(notes) > 0 {
			p.paragraph("Job " + e.ID + ": " + strings.ToLower(notes[0][:1]) + notes[0][1:])
			p.line("")
		}
	}
	if rows := telling(c.Rows); len(rows) > 0 {
		out := p.out
		out.W, out.Columns = &p.Buffer, p.width()
		out.Sheet(pairTable(c, sameDay(rows), "  "))
	}
	p.notes(c.Notes)
	if c.Passer != nil {
		p.line("")
	}
	p.flips(c)
}

// briefly prints the place of a job in a few words.
func briefly(e *explain.Explanation) string {
	switch {
	case e.Next:
		return fmt.Sprintf("%s of %d in the next run", explain.Ordinal(e.Place), e.Waiting)
	case e.Place > 0 && moved(e):
		return fmt.Sprintf("%s of %d in that run, %s", explain.Ordinal(e.Place), e.Waiting,
			placeNow(e.Since, "%s of %d now", "no longer waits"))
	case e.Place > 0:
		return fmt.Sprintf("%s of %d that wait", explain.Ordinal(e.Place), e.Waiting)
	}
	return string(e.State)
}

// first says which job comes first, and why.
func first(c *explain.Comparison) string {
	a, b := c.A.ID, c.B.ID
	if c.First > 0 {
		a, b = b, a
	}
	comes, decides := fmt.Sprintf("Job %s comes before job %s", a, b), "decides"
	if c.Passer == nil && (moved(c.A) || moved(c.B)) { // the next run does not have both jobs
		comes, decides = fmt.Sprintf("In that run, job %s came before job %s", a, b), "decided"
	}
	switch {
	case c.First == 0:
		return apart(c)
	case c.Decided == "submission":
		return fmt.Sprintf("%s: both have the same prio, but job %s was submitted earlier.", comes, a)
	case c.Decided == "number":
		return fmt.Sprintf("%s: both have the same prio, but job %s has the lower number.", comes, a)
	case c.Decided == "":
		return comes + "."
	}
	return fmt.Sprintf("%s: %s %s.", comes, c.Decided, decides)
}

// apart says why there is no order between two jobs.
func apart(c *explain.Comparison) string {
	var parts []string
	for _, e := range []*explain.Explanation{c.A, c.B} {
		if e.Place == 0 {
			parts = append(parts, fmt.Sprintf("job %s %s", e.ID, e.State))
		}
	}
	text := strings.Join(parts, " and ")
	return strings.ToUpper(text[:1]) + text[1:] + ": there is no order between them."
}

// telling are the rows of a table for people: without parts of terms that neither job has.
func telling(rows []explain.Row) []explain.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r explain.Row) bool {
		return r.Depth > 1 && r.A == "0" && r.B == "0"
	})
}

// pairTable is a table of the terms of both jobs; parts of a term are indented by so much.
func pairTable(c *explain.Comparison, rows []explain.Row, indent string) show.Sheet {
	t := show.Sheet{Columns: show.Columns("term", ">job "+c.A.ID, ">job "+c.B.ID, ">difference", "gains"),
		Less: []string{"difference"}}
	for _, r := range rows {
		difference := ""
		if !math.IsNaN(r.Gain) {
			difference = signed(r.Gain)
		}
		t.Add(strings.Repeat(indent, r.Depth)+r.Name, r.A, r.B, difference, map[int]string{-1: c.A.ID, 1: c.B.ID}[r.Wins])
	}
	return t
}

// sameDay removes the day from rows whose moments are on one day.
func sameDay(rows []explain.Row) []explain.Row {
	list := slices.Clone(rows)
	for i := range list {
		r := &list[i]
		dayA, timeA, isA := strings.Cut(r.A, " ")
		dayB, timeB, isB := strings.Cut(r.B, " ")
		if _, err := time.Parse(time.DateOnly, dayA); err == nil && isA && isB && dayA == dayB {
			r.A, r.B = timeA, timeB
		}
	}
	return list
}

func signed(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v > 0:
		return "+" + explain.Number(v)
	}
	return explain.Number(v)
}

// flips prints what would change the order, and what would not.
func (p *explanationText) flips(c *explain.Comparison) {
	if c.Passer == nil {
		return
	}
	ahead := c.A
	if c.Passer == c.A {
		ahead = c.B
	}
	if !c.NextSame {
		p.line("In the next run, after the starts since then, job %s comes first.", ahead.ID)
	}
	if len(c.Flips) == 0 {
		p.line("qprism found no change that puts job %s before job %s.", c.Passer.ID, ahead.ID)
	} else {
		p.line("Job %s passes job %s", c.Passer.ID, ahead.ID)
	}
	for i := range c.Flips {
		p.line("  %s", show.Printable(flipWords(&c.Flips[i], c.Passer, ahead, p.out)))
	}
	if len(c.Never) > 0 {
		p.line("None of these would reverse the order:")
	}
	for _, o := range c.Never {
		p.paragraph("  " + kindWords[o.Kind] + ": " + o.Why)
	}
	for _, r := range c.Rates {
		p.paragraph(r)
	}
}

// kindWords name kinds of change.
var kindWords = map[explain.Kind]string{
	explain.ByTime: "the passing of time", explain.ByPriority: "-p", explain.ByTickets: "-ot", explain.ByWaiting: "an earlier submission",
	explain.ByEligible: "eligible time",
	explain.ByStarts:   "starts of other jobs", explain.ByUsed: "more usage of the other job's entity",
	explain.ByFShare: "shares of the job's user", explain.ByPShare: "shares of the job's project",
	explain.ByDShare: "shares of the job's department",
	explain.ByGroup:  "shares of the job's entity", explain.ByQueue: "priority of the job's queue",
}

// flipWords says what makes a job pass another one, with the command for it.
func flipWords(f *explain.Flip, passer, ahead *explain.Explanation, out show.Output) string {
	j := passer.Job
	switch f.Kind {
	case explain.ByTime:
		return fmt.Sprintf("at %s, in %s, if nothing else changes (%s)", out.Zoned(f.At), waitText(f.Amount), f.Cause)
	case explain.ByPriority:
		return fmt.Sprintf("with -p %+d: qalter -p %d %s%s", f.Amount-f.From, f.Amount, passer.ID, mayRaise(j))
	case explain.ByTickets:
		return fmt.Sprintf("with -ot %d: qalter -ot %d %s", f.Amount, f.Amount, passer.ID)
	case explain.ByWaiting:
		return fmt.Sprintf("if it had been submitted %s earlier", waitText(f.Amount))
	case explain.ByEligible:
		total := j.PBS.EligibleTime + time.Duration(f.Amount)*time.Second
		return fmt.Sprintf("with %s more eligible time: qalter -W eligible_time=%s %s",
			waitText(f.Amount), clockText(total), passer.ID)
	case explain.ByStarts:
		names := strings.Join(f.Starts[:min(len(f.Starts), 8)], ", ")
		if len(f.Starts) > 8 {
			names += ", …"
		}
		return fmt.Sprintf("if %s of %s started (%s)", show.Plural(int(f.Amount), "job"), f.Of, names)
	case explain.ByUsed:
		return fmt.Sprintf("if the usage of %s (the entity of job %s) were %d higher (fairshare_usage_res)",
			f.Of, ahead.ID, f.Amount)
	case explain.ByGroup:
		return fmt.Sprintf("with %d shares for its entity in resource_group, instead of %d", f.Amount, f.From)
	case explain.ByQueue:
		return fmt.Sprintf("with priority %d for its queue, instead of %d: qmgr -c 'set queue %s priority = %d'",
			f.Amount, f.From, j.PBS.Queue, f.Amount)
	case explain.ByFShare:
		return fmt.Sprintf("with fshare %d for user %s, instead of %d: qconf -muser %s", f.Amount, j.Owner, f.From, j.Owner)
	case explain.ByPShare:
		return fmt.Sprintf("with fshare %d for project %s, instead of %d: qconf -mprj %s",
			f.Amount, j.Project, f.From, j.Project)
	case explain.ByDShare:
		return fmt.Sprintf("with fshare %d for department %s, instead of %d: qconf -mu %s",
			f.Amount, j.Department, f.From, j.Department)
	}
	return string(f.Kind)
}

// mayRaise says who may raise a job's -p, qalter(1): of Grid Engine its owner may only lower it, and never above 0.
func mayRaise(j *model.Job) string {
	if !j.OwnerOnlyLowers() {
		return ""
	}
	return " (as manager or operator; the owner can only lower it)"
}

// waitText prints seconds, and those above two minutes in the unit that fits as well.
func waitText(seconds int64) string {
	text := fmt.Sprintf("%d s", seconds)
	if fitting := explain.Span(time.Duration(seconds) * time.Second); fitting != text {
		return fitting + " (" + text + ")"
	}
	return text
}

// clockText prints a length of time as qalter takes it.
func clockText(d time.Duration) string {
	s := int64(d / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// A compared pair of jobs is a comparison, with both explanations.
type compared struct {
	A     explained `json:"a"`
	B     explained `json:"b"`
	First string    `json:"first"` // id of the job that comes first; empty if one of them does not wait
	*explain.Comparison
	Terms  []comparedTerm `json:"terms"`
	Ahead  string         `json:"first_in_next"` // id
	Passer string         `json:"passer"`        // id of the job that the flips put first
	Flips  []flip         `json:"flips"`
}

// A comparedTerm is one term of both jobs; gain is a's over b.
type comparedTerm struct {
	explain.Row
	Gains string `json:"gains"` // id of the job that gains; empty for neither
}

// A flip is a change that makes one job pass the other.
type flip struct {
	*explain.Flip
	Text string `json:"text"`
}

func comparedJSON(s *subject.Subject, c *explain.Comparison) compared {
	ids := map[int]string{-1: c.A.ID, 1: c.B.ID}
	j := compared{A: explanationJSON(s, c.A), B: explanationJSON(s, c.B), First: ids[c.First], Comparison: c}
	for _, r := range c.Rows {
		j.Terms = append(j.Terms, comparedTerm{r, ids[r.Wins]})
	}
	if c.Passer == nil {
		return j
	}
	ahead := c.A
	if c.Passer == c.A {
		ahead = c.B
	}
	j.Passer, j.Ahead = c.Passer.ID, ahead.ID
	for i := range c.Flips {
		j.Flips = append(j.Flips, flip{&c.Flips[i], flipWords(&c.Flips[i], c.Passer, ahead, show.Output{})})
	}
	return j
}
