package policy

import (
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/migrate"
	"qprism/exporter/report"
)

// mostUnruled is how many lines that no rule handles are printed.
const mostUnruled = 10

// migrationText describes the result of a migration for people, in lines of at most most columns; 0 means
// no limit.
func migrationText(m *migration, folder string, files []migratedFile, most int) string {
	var b strings.Builder
	s := m.newest()
	fmt.Fprintf(&b, "%s, %s %s, taken %s\n", show.Printable(s.Cluster), s.System.Name(),
		show.Printable(s.Release.String()),
		s.TakenAt.UTC().Format("2006-01-02 15:04:05 MST"))
	if len(m.history) > 1 {
		fmt.Fprintf(&b, "newest of %s\n", m.historyText())
	}
	if t := m.translation; t != nil {
		writeTally(&b, t, m.target(), most)
		writeUnruled(&b, t)
		b.WriteString(m.orderText(most))
		m.writeIntentions(&b, most)
	}
	b.WriteString("\n")
	width := 0
	for _, f := range files {
		width = max(width, len(f.name))
	}
	for _, f := range files {
		b.WriteString(show.Hanging(fmt.Sprintf("%-*s  ", width, f.name), f.about, most) + "\n")
	}
	next := fmt.Sprintf("Next: read %s, then follow its steps on a test server.", firstToRead(folder, files))
	b.WriteString("\n" + show.Folded(next, most) + "\n")
	return b.String()
}

// historyText says how long the history is, and which parts of it are not used.
func (m *migration) historyText() string {
	text := show.Plural(len(m.history), "bundle")
	if m.sampled > 0 {
		text = fmt.Sprintf("%d of %d stored bundles, at even intervals", len(m.history), m.sampled)
	}
	if n := len(m.unused); n > 0 {
		text += fmt.Sprintf("; migrate could not use %d of them, and the report says why", n)
	}
	return text
}

// firstToRead is the file to begin with.
func firstToRead(folder string, files []migratedFile) string {
	first := slices.IndexFunc(files, func(f migratedFile) bool { return f.name == "REPORT.md" })
	return folder + "/" + files[max(first, 0)].name
}

// lineVerdicts say what an administrator must do for a verdict.
var lineVerdicts = map[migrate.Verdict]string{
	migrate.Exact:       "PBS does the same",
	migrate.Approximate: "nearly the same; the report shows the difference",
	migrate.Lost:        "PBS has no equivalent; the report says what to do instead",
	migrate.NoEffect:    "defaults, and settings without meaning on PBS",
	migrate.NoRule:      "not recognized: check each of them",
}

// target is the system translated to, as reports name it.
func (m *migration) target() string {
	if m.told != nil {
		return m.told.To.System
	}
	return migrationNames["pbs"]
}

// orderText says how jobs are ordered, and how well that is proven.
func (m *migration) orderText(most int) string {
	if m.told == nil {
		return m.formulaText(most)
	}
	var b strings.Builder
	for _, s := range m.told.Sentences() {
		b.WriteString("\n" + show.Folded(show.Printable(s), most))
	}
	return b.String() + "\n"
}

func writeTally(b *strings.Builder, t *migrate.Translation, to string, most int) {
	tally, others := migrate.Tally(t.Ledger)
	fmt.Fprintf(b, "\n%-11s  %7s\n", "verdict", "lines")
	for _, v := range migrate.Verdicts {
		b.WriteString(show.Hanging(fmt.Sprintf("%-11s  %7d  ", v, tally[v]),
			strings.ReplaceAll(lineVerdicts[v], "PBS", to), most) + "\n")
	}
	fmt.Fprintf(b, "%-11s  %7d  comments, jobs, current state and logs\n", "other", others)
	if len(t.Names) > 0 {
		fmt.Fprintf(b, "\n%s renamed in %s:", show.Plural(len(t.Names), "name"), to)
		for i, n := range t.Names {
			if i == 6 {
				fmt.Fprintf(b, " …")
				break
			}
			fmt.Fprintf(b, " %s → %s", show.Printable(n.From), show.Printable(n.To))
		}
		b.WriteString("\n")
	}
}

// writeUnruled lists lines that no rule handles.
func writeUnruled(b *strings.Builder, t *migrate.Translation) {
	n := 0
	for _, e := range t.Ledger {
		if e.Verdict != migrate.NoRule {
			continue
		}
		if n++; n == 1 {
			b.WriteString("\nNo rule:\n")
		}
		if n <= mostUnruled {
			fmt.Fprintf(b, "  %s: %s (%s)\n", show.Printable(linePlace(e)), show.Printable(e.Text), e.Note)
		}
	}
	if n > mostUnruled {
		fmt.Fprintf(b, "  and %d more, in the report\n", n-mostUnruled)
	}
}

// linePlace prints the place of a line. Output of a command has no line number.
func linePlace(e migrate.Entry) string {
	if e.Number == 0 {
		return e.File
	}
	return fmt.Sprintf("%s:%d", e.File, e.Number)
}

// migrationReport is a migration as JSON.
type migrationReport struct {
	Cluster  string                  `json:"cluster"`
	Bundles  []string                `json:"bundles"`
	Verdicts map[migrate.Verdict]int `json:"lines"`
	Others   int                     `json:"other_lines"` // comments, jobs, state, logs
	NoRule   []migrationLine         `json:"no_rule"`
	Formula  string                  `json:"job_sort_formula"`
	Files    []string                `json:"files"`

	Intentions []report.Intention `json:"intentions,omitempty"` // of --intend
}

type migrationLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Note string `json:"note"`
}

func migrationJSON(m *migration, files []migratedFile) migrationReport {
	r := migrationReport{Cluster: m.newest().Cluster, Bundles: m.names, NoRule: []migrationLine{},
		Intentions: m.intentions}
	for _, f := range files {
		r.Files = append(r.Files, f.name)
	}
	t := m.translation
	if t == nil {
		return r
	}
	r.Verdicts, r.Others = migrate.Tally(t.Ledger)
	r.Formula = t.To.SortFormula()
	for _, e := range t.Ledger {
		if e.Verdict == migrate.NoRule {
			r.NoRule = append(r.NoRule, migrationLine{e.File, e.Number, e.Text, e.Note})
		}
	}
	return r
}
