package qconf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"qprism/importer"
)

// maxConfigFile limits a configuration file. The host list of 100,000 hosts needs about two megabytes.
const maxConfigFile = 64 << 20

var (
	errTooLong  = fmt.Errorf("longer than %d bytes", maxConfigFile)
	errUnended  = errors.New(`ends in "\", and the line that continues it is missing`)
	errNoBlanks = errors.New("a name with blanks")
)

// blanks separate the words of a line. They include a carriage return, so files may come from any system.
const blanks = " \t\r"

// A line is one logical line of a configuration file, with its continuation lines.
type line struct {
	number int    // number of its first physical line
	text   string // without blanks at its ends; never empty
}

func (l line) comment() bool { return l.text[0] == '#' }

// pair returns a line's key and value: "KEY VALUE", or "KEY=VALUE" in a share tree.
func (l line) pair() (key, value string) {
	i := strings.IndexAny(l.text[1:], blanks+"=")
	if i < 0 {
		return l.text, ""
	}
	return l.text[:i+1], strings.TrimLeft(l.text[i+2:], blanks)
}

// lines reads a configuration file. It returns nil if the bundle lacks the file, or if the file has no output.
func (c *configReader) lines(file string) ([]line, error) {
	f, err := c.Open(file)
	if err != nil || f == nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfigFile+1))
	if err == nil && len(text) > maxConfigFile {
		err = errTooLong
	}
	if err != nil {
		return nil, &importer.Problem{File: file, Err: err}
	}
	lines, unended := splitLines(text)
	if unended {
		last := lines[len(lines)-1]
		err = c.Problem(file, last.number, last.text, errUnended)
	}
	return lines, err
}

// splitLines splits a file into its logical lines, without empty ones. A line that ends in "\" continues in the
// next one. Between the two a blank remains, unless there is a comma, as in Grid Engine. unended reports that
// nothing follows the last "\".
func splitLines(text []byte) (lines []line, unended bool) {
	for number := 1; len(text) > 0; number++ {
		l := line{number: number}
		var more bool
		l.text, more, text = cutLine(text)
		if more && !strings.HasPrefix(l.text, "#") {
			var taken int
			l.text, taken, text = joinLines(l.text, text)
			number += taken
			unended = taken == 0
		}
		if l.text != "" {
			lines = append(lines, l)
		}
	}
	return lines, unended && len(lines) > 0
}

// joinLines joins a line and the physical lines that continue it, and counts these.
func joinLines(head string, text []byte) (joined string, taken int, rest []byte) {
	var b strings.Builder
	b.WriteString(head)
	last := head
	for more := true; more && len(text) > 0; taken++ {
		var next string
		next, more, text = cutLine(text)
		if next == "" {
			continue
		}
		if last != "" && !strings.HasSuffix(last, ",") {
			b.WriteByte(' ')
		}
		b.WriteString(next)
		last = next
	}
	return b.String(), taken, text
}

// cutLine removes the first physical line from a text. It drops blanks at its ends, and the "\" of a line that
// continues.
func cutLine(text []byte) (first string, more bool, rest []byte) {
	head, rest, _ := bytes.Cut(text, []byte{'\n'})
	first = strings.Trim(string(head), blanks)
	if body, ok := strings.CutSuffix(first, `\`); ok {
		return strings.TrimRight(body, blanks), true, rest
	}
	return first, false, rest
}

// words splits a list at blanks and commas.
func words(value string) []string {
	return strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(blanks+",", c) })
}

// members splits a list. NONE is the empty list.
func members(value string) []string {
	list := words(value)
	if len(list) == 0 || len(list) == 1 && isNone(list[0]) {
		return nil
	}
	return list
}

func isNone(value string) bool { return strings.EqualFold(value, "none") }

// pieces splits a list at the separators, but not inside quotes, parentheses or braces. It drops empty pieces.
func pieces(value, separators string) []string {
	var list []string
	start, depth, quoted := 0, 0, false
	add := func(end int) {
		if piece := strings.Trim(value[start:end], blanks); piece != "" {
			list = append(list, piece)
		}
	}
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth = max(0, depth-1)
		case depth == 0 && strings.IndexByte(separators, c) >= 0:
			add(i)
			start = i + 1
		}
	}
	add(len(value))
	return list
}
