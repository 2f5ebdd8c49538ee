package report_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"qprism/exporter/report"
)

// bait are names that somebody might give a job, a user or a queue.
var bait = []string{
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</code></td></table><h1>x",
	"`tick`", "``", "` `", "a|b", `a\|b`, `\`,
	"| --- |", "*bold*", "_it_",
	"[x](http://evil.example)", "![x](http://evil.example/p.png)", "http://evil.example", "www.evil.example",
	"<http://evil.example>",
	"&lt;b&gt;", "&#60;", "# h", "- li", "1. one",
	"> quote", "```\nfence", "~~~", "~~gone~~", "a\nb\n\n# c", "a\r\nb", "\x1b[31mred\x1b[0m",
	"\x00", "\u202egnp.exe", "\u200b", "\xff\xfe",
	"$x$", "{{.From}}", "--><!--", "]]>", "style='x'",
	"javascript:alert(1)", "@everyone", strings.Repeat("`", 50), strings.Repeat("长", 90), " ", "",
}

// hostile is a report in which every text is the same one.
func hostile(text string) *report.Report {
	r := tree()
	fill(reflect.ValueOf(r).Elem(), text)
	r.Ledger, r.Concepts, r.Verdicts = nil, nil, nil
	for _, v := range report.Verdicts {
		r.Add(report.Entry{File: text, Line: 1, Kind: text, Object: text, Key: text, Text: text,
			Concept: text, Verdict: v, Note: text,
			Into: strings.NewReplacer("\n", " ", "\r", " ").Replace(text)}) // a line break parts what a line became
	}
	r.Candidates[0].Chosen = true
	return r
}

func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	}
}

func checkPrintable(t *testing.T, text, page string) {
	t.Helper()
	for _, r := range page {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%q: the report holds the character %U", text, r)
			return
		}
	}
}

// TestNoNameChangesTheMarkdown: whatever a name is, the source has the same lines of the same kinds, every
// row of a table has the same cells, and nothing outside of code can be a tag, a link or a picture.
func TestNoNameChangesTheMarkdown(t *testing.T) {
	want := outline(string(written(t, report.Markdown, hostile("x"))))
	for _, text := range bait {
		if strings.TrimSpace(text) == "" {
			continue
		}
		source := string(written(t, report.Markdown, hostile(text)))
		if got := outline(source); got != want {
			t.Errorf("%q changes the Markdown: %s", text, firstDifference(got, want))
		}
		if bare := withoutCode(source); danger.MatchString(bare) {
			t.Errorf("%q: outside of code stands %q", text, danger.FindString(bare))
		}
		checkPrintable(t, text, source)
	}
}

// danger is what Markdown makes of unescaped characters: tags, links, pictures, addresses.
var danger = regexp.MustCompile(`(^|[^\\])(<[a-zA-Z/!]|!\[|\]\(|[a-z]://)|(^|[^\w\\])www\.\w`)

// outline is the kind of each line; rows of tables with the number of their cells as GitHub counts them,
// blocks of code as one.
func outline(source string) string {
	var b strings.Builder
	fence := ""
	for _, line := range strings.Split(source, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		marks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		switch {
		case fence != "":
			if len(marks) >= len(fence) && strings.TrimSpace(strings.TrimLeft(trimmed, "`")) == "" {
				fence = ""
				b.WriteString("code\n")
			}
			continue
		case len(marks) >= 3 && !strings.Contains(trimmed[len(marks):], "`"):
			fence = marks
			continue
		case strings.HasPrefix(line, "|"):
			fmt.Fprintf(&b, "row of %d\n", cellsOf(line))
		default:
			kind := regexp.MustCompile(`^( *)(#+ |- |\d+\. |> )?`).FindString(line)
			fmt.Fprintf(&b, "%q\n", kind)
		}
	}
	return b.String() + fence
}

// cellsOf counts the bars that part cells: a backslash takes the character behind it along.
func cellsOf(line string) (n int) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			n++
		}
	}
	return n
}

// withoutCode drops blocks and spans of code.
func withoutCode(source string) string {
	var b strings.Builder
	for i := 0; i < len(source); {
		if source[i] == '\\' && i+1 < len(source) {
			b.WriteString(source[i : i+2])
			i += 2
			continue
		}
		if source[i] != '`' {
			b.WriteByte(source[i])
			i++
			continue
		}
		n := len(source[i:]) - len(strings.TrimLeft(source[i:], "`"))
		end := closing(source[i+n:], n)
		if end < 0 {
			b.WriteString(source[i : i+n])
			i += n
			continue
		}
		i += n + end + n
	}
	return b.String()
}

// closing is where a row of exactly n backticks begins.
func closing(text string, n int) int {
	for i := 0; i < len(text); {
		if text[i] != '`' {
			i++
			continue
		}
		row := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		if row == n {
			return i
		}
		i += row
	}
	return -1
}
