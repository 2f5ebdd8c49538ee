package lab

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"qprism/importer"
	"qprism/importer/gridengine"
)

// File is the name of the file that has the lines of a lab. Dumps are in the same folder.
const File = "lab"

//go:embed defaults
var defaults embed.FS

// A lab is a lab while it is read.
type lab struct {
	files   map[string][]byte // of the bundle
	release string
	day     time.Time
	at      time.Time // zero for the last submission
	hosts   []string
	leaves  []leaf
	jobs    []job
	names   map[string][]uint32 // of jobs
	plain   map[string]bool     // files of queues without a setting for their parallel environments
	number  int                 // number of the current line
	next    uint32              // number of the next job
}

// Read makes the bundle of a lab from its lines, from dumps that replace the defaults, and from settings in the
// form of --set.
func Read(name string, text []byte, dumps fs.FS, settings []string) (fs.FS, error) {
	l := &lab{files: map[string][]byte{}, release: "8.1.9", day: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		names: map[string][]uint32{}, plain: map[string]bool{}, next: 1}
	if err := l.begin(dumps); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for l.number = 1; lines.Scan(); l.number++ {
		if err := l.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, l.number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	for _, s := range settings {
		if err := l.setting(s); err != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
	}
	if len(l.in("queues/")) == 0 {
		l.object("queue", "all.q")
	}
	for i := range l.jobs {
		if err := l.check(&l.jobs[i]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, l.jobs[i].line, err)
		}
	}
	if err := l.finish(strings.TrimSuffix(path.Base(name), ".lab")); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	bundle, err := importer.InMemory(l.files)
	if err != nil {
		return nil, err
	}
	return bundle, understood(name, text, bundle, dumps != nil)
}

// understood returns an error for a line of a lab with a value that no cluster can have. Dumps of a real
// cluster may have such values.
func understood(name string, text []byte, bundle fs.FS, dumps bool) error {
	s, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, left := range s.LeftOut {
		if n := lineWith(text, wordsOf(left.Text)); n > 0 {
			return fmt.Errorf("%s:%d: %s", name, n, left.Reason)
		} else if !dumps {
			return fmt.Errorf("%s: %s", name, left.Reason)
		}
	}
	return nil
}

// wordsOf returns the words of a line, with the keys and values in them.
func wordsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r=,", r) })
}

// lineWith returns the first line with a key and its value, from 1. It is 0 if there is none.
func lineWith(text []byte, words []string) int {
	for i, line := range strings.Split(string(text), "\n") {
		own := wordsOf(line)
		if len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(own, word) }) {
			return i + 1
		}
	}
	return 0
}

// begin loads the configuration of a new installation, then replaces parts of it by dumps.
func (l *lab) begin(dumps fs.FS) error {
	for _, name := range []string{"sched_conf.txt", "conf.txt", "complex.txt"} {
		text, err := defaults.ReadFile("defaults/" + name)
		if err != nil {
			return err
		}
		l.files[name] = text
	}
	l.object("host", "global")
	if dumps == nil {
		return nil
	}
	return fs.WalkDir(dumps, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == File {
			return err
		}
		l.files[name], err = fs.ReadFile(dumps, name)
		if kind, of, ok := strings.Cut(name, "/"); ok && kind == "hosts" && of != "global.txt" {
			l.hosts = append(l.hosts, strings.TrimSuffix(of, ".txt"))
		}
		return err
	})
}

// line reads one line.
func (l *lab) line(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("no UTF-8: %q", text)
	}
	text, _, _ = strings.Cut(text, " #")
	words := strings.Fields(text)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	if isClock(words[0]) {
		return l.job(words)
	}
	return l.describe(words)
}

// setting changes a lab in the form of --set: KEY=VALUE of the scheduler's configuration, or
// KIND/NAME/KEY=VALUE.
func (l *lab) setting(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("no UTF-8")
	}
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want KEY=VALUE, or KIND/NAME/KEY=VALUE")
	}
	switch parts := strings.Split(key, "/"); len(parts) {
	case 1:
		if key == "at" || key == "release" {
			return l.describe([]string{key, value})
		}
		return l.describe([]string{"set", key, value})
	case 2:
		return l.describe([]string{parts[0], parts[1], value})
	case 3:
		return l.describe([]string{parts[0], parts[1], parts[2] + "=" + value})
	}
	return errors.New("want KEY=VALUE, or KIND/NAME/KEY=VALUE")
}

func isClock(word string) bool {
	return len(word) > 3 && word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ":")
}

// clock reads a time of the lab's day. 26:00 is on the next day.
func (l *lab) clock(word string) (time.Time, error) {
	var h, m, s int
	if n, err := fmt.Sscanf(word+":0", "%d:%d:%d", &h, &m, &s); n < 3 || h < 0 || h > 9999 ||
		m < 0 || m > 59 || s < 0 || s > 59 {
		return time.Time{}, fmt.Errorf("%q is no time of day like 12:05 or 12:05:30 (%v)", word, err)
	}
	return l.day.Add(time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second), nil
}
