package ssh

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A config has the settings of files, in a strict subset of ssh_config(5). It skips unknown keywords. It does
// not read a Match block with criteria other than all, host, originalhost, user and localuser, but notes it.
type config struct {
	home  string
	lines []setting
	notes []string // parts that were not read, and their places
}

// A setting is one line. It is valid if all blocks around it are valid.
type setting struct {
	blocks  []*block
	keyword string // in lower case
	values  []string
	place   string // file:line
}

// A block is a Host or Match line. qprism decides once, at this line, whether the block is valid: a HostName
// inside a "Match host" block does not end it.
type block struct {
	match    bool
	patterns []string // patterns of Host, or criteria of Match
}

// mostIncludes is how deep files may include each other, as in OpenSSH.
const mostIncludes = 16

// readConfig reads files. Each may be missing. The first of two settings wins, so the user's file comes first.
func readConfig(home string, files []string) (*config, error) {
	c := &config{home: home}
	for _, file := range files {
		if err := c.readFile(file, filepath.Dir(file), nil, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return c, nil
}

// readFile reads one file inside the blocks of those that include it. Included names are relative to folder.
func (c *config) readFile(name, folder string, outer []*block, depth int) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if depth > mostIncludes {
		return fmt.Errorf("%s: files that include each other", name)
	}
	blocks := outer
	scan := bufio.NewScanner(f)
	for number := 1; scan.Scan(); number++ {
		place := fmt.Sprintf("%s:%d", name, number)
		words, err := splitLine(scan.Text())
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if len(words) == 0 {
			continue
		}
		keyword, values := strings.ToLower(words[0]), words[1:]
		if len(values) == 0 {
			return fmt.Errorf("%s: no value for %s", place, words[0])
		}
		switch keyword {
		case "host", "match":
			blocks = append(slices.Clone(outer), &block{match: keyword == "match", patterns: values})
			c.noteMatch(place, blocks[len(blocks)-1])
		case "include":
			if err := c.include(values, folder, blocks, depth); err != nil {
				return fmt.Errorf("%s: %w", place, err)
			}
		default:
			c.lines = append(c.lines, setting{blocks, keyword, values, place})
		}
	}
	return scan.Err()
}

// include reads the files that patterns name, relative to the folder of the first file.
func (c *config) include(patterns []string, folder string, blocks []*block, depth int) error {
	for _, pattern := range patterns {
		pattern = c.tilde(pattern)
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(folder, pattern)
		}
		files, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := c.readFile(file, folder, blocks, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *config) tilde(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(c.home, rest)
	}
	return path
}

func (c *config) noteMatch(place string, b *block) {
	if b.match && !b.readable() {
		c.notes = append(c.notes, fmt.Sprintf("%s: \"Match %s\" is not evaluated, its settings do not hold here", place,
			strings.Join(b.patterns, " ")))
	}
}

// criterion returns the name of a criterion, and whether "!" negates it.
func criterion(word string) (name string, negated bool) {
	name, negated = strings.CutPrefix(strings.ToLower(word), "!")
	return name, negated
}

// readable reports whether all criteria of a Match line are supported.
func (b *block) readable() bool {
	for i := 0; i < len(b.patterns); i += 2 {
		switch name, _ := criterion(b.patterns[i]); name {
		case "all":
			i--
		case "host", "originalhost", "user", "localuser":
			if i+1 == len(b.patterns) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// asked has the wanted host, as far as it is known at a block.
type asked struct{ alias, hostname, user, me string }

// holds reports whether a block's settings are valid for a host.
func (b *block) holds(a asked) bool {
	if !b.match {
		return matches(b.patterns, a.alias)
	}
	if !b.readable() {
		return false
	}
	for i := 0; i < len(b.patterns); i += 2 {
		value := map[string]string{"host": a.hostname, "originalhost": a.alias, "user": a.user, "localuser": a.me}
		name, negated := criterion(b.patterns[i])
		if name == "all" {
			i--
		} else if matches(strings.Split(b.patterns[i+1], ","), value[name]) == negated {
			return false
		}
	}
	return true
}

// matches reports whether a name fits one of the patterns, and no pattern that begins with "!".
func matches(patterns []string, name string) (fits bool) {
	for _, p := range patterns {
		negated, not := strings.CutPrefix(p, "!")
		switch {
		case not && wildcard(negated, name):
			return false
		case !not && wildcard(p, name):
			fits = true
		}
	}
	return fits
}

// wildcard matches "*" and "?", the only wildcards of ssh_config(5).
func wildcard(pattern, name string) bool {
	fits, err := path.Match(strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(pattern), name)
	return fits && err == nil
}

// splitLine splits "Keyword value…", "Keyword=value" and quoted values. "#" at the beginning of a word starts a
// comment.
func splitLine(line string) (words []string, err error) {
	rest := strings.TrimSpace(line)
	for rest != "" && rest[0] != '#' {
		var word string
		if rest[0] == '"' {
			var closed bool
			if word, rest, closed = strings.Cut(rest[1:], `"`); !closed {
				return nil, errors.New("a quote is not closed")
			}
		} else {
			separators := " \t"
			if len(words) == 0 {
				separators = " \t="
			}
			end := strings.IndexAny(rest, separators)
			if end < 0 {
				end = len(rest)
			}
			word, rest = rest[:end], rest[end:]
		}
		words = append(words, word)
		rest = strings.TrimLeft(rest, " \t\r\f")
		if len(words) == 1 {
			rest = strings.TrimLeft(strings.TrimPrefix(rest, "="), " \t")
		}
	}
	return words, nil
}
