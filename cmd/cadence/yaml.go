package cadence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"qprism/cmd/qprism/show"
	"qprism/cmd/when"
)

// A Problem is a mistake in a file.
type Problem struct {
	Line int
	Text string
}

// A FileError lists the mistakes in a file.
type FileError struct {
	File     string
	Problems []Problem
}

func (e *FileError) Error() string {
	const most = 20
	var lines []string
	for i, p := range e.Problems {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(e.Problems)-most))
			break
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", e.File, p.Line, p.Text))
	}
	return strings.Join(lines, "\n")
}

// mostBytes is how long a file may be.
const mostBytes = 1 << 20

// A reader reads YAML and collects mistakes.
type reader struct {
	file     string
	problems []Problem
}

// document reads a file of one YAML document.
func (r *reader) document(text []byte) *yaml.Node {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		r.wrong(1, "the file is empty")
		return nil
	case err != nil:
		r.syntax(text, err)
		return nil
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		r.wrong(max(more.Line, 1), "more than one document")
	}
	return doc.Content[0]
}

// slurp reads a file of no more than mostBytes.
func slurp(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("%s: longer than %d bytes", file, mostBytes)
	}
	return text, err
}

var (
	yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	star     = regexp.MustCompile(`^\s*[\w-]+\s*:\s+([*@].*)$`)
)

// syntax notes an error of the YAML parser. The most frequent cause is a cron line that begins with "*" or "@"
// without quotes.
func (r *reader) syntax(text []byte, err error) {
	line := 1
	said := err.Error()
	if m := yamlLine.FindStringSubmatch(said); m != nil {
		said = strings.TrimPrefix(said, m[0])
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	lines := strings.Split(string(text), "\n")
	for _, n := range []int{line, line + 1, line - 1} { // the parser counts from 0 in some cases
		if n < 1 || n > len(lines) {
			continue
		}
		if m := star.FindStringSubmatch(lines[n-1]); m != nil {
			r.wrong(n, "put a value that begins with %q in quotes: %q", m[1][:1], strings.TrimSpace(m[1]))
			return
		}
	}
	r.wrong(line, "%s", said)
}

func (r *reader) wrong(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{line, fmt.Sprintf(format, args...)})
}

func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	return &FileError{r.file, r.problems}
}

// fields have the function that reads the value of each key.
type fields map[string]func(*yaml.Node)

// mapping reads a mapping that may have certain keys. What names it in messages.
func (r *reader) mapping(n *yaml.Node, what string, known fields) {
	r.pairs(n, what, func(key, value *yaml.Node) {
		read := known[key.Value]
		if read == nil {
			r.wrong(key.Line, "%s has no %q; %s", what, key.Value, suggestion(key.Value, known))
			return
		}
		read(value)
	})
}

// pairs calls each for every key of a mapping, once.
func (r *reader) pairs(n *yaml.Node, what string, each func(key, value *yaml.Node)) {
	n = plain(n)
	if n.Kind != yaml.MappingNode {
		r.wrong(n.Line, "%s: want \"key: value\" lines, not %s", what, describe(n))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if first := seen[key.Value]; first != 0 {
			r.wrong(key.Line, "%q is already in line %d", key.Value, first)
			continue
		}
		seen[key.Value] = key.Line
		each(key, n.Content[i+1])
	}
}

// plain follows an alias. Reading stops at the known keys, so aliases cannot make a file grow.
func plain(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// items returns the values of a list, or a single value without a list.
func items(n *yaml.Node) []*yaml.Node {
	if n = plain(n); n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// suggestion names the similar key. If there is none, it names all keys.
func suggestion(key string, known fields) string {
	names := slices.Sorted(maps.Keys(known))
	for _, name := range names {
		if near(key, name) {
			return fmt.Sprintf("did you mean %q?", name)
		}
	}
	return "it has " + strings.Join(names, ", ")
}

// near reports whether words differ in one letter, two exchanged letters, or dashes.
func near(a, b string) bool {
	return show.EditDistance(strings.ReplaceAll(a, "-", "_"), strings.ReplaceAll(b, "-", "_")) <= 1
}

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

// scalar returns a value of one word or line. For any other value it notes a mistake, and ok is false.
func (r *reader) scalar(n *yaml.Node, what string) (text string, ok bool) {
	n = plain(n)
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.wrong(n.Line, "%s: want one value, not %s", what, describe(n))
		return "", false
	}
	return n.Value, true
}

// parsed reads a value with a function.
func parsed[T any](r *reader, what string, to *T, parse func(string) (T, error)) func(*yaml.Node) {
	return func(n *yaml.Node) {
		text, ok := r.scalar(n, what)
		if !ok {
			return
		}
		v, err := parse(text)
		if err != nil {
			r.wrong(n.Line, "%s: %v", what, err)
			return
		}
		*to = v
	}
}

func (r *reader) text(what string, to *string) func(*yaml.Node) {
	return parsed(r, what, to, func(text string) (string, error) { return text, nil })
}

func (r *reader) span(what string, to *time.Duration) func(*yaml.Node) {
	return parsed(r, what, to, when.Span)
}

func (r *reader) yes(what string, to *bool) func(*yaml.Node) {
	return parsed(r, what, to, func(text string) (bool, error) {
		switch text {
		case "true", "yes", "on":
			return true, nil
		case "false", "no", "off":
			return false, nil
		}
		return false, fmt.Errorf("want true or false, not %q", text)
	})
}

func (r *reader) number(what string, to *int, least, most int) func(*yaml.Node) {
	return parsed(r, what, to, func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("want a number from %d to %d, not %q", least, most, text)
		}
		return n, nil
	})
}

func (r *reader) choice(what string, to *string, words ...string) func(*yaml.Node) {
	return parsed(r, what, to, func(text string) (string, error) {
		if !slices.Contains(words, text) {
			return "", fmt.Errorf("want %s, not %q", strings.Join(words, " or "), text)
		}
		return text, nil
	})
}
