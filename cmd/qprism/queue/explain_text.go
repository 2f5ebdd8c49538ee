package queue

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/cmd/safe"
	"qprism/engine/explain"
)

// An explanationText prints explanations for people.
type explanationText struct {
	bytes.Buffer
	out    show.Output
	colour bool
	all    bool
	said   map[string]bool // terms that are explained already
}

func (p *explanationText) write() error {
	_, err := p.out.W.Write(p.Bytes())
	return err
}

func (p *explanationText) line(format string, args ...any) {
	fmt.Fprintln(&p.Buffer, show.FoldedLines(fmt.Sprintf(format, args...), p.out.Width()))
}

// width returns the width of the terminal. Without one it returns the width of a page.
func (p *explanationText) width() int {
	switch width := p.out.Width(); {
	case p.out.Wide:
		return 0
	case width >= 40:
		return width
	}
	return show.Page
}

// paragraph prints a text in lines that fit the width.
func (p *explanationText) paragraph(text string) {
	fmt.Fprintln(&p.Buffer, show.Folded(show.Printable(text), p.width()))
}

// strong and faint are the uses of colors.
func (p *explanationText) strong(text string) string { return p.styled(safe.Strong, text) }
func (p *explanationText) faint(text string) string  { return p.styled(safe.Faint, text) }

func (p *explanationText) styled(mark, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return mark + text + safe.Plain
}

// print prints one screen: the job, its place, and the parts of its number. Then it prints the policies
// that give all jobs the same value, and changes that would move the job.
func (p *explanationText) print(s *subject.Subject, sc explain.Scene, e *explain.Explanation) {
	p.out.Terminal = true // an explanation is for people, wherever it goes; programs ask for JSON
	p.said = map[string]bool{}
	p.header(s, sc)
	p.line("%s", show.Printable(Describe(e.Job, e.ID, "", p.out)))
	p.line("%s", p.strong(show.Printable(standing(p.out, e))))
	for i := range e.Criteria {
		if c := &e.Criteria[i]; p.all || !inertIn(e, c) {
			p.criterion(c)
		}
	}
	p.notes(explanationNotes(e))
	p.inert(e.Inert)
	p.ahead(s, e)
}

// inertIn reports whether a sort criterion is not worth mention: it distinguishes no jobs, or only jobs that
// are equal otherwise.
func inertIn(e *explain.Explanation, c *explain.Criterion) bool {
	return c.Tie || len(e.Criteria) > 1 && slices.ContainsFunc(e.Inert, func(i explain.Inert) bool {
		return i.Policy == c.Name
	})
}

// ahead says which job comes directly before this one, and by how much. Without such a job, it says what the
// job waits for.
func (p *explanationText) ahead(s *subject.Subject, e *explain.Explanation) {
	n := e.Ahead
	switch {
	case e.State == explain.NotInRun:
		p.line("Next: %s", show.Step("see why it is not in the queue order", s.Command("why", e.ID)))
	case e.Place > 0 && n == nil:
		p.line("Next: %s", show.Step("see what it waits for", s.Command("why", e.ID)))
	}
	if n == nil {
		return
	}
	before := fmt.Sprintf("Job %s of %s is directly before job %s", n.ID, n.Owner, e.ID)
	switch {
	case n.Decided == "number":
		before += fmt.Sprintf(". Both jobs have the same prio, but job %s has the lower number", n.ID)
	case n.Decided == "submission":
		before += fmt.Sprintf(". Both jobs have the same prio, but job %s was submitted earlier", n.ID)
	case n.By > 0 && n.Decided == "prio":
		before += fmt.Sprintf(". The prio of job %s is higher by %s", n.ID, explain.Number(n.By))
	case n.By > 0 && n.Decided == "formula":
		before += fmt.Sprintf(". The formula value of job %s is higher by %s", n.ID, explain.Number(n.By))
	case n.By > 0:
		before += ". It leads by " + explain.Number(n.By) + " of " + n.Decided
	default:
		before += ": " + n.Decided + " decides"
	}
	if len(n.Worth) > 0 {
		before += fmt.Sprintf(". While the ranges of tickets and urgency stay the same, job %s gains this difference from %s", e.ID,
			strings.Join(n.Worth, ", or from "))
	}
	if n.Priority > 0 {
		before += fmt.Sprintf(". With a -p higher by %d, job %s would pass job %s", n.Priority, e.ID, n.ID)
	}
	p.paragraph(before + ".")
	p.line("Next: %s", show.Step("see what would change this order", s.Command("compare", e.ID, n.ID)))
}

// header says which cluster and which run.
func (p *explanationText) header(s *subject.Subject, sc explain.Scene) {
	var header bytes.Buffer
	out := p.out
	out.W = &header
	at, source := sc.Run()
	subject.PrintHeader(out, s, at, source)
	for line := range strings.Lines(header.String()) {
		p.line("%s", p.faint(strings.TrimSuffix(line, "\n")))
		if older := s.Asked.Sub(s.TakenAt); older >= time.Minute && strings.TrimSpace(line) != "" {
			p.line("%s", p.faint(fmt.Sprintf("the last snapshot before %s (%s earlier)", out.Zoned(s.Asked),
				explain.SpanOf(older.Seconds()))))
			s.Asked = time.Time{}
		}
	}
}

