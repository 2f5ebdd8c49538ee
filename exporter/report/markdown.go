package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Markdown writes REPORT.md: first what needs a person, then what was translated and how well, the proof, and what to do.
func Markdown(w io.Writer, r *Report) error {
	m := &markdown{r: r}
	m.begin()
	m.noRule()
	m.summary()
	m.concepts()
	m.order()
	m.proof()
	m.intentions()
	m.lines(Lost, "Lost, and what to do instead", "instead")
	m.lines(Approximate, "Approximate, and how far off", "how")
	m.install()
	m.renamed()
	m.rest()
	_, err := io.WriteString(w, m.text.String())
	return err
}

type markdown struct {
	r    *Report
	text strings.Builder
}

// say writes a paragraph; what comes from a cluster is escaped by the caller.
func (m *markdown) say(format string, args ...any) { fmt.Fprintf(&m.text, format+"\n\n", args...) }

func (m *markdown) heading(text string) { m.say("## %s", text) }

func (m *markdown) begin() {
	r := m.r
	m.say("# %s", plain(r.title()))
	var parts []string
	if r.From.Name != "" {
		parts = append(parts, "Cluster "+code(r.From.Name))
	}
	if !r.From.Taken.IsZero() {
		parts = append(parts, "taken "+moment(r.From.Taken)+" UTC")
	}
	if h := r.history(); h != "" {
		parts = append(parts, h)
	}
	if len(parts) > 0 {
		m.say("%s.", strings.Join(parts, "; "))
	}
	if r.Scope != "" {
		m.say("> %s", plain(r.Scope))
	}
}

// noRule lists every line that nothing handles.
func (m *markdown) noRule() {
	n := count(m.r.Verdicts, NoRule)
	if n == 0 {
		return
	}
	m.heading("⚠ " + plural(n, "line") + " that nothing handles")
	m.say("**Read them before you install anything: no rule of the translation knows what they mean.**")
	t := table{columns: []string{"where", "line", "note"}}
	for _, e := range m.r.Ledger {
		if e.Verdict == NoRule {
			t.add(code(e.Place())+lineCount(e.Lines), code(e.Text), plain(e.Note))
		}
	}
	t.write(&m.text)
}

func lineCount(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d lines)", n)
}

func (m *markdown) summary() {
	r := m.r
	lines, files := r.lines()
	m.heading("In short")
	var said []string
	for _, v := range Verdicts {
		if n := count(r.Verdicts, v); n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, inWords(v)))
		}
	}
	if lines > 0 {
		fmt.Fprintf(&m.text, "- Of %s that configure something, in %s: %s.", plural(lines, "line"), plural(files, "file"),
			strings.Join(said, ", "))
		if count(r.Verdicts, NoRule) == 0 {
			m.text.WriteString(" A rule handles each of them.")
		}
		if r.Others > 0 {
			fmt.Fprintf(&m.text, " Besides, %d of comments, jobs, the state of the moment and logs.", r.Others)
		}
		m.text.WriteByte('\n')
	}
	for _, s := range r.Sentences() {
		m.text.WriteString("- " + plain(s) + "\n")
	}
	m.text.WriteByte('\n')
}

func (m *markdown) concepts() {
	if len(m.r.Concepts) == 0 {
		return
	}
	m.heading("What was translated")
	t := table{columns: []string{"lines about"}}
	for _, v := range Verdicts {
		t.columns = append(t.columns, ">"+string(v))
	}
	for i := range m.r.Concepts {
		c := &m.r.Concepts[i]
		row := []string{plain(c.Name)}
		for _, v := range Verdicts {
			row = append(row, blankZero(c.of(v)))
		}
		t.add(row...)
	}
	t.write(&m.text)
}

func blankZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// order shows how jobs are ordered: what was chosen, and among what.
func (m *markdown) order() {
	r := m.r
	if len(r.Candidates) == 0 {
		return
	}
	m.heading("The order of jobs")
	if c := r.Chosen(); c != nil {
		m.say("Chosen: **%s**, %s.", plain(c.Name), plain(lower(c.Title)))
		if f := c.layout(); f != "" {
			m.text.WriteString(block(f) + "\n")
		}
		if off := c.offs(); off != "" {
			m.say("%s", plain(off))
		}
		for _, s := range c.Notes {
			m.text.WriteString("- " + plain(s) + "\n")
		}
		if len(c.Notes) > 0 {
			m.text.WriteByte('\n')
		}
	}
	t := table{columns: []string{"candidate", "needs", ">lines", ">tau-b seen", ">held out", ">least", ">resolution", "what it does"}}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		name := plain(c.Name)
		if c.Chosen {
			name = "**" + name + "**"
		}
		t.add(name, plain(c.Needs), strconv.Itoa(c.Lines), tau(c.Seen.Median), tau(c.HeldOut.Median), tau(c.least()), resolution(c.Resolution),
			plain(c.Title))
	}
	t.write(&m.text)
	m.say("tau-b (Kendall) is 1 for the same order and 0 for no relation: the median over the snapshots that constants and weights were taken from, and over " +
		"those held out; \"least\" is the worst of all.")
	m.others()
	m.problems()
	m.constants()
}

