package queue

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/batch"
	"qprism/engine/lint"
)

func newLint(d *cli.Deps) *cobra.Command {
	c, sel := cli.Command(d, "lint [BUNDLE]", runLint)
	cli.Prints(c, "table json csv")
	subject.AddSelection(c, sel)
	return c
}

func runLint(ctx context.Context, d *cli.Deps, sel subject.Selection, args []string, w io.Writer) error {
	sel.AsShown = true
	s, err := subject.Of(ctx, d, &sel, args)
	if err != nil {
		return err
	}
	files, closer, err := subject.Files(ctx, d, &sel, args)
	if err != nil {
		return err
	}
	defer closer.Close()
	r := s.Batch.Lint(linesOf(files))
	switch d.Format {
	case "json":
		err = d.Output(w).JSON(linted{s.Cluster, s.Release.String(), r})
	case "csv", "tsv":
		err = d.Output(w).Sheet(lintSheet(r))
	default:
		_, err = io.WriteString(w, lintText(s, r))
	}
	if err == nil && r.NotChecked != "" {
		err = fmt.Errorf("qprism could check nothing: %s", r.NotChecked)
	}
	return cli.Found(err, len(r.Traps)+len(r.Stuck) > 0)
}

// maxLines limits how much of a file is read to find a line.
const maxLines = 4 << 20

// linesOf reads files line by line, each once.
func linesOf(files fs.FS) func(string) []string {
	read := map[string][]string{}
	return func(name string) []string {
		lines, known := read[name]
		if !known {
			lines = readLines(files, name)
			read[name] = lines
		}
		return lines
	}
}

func readLines(files fs.FS, name string) (lines []string) {
	if !fs.ValidPath(name) {
		return nil
	}
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text := bufio.NewScanner(io.LimitReader(f, maxLines))
	text.Buffer(nil, maxLines)
	for text.Scan() {
		lines = append(lines, text.Text())
	}
	return lines
}

func lintText(s *subject.Subject, r *lint.Report) string {
	var b strings.Builder
	subject.PrintHeader(show.Output{W: &b, Terminal: true, Format: "table"}, s, time.Time{}, "")
	if r.NotChecked != "" {
		return b.String()
	}
	width := 0
	for _, word := range r.Words {
		width = max(width, len(word.About))
	}
	for _, word := range r.Words {
		fmt.Fprintf(&b, "%-*s  %s\n", width, word.About,
			show.Wrapped(show.Printable(word.Says), strings.Repeat(" ", width+2), show.Page-width-2))
	}
	switch {
	case len(r.Traps) > 0:
	case r.Partly:
		b.WriteString("\nNo policy warnings in the parts that could be checked.\n")
	default:
		b.WriteString("\nNo policy warnings.\n")
	}
	for i, t := range r.Traps {
		writeTrap(&b, i+1, t)
	}
	writeStuck(&b, r.Stuck)
	return b.String()
}

// lintSheet has a row for each trap, and for each job that can never run.
func lintSheet(r *lint.Report) show.Sheet {
	t := show.NewSheet("finding", "name", "file", ">line", "what", "effect", "fix")
	for _, f := range r.Traps {
		line := ""
		if f.Line > 0 {
			line = strconv.Itoa(f.Line)
		}
		t.Add("trap", f.Name, f.File, line, f.What, f.Effect, strings.Join(f.Fix, " || "))
	}
	for _, job := range r.Stuck {
		t.Add("can never run", job.Job, "", "", job.Request, job.Owner, strings.Join(job.Nearest, " || "))
	}
	return t
}

// writeStuck lists the jobs that can never run.
func writeStuck(b *strings.Builder, list []lint.Stuck) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s can never run with the current configuration:\n", show.Plural(len(list), "waiting job"))
	for i, job := range list {
		if i == show.ManyLines {
			fmt.Fprintf(b, "   … and %d more; --format json lists them\n", len(list)-i)
			break
		}
		text := "changing one request does not help"
		if job.Request != "" {
			text = words.BlameText(&batch.Blame{Kind: batch.BlameKind(job.Kind), Option: job.Request, Nearest: job.Nearest})
		}
		text = "job " + job.Job + " of " + job.Owner + ": " + text
		fmt.Fprintf(b, "   %s\n", show.Wrapped(show.Printable(text), "      ", show.Page-6))
	}
}

func writeTrap(b *strings.Builder, number int, t lint.Trap) {
	fmt.Fprintf(b, "\n%d. %s\n", number, show.Wrapped(show.Printable(Sentence(t.What)), "   ", show.Page-3))
	fmt.Fprintf(b, "   line    %s\n", show.Printable(placeWords(t.Place)))
	fmt.Fprintf(b, "   effect  %s\n", show.Wrapped(show.Printable(Sentence(t.Effect)), "           ", show.Page-11))
	for i, fix := range t.Fix {
		label := "fix   "
		if i > 0 {
			label = "or    "
		}
		fmt.Fprintf(b, "   %s  %s\n", label, show.Printable(fix))
	}
}

// placeWords prints a place as compilers do: file, line, text.
func placeWords(p lint.Place) string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Text != "" {
		text += ": " + p.Text
	}
	return text
}

// Sentence adds a period. It also adds a capital letter, unless the text begins with the name of an option.
func Sentence(text string) string {
	if text == "" {
		return ""
	}
	if first, _, _ := strings.Cut(text, " "); !strings.ContainsAny(first, "_0123456789") && text[0] < utf8.RuneSelf {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text + "."
}

// A linted policy has its facts, its warnings and its cluster.
type linted struct {
	Cluster string `json:"cluster"`
	Release string `json:"release"`
	*lint.Report
}
