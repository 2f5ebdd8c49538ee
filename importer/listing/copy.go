package listing

import (
	"bytes"
	"html"
	"regexp"
	"strings"
)

// AsPrinted removes what web pages, mails and comments add to a listing: HTML, marks before lines, code fences.
// It restores the indentation of PBS attributes. The number of lines stays the same, so messages name the right
// line. changed is false if nothing changed.
func AsPrinted(text []byte) ([]byte, bool) {
	start := bytes.TrimLeft(text[:min(len(text), 256)], "\ufeff \t\r\n")
	if bytes.HasPrefix(start, []byte("<?xml")) || bytes.HasPrefix(start, []byte("{")) {
		return text, false
	}
	changed := false
	for _, step := range []func([]byte) ([]byte, bool){withoutTags, withoutMarks, withoutFences, withIndents} {
		if out, is := step(text); is {
			text, changed = out, true
		}
	}
	return text, changed
}

// eachLine changes every line of a text.
func eachLine(text []byte, change func(line []byte) []byte) []byte {
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		bare := bytes.TrimRight(line, "\r\n")
		out = append(append(out, change(bare)...), line[len(bare):]...)
	}
	return out
}

var (
	pageTag = regexp.MustCompile(`(?i)<(?:br|pre|html|body|td|div|span)\b[^>]*>`)
	anyTag  = regexp.MustCompile(`<[/!]?[A-Za-z][^>\n]*>`)
	listTag = regexp.MustCompile(
		`<(?:\?xml|job_info|job_list|Queue-List|queue_info|detailed_job_info|unknown_jobs|qhost|qrstat|Data)\b`)
)

// withoutTags returns the text of an HTML page.
func withoutTags(text []byte) ([]byte, bool) {
	head := text[:min(len(text), 64<<10)]
	if bytes.IndexByte(head, '<') < 0 || !pageTag.Match(head) || listTag.Match(head) {
		return text, false
	}
	return eachLine(text, func(line []byte) []byte {
		plain := html.UnescapeString(string(anyTag.ReplaceAll(line, nil)))
		return []byte(strings.ReplaceAll(plain, "\u00a0", " "))
	}), true
}

// mark matches what stands before every line in a reply to a mail, or in a comment.
var mark = regexp.MustCompile(`^[ \t]*(?:>+|\*|%|#|///?)[ \t]?`)

// deepestMarks is how many marks are removed at most.
const deepestMarks = 4

func withoutMarks(text []byte) ([]byte, bool) {
	marked := false
	for range deepestMarks {
		if !allMarked(text) {
			break
		}
		marked = true
		text = eachLine(text, func(line []byte) []byte { return line[len(mark.Find(line)):] })
	}
	return text, marked
}

// allMarked reports whether every line with text has a mark.
func allMarked(text []byte) bool {
	any := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && !mark.Match(line) {
			return false
		}
		any = any || len(line) > 0
	}
	return any
}

// fence matches a line that begins or ends code in a page.
var fence = regexp.MustCompile("^[ \t]*(?:```|~~~)[ \t]*(?:\\w*|\\{[^}]*\\})[ \t]*$|^[ \t]*\\{: ?[.#][^}]*\\}[ \t]*$")

func withoutFences(text []byte) ([]byte, bool) {
	if !bytes.Contains(text, []byte("```")) && !bytes.Contains(text, []byte("~~~")) {
		return text, false
	}
	fences := false
	text = eachLine(text, func(line []byte) []byte {
		if fence.Match(line) {
			fences = true
			return nil
		}
		return line
	})
	return text, fences
}

var (
	flatObject = regexp.MustCompile(
		`(?m)^(?:Job Id: ?\S+|Queue: \S+|Server: \S+|[A-Za-z0-9][\w.\[\]-]*)[ \t\r]*\n(?:[ \t\r]*\n)?(?:Mom|state|ntype|Job_Name|queue_type|server_state) = `)
	flatAttribute = regexp.MustCompile(`^[A-Za-z_][\w.-]* = `)
	setAttribute  = regexp.MustCompile(`(?m)^[ \t]+[A-Za-z_][\w.-]* = `)
)

// withIndents indents the attributes of PBS objects if a page removed the blanks.
func withIndents(text []byte) ([]byte, bool) {
	head := text[:min(len(text), 64<<10)]
	if !bytes.Contains(head, []byte("\n")) || !flatObject.Match(head) || setAttribute.Match(head) {
		return text, false
	}
	return eachLine(text, func(line []byte) []byte {
		if flatAttribute.Match(line) {
			return append([]byte("     "), line...)
		}
		return line
	}), true
}