// intentions are the sentences of what the policy is meant to do, on both sides, and the jobs that break them on the new one.
func (m *markdown) intentions() {
	r := m.r
	if len(r.Intentions) == 0 {
		return
	}
	m.heading("What the policy is meant to do")
	t := table{columns: []string{"sentence", r.From.System, r.To.System, "there"}}
	for _, i := range r.Intentions {
		to := plain(i.To)
		if i.Lost {
			to = "**" + to + "**"
		}
		t.add(plain(i.Sentence), plain(i.From), to, plain(i.WhyTo))
	}
	t.write(&m.text)
	for _, i := range r.Intentions {
		if len(i.Jobs) > 0 {
			m.say("These jobs break \"%s\" in %s, each line one that `qprism lab` reads:", plain(i.Sentence), plain(r.To.System))
			m.text.WriteString(block(strings.Join(i.Jobs, "\n")) + "\n")
		}
	}
}

// others lists the formulas that were not chosen.
func (m *markdown) others() {
	list := m.r.others()
	if len(list) == 0 {
		return
	}
	m.say("The formulas that were not chosen:")
	for _, c := range list {
		m.text.WriteString("- " + plain(c.Name) + ": " + code(squeezed(c.Formula)) + "\n")
	}
	m.text.WriteByte('\n')
}

func (m *markdown) problems() {
	c := m.r.Chosen()
	if c == nil || len(c.Problems) == 0 {
		return
	}
	m.say("What `qprism formula check` says of it over every job of the history:")
	for _, p := range c.Problems {
		text := fmt.Sprintf("- %s: %s", plain(p.Severity), plain(p.Text))
		if p.Hint != "" {
			text += " → " + plain(p.Hint)
		}
		m.text.WriteString(text + "\n")
	}
	m.text.WriteByte('\n')
}

func (m *markdown) constants() {
	r := m.r
	if len(r.Constants) == 0 {
		return
	}
	m.say("### Frozen constants")
	m.say("They stand for what depends on all the jobs of a moment, and grow old:")
	t := table{columns: []string{"constant", ">value", "since", "from", ">would be", "over time", ">moves by", "what it is"}}
	for i := range r.Constants {
		c := &r.Constants[i]
		t.add(code(c.Name), number(c.Value), moment(c.Since), plain(c.From), c.between(), c.course(), percent(c.Moves), plain(c.Means))
	}
	t.write(&m.text)
	if r.Refresh != "" {
		m.say("To bring them up to date:")
		m.text.WriteString(block(r.Refresh) + "\n")
	}
}

func (m *markdown) proof() {
	c := m.r.Chosen()
	if c == nil || len(c.Runs) == 0 {
		return
	}
	m.heading("The proof")
	m.say("For every snapshot, the order of the waiting jobs under %s and under %s, each by the rules of its own scheduler.",
		plain(m.r.From.System), plain(m.r.To.System))
	t := table{columns: []string{"snapshots", ">number", ">same order", ">tau-b median", ">least", "the worst"}}
	t.summary("seen", c.Seen)
	t.summary("held out", c.HeldOut)
	if c.Installed != nil {
		t.summary("all, as installed", *c.Installed)
	}
	t.write(&m.text)
	m.runs(c)
	m.inversions(c)
	m.forecast(c.Forecast)
}

func (t *table) summary(name string, s Summary) {
	if s.Snapshots > 0 {
		t.add(name, strconv.Itoa(s.Snapshots), strconv.Itoa(s.Same), tau(s.Median), tau(s.Least), code(s.worstName()))
	}
}

func (m *markdown) runs(c *Candidate) {
	list, hidden := c.shownRuns()
	if len(list) == 0 {
		m.say("No snapshot has two waiting jobs that the policy tells apart: nothing can be compared.")
		return
	}
	t := table{columns: []string{"snapshot", "run (UTC)", "", ">jobs", ">tau-b", ">inverted pairs", "first jobs that agree"}}
	for _, run := range list {
		held := ""
		if run.HeldOut {
			held = "held out"
		}
		t.add(code(run.Snapshot), moment(run.At), held, strconv.Itoa(run.Jobs), tau(run.TauB), fmt.Sprintf("%d of %d", run.Inverted, run.Pairs),
			tops(run.Top))
	}
	t.write(&m.text)
	if hidden > 0 {
		m.say("These are the worst; `report.json` has %d more.", hidden)
	}
}