// standing says where the job is.
func standing(out show.Output, e *explain.Explanation) string {
	switch {
	case e.Next:
		return fmt.Sprintf("It was submitted after the last scheduler run. In the next run it is %s of %s.",
			explain.Ordinal(e.Place), show.Plural(e.Waiting, "job"))
	case e.Place > 0 && moved(e):
		return fmt.Sprintf("In the run of %s it was %s of %s%s; now job %s %s.", out.Short(e.At, e.At), explain.Ordinal(e.Place),
			show.Plural(e.Waiting, "job"), startedSince(e), e.ID,
			placeNow(e.Since, "is %s of %d", "no longer waits"))
	case e.Place > 0:
		return fmt.Sprintf("It is %s of %s that wait%s.", explain.Ordinal(e.Place), show.Plural(e.Waiting, "job"),
			map[bool]string{true: "s", false: ""}[e.Waiting == 1])
	case e.State == explain.Running:
		return "It runs."
	case e.State == explain.NotInRun:
		return "It takes no part in the run."
	}
	return "It " + string(e.State) + "."
}

// moved reports whether the job's place is now another one than in the explained run, or is among other jobs.
func moved(e *explain.Explanation) bool {
	n := e.Since
	return n != nil && (n.Place != e.Place || n.Waiting != e.Waiting || n.Started > 0)
}

// startedSince says how many of the jobs that waited have started.
func startedSince(e *explain.Explanation) string {
	n := e.Since.Started
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(". Since then, %d of %s %s started", n, show.Plural(e.Waiting, "job"),
		map[bool]string{true: "has", false: "have"}[n == 1])
}

// placeNow says which place a job has in the next run.
func placeNow(n *explain.Since, waits, gone string) string {
	if n.Place == 0 {
		return gone
	}
	return fmt.Sprintf(waits, explain.Ordinal(n.Place), n.Waiting)
}

// criterion prints one criterion and its parts.
func (p *explanationText) criterion(c *explain.Criterion) {
	p.line("")
	p.line("%s", p.strong(show.Printable(headOf(c)))+show.Printable(equals(c.Term.Expression())+
		noted(c.Term.Note)+"; "+c.Up))
	p.terms(&c.Term, 1)
}

// headOf is the value of one of the things that jobs are sorted by, with its name.
func headOf(c *explain.Criterion) string {
	if c.Term.Text != "" {
		return c.Name + ": " + c.Term.Text
	}
	return c.Term.Words()
}

// DecidingValues names in one line the values that decide a job's place. The most important value comes first.
func DecidingValues(e *explain.Explanation) string {
	for i := range e.Criteria {
		if c := &e.Criteria[i]; !inertIn(e, c) {
			return headOf(c) + equals(c.Term.Expression()) + levelsOf(&c.Term)
		}
	}
	return ""
}

// levelsOf are the values that are compared one after the other.
func levelsOf(t *explain.Term) string {
	if t.Op != explain.Levels {
		return ""
	}
	var parts []string
	for i := range t.Terms {
		parts = append(parts, t.Terms[i].Words())
	}
	return " (" + strings.Join(parts, ", then ") + ")"
}

// terms prints the parts of a term, if its expression does not show them completely.
func (p *explanationText) terms(of *explain.Term, depth int) {
	for i := range of.Terms {
		t := &of.Terms[i]
		if !p.all && (t.Text != "" || t.Nothing() && of.Op == explain.Sum && depth > 1) {
			continue
		}
		if words := t.Expression(); words != "" || t.Note != "" {
			name := t.Words()
			if t.Text != "" {
				name = strings.TrimSpace(t.Name + " " + explain.Number(t.Value))
			}
			line := p.strong(show.Printable(name)) + show.Printable(equals(words)+noted(t.Note))
			if p.said[line] { // of a parent that several nodes have
				continue
			}
			p.said[line] = true
			p.line("%s", strings.Repeat("  ", depth)+line)
		}
		if t.Inert != "" && !p.all {
			continue
		}
		next := t
		if len(t.Terms) == 1 && t.Terms[0].Text != "" && !p.all {
			next = &t.Terms[0]
		}
		p.terms(next, depth+1)
	}
}

func equals(expression string) string {
	if expression == "" {
		return ""
	}
	return " = " + expression
}

func noted(note string) string {
	if note == "" {
		return ""
	}
	return "; " + note
}

func (p *explanationText) notes(notes []string) {
	for i, n := range notes {
		if i == 0 {
			p.line("")
		}
		p.paragraph(n)
	}
}

// inert lists criteria that distinguish no jobs.
func (p *explanationText) inert(list []explain.Inert) {
	if len(list) == 0 {
		return
	}
	var parts []string
	for _, i := range list {
		parts = append(parts, i.Policy+" ("+i.Why+")")
	}
	p.line("")
	p.paragraph("These policies do not affect the order: " + strings.Join(parts, "; ") + ".")
}

// explanationNotes returns other facts about a job, after the reason why a cycle skips it.
func explanationNotes(e *explain.Explanation) []string {
	notes := []string{}
	for i := range e.PassedOver {
		notes = append(notes, "The cycle skips it: "+words.ReasonText(&e.PassedOver[i])+".")
	}
	return append(notes, e.Notes...)
}