func (m *markdown) inversions(c *Candidate) {
	worst := c.worst()
	if len(worst) == 0 {
		m.say("No pair of jobs is inverted in any snapshot.")
		return
	}
	m.say("### The worst inversions")
	t := table{columns: []string{"snapshot", "goes first in " + m.r.From.System, "in " + m.r.To.System, ">places apart", ">snapshots",
		"because of", "why"}}
	for i := range worst {
		v := &worst[i]
		t.add(code(v.Snapshot), code(v.First.name()), code(v.Second.name()), strconv.Itoa(v.Places), strconv.Itoa(v.In), plain(v.because()),
			plain(v.Why))
	}
	t.write(&m.text)
}

func (m *markdown) forecast(f *Forecast) {
	if f == nil {
		return
	}
	r := m.r
	m.say("### Forecast")
	m.say("Both schedulers played forward from %s UTC, with no new jobs: %s start under both. Utilisation until the last start: %s under %s, %s under %s.",
		moment(f.At), plural(f.Jobs, "job"), percent(f.Utilisation[0]), plain(r.From.System), percent(f.Utilisation[1]), plain(r.To.System))
	if f.Never[0]+f.Never[1] > 0 {
		m.say("Jobs that never start: %d under %s, %d under %s.", f.Never[0], plain(r.From.System), f.Never[1], plain(r.To.System))
	}
	list, hidden := f.shownGroups()
	t := table{columns: []string{"by", "name", ">jobs", ">wait now", ">then", ">slowdown now", ">then"}}
	for _, g := range list {
		t.add(plain(g.Kind), code(g.Name), strconv.Itoa(g.Jobs), span(g.Wait[0]), span(g.Wait[1]), decimals(g.Slowdown[0]),
			decimals(g.Slowdown[1]))
	}
	t.write(&m.text)
	if hidden > 0 {
		m.say("`report.json` has %d more.", hidden)
	}
	for _, s := range f.Notes {
		m.text.WriteString("- " + plain(s) + "\n")
	}
	if len(f.Notes) > 0 {
		m.text.WriteByte('\n')
	}
}

// lines tells of the lines with a verdict.
func (m *markdown) lines(v Verdict, title, note string) {
	list := m.r.gathered(v)
	if len(list) == 0 {
		return
	}
	m.heading(title)
	t := table{columns: []string{"about", "where", "line", "became", note}}
	for i := range list[:min(len(list), mostGathered)] {
		g := &list[i]
		where := code(g.Where)
		if more := g.more(); more != "" {
			where += " " + more
		}
		t.add(plain(g.Concept), where, codes(g.Texts, g.Unshown), codes(g.Into, g.Parts), plain(g.Note))
	}
	t.write(&m.text)
	if n := len(list) - mostGathered; n > 0 {
		m.say("`report.json` has %s more of other kinds.", plural(n, "line"))
	}
}

// codes are texts of a cluster one after the other.
func codes(list []string, more int) string {
	var parts []string
	for _, text := range list {
		if c := code(text); c != "" {
			parts = append(parts, c)
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

func (m *markdown) install() {
	r := m.r
	if len(r.Files)+len(r.Steps) == 0 {
		return
	}
	m.heading("Install it")
	if len(r.Files) > 0 {
		t := table{columns: []string{"file", "what it is for"}}
		for _, f := range r.Files {
			t.add(code(f.Name), plain(f.About))
		}
		t.write(&m.text)
	}
	for i, s := range r.Steps {
		fmt.Fprintf(&m.text, "%d. %s", i+1, plain(s.What))
		if s.Cron != "" {
			fmt.Fprintf(&m.text, " (again at %s, by cron)", code(s.Cron))
		}
		m.text.WriteByte('\n')
		if s.Command != "" {
			indent := strings.Repeat(" ", len(strconv.Itoa(i+1))+2)
			m.text.WriteString("\n" + indented(block(s.Command), indent))
		}
		m.text.WriteByte('\n')
	}
}

func indented(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+by) + "\n"
}

func (m *markdown) renamed() {
	list := m.r.Renamed
	if len(list) == 0 {
		return
	}
	m.heading("Names that changed")
	t := table{columns: []string{"what", "name", "became", "why"}}
	for _, n := range list[:min(len(list), mostNames)] {
		t.add(plain(n.Kind), code(n.From), code(n.To), plain(n.Why))
	}
	t.write(&m.text)
	if n := len(list) - mostNames; n > 0 {
		m.say("`report.json` has %d more.", n)
	}
}

func (m *markdown) rest() {
	exact, idle := count(m.r.Verdicts, Exact), count(m.r.Verdicts, NoEffect)
	if exact+idle == 0 {
		return
	}
	m.say("Lines translated exactly (%d) and lines without effect (%d) are in `report.json`, each with what it became and why.", exact, idle)
}
