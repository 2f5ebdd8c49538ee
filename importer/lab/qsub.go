package lab

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A job is a job of a lab.
type job struct {
	line              int // of the file
	number            uint32
	user, name        string
	submitted, starts time.Time
	project           string
	pe, slots         string
	hard, soft        []string // KEY=VALUE
	hardQ, softQ      []string
	masterQ           []string
	after, arrayAfter []uint32
	priority          int
	share, override   uint32
	execution         time.Time
	deadline          time.Time
	first, last, step uint32
	array             bool
	most              uint32 // -tc
	reserve, held     bool
	now               bool
	checkpoint        string
	on                []place // places of its first tasks
}

// A place is where a task runs: QUEUE@HOST=SLOTS. A "+" joins several of one parallel task.
type place []grant

type grant struct {
	instance string
	slots    int
}

// job reads a line of a job: TIME USER: qsub OPTIONS [COMMAND] [=> QUEUE@HOST … [since TIME]].
func (l *lab) job(words []string) error {
	at, err := l.clock(words[0])
	if err != nil {
		return err
	}
	if len(words) < 3 || !strings.HasSuffix(words[1], ":") || words[2] != "qsub" {
		return errors.New("want TIME USER: qsub OPTIONS COMMAND, and where it runs: => QUEUE@HOST")
	}
	j := job{line: l.number, number: l.next, user: strings.TrimSuffix(words[1], ":"), submitted: at, first: 1, last: 1,
		step: 1}
	words = words[3:]
	if k := slices.Index(words, "=>"); k >= 0 {
		if err := l.running(&j, words[k+1:]); err != nil {
			return err
		}
		words = words[:k]
	}
	if err := l.options(&j, words); err != nil {
		return fmt.Errorf("qsub: %w", err)
	}
	l.object("user", j.user)
	if j.project == "" {
		j.project = l.valueOf("users/"+j.user+".txt", "default_project")
	}
	l.jobs = append(l.jobs, j)
	l.next++
	l.names[j.name] = append(l.names[j.name], j.number)
	return nil
}

// running reads the places of running tasks, and their start.
func (l *lab) running(j *job, words []string) (err error) {
	j.starts = j.submitted
	for i, w := range words {
		if w == "since" && i+2 == len(words) {
			j.starts, err = l.clock(words[i+1])
			return err
		}
		var p place
		for _, part := range strings.Split(w, "+") {
			instance, count, _ := strings.Cut(part, "=")
			slots, err := strconv.Atoi(count)
			if count == "" {
				slots, err = 1, nil
			}
			if err != nil || !strings.Contains(instance, "@") {
				return fmt.Errorf("%q: want QUEUE@HOST, or QUEUE@HOST=SLOTS", part)
			}
			p = append(p, grant{instance, slots})
		}
		j.on = append(j.on, p)
	}
	return nil
}

// flags are the options of qsub without a value. Only -h has an effect here.
var flags = []string{"-cwd", "-V", "-hard", "-soft", "-h", "-terse"}

// ignored are options that affect neither order nor place of a job.
var ignored = []string{"-o", "-e", "-j", "-S", "-b", "-m", "-M", "-wd", "-v", "-r", "-w", "-notify", "-A", "-shell",
	"-sync", "-C", "-i", "-c"}

// options reads the options of qsub, and the command after them.
func (l *lab) options(j *job, words []string) error {
	soft := false
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		option := words[0]
		if slices.Contains(flags, option) {
			soft = option == "-soft" || soft && option != "-hard"
			j.held = j.held || option == "-h"
			words = words[1:]
			continue
		}
		n := 2
		if option == "-pe" {
			n = 3
		}
		if len(words) < n {
			return fmt.Errorf("%s lacks a value", option)
		}
		if err := l.option(j, option, words[1:n], soft); err != nil {
			return fmt.Errorf("%s %s: %w", option, strings.Join(words[1:n], " "), err)
		}
		words = words[n:]
	}
	if j.name == "" {
		j.name = "STDIN"
		if len(words) > 0 {
			j.name = path.Base(words[0])
		}
	}
	return nil
}

func (l *lab) option(j *job, option string, values []string, soft bool) (err error) {
	value, queues, requests := values[0], &j.hardQ, &j.hard
	if soft {
		queues, requests = &j.softQ, &j.soft
	}
	number := func(to *uint32) {
		var n uint64
		n, err = strconv.ParseUint(value, 10, 32)
		*to = uint32(n)
	}
	switch option {
	case "-N":
		j.name = value
	case "-P":
		j.project = value
	case "-pe":
		j.pe, j.slots = value, values[1]
	case "-l":
		for _, r := range strings.Split(value, ",") {
			if !strings.Contains(r, "=") {
				r += "=TRUE"
			}
			*requests = append(*requests, r)
		}
	case "-q":
		*queues = append(*queues, strings.Split(value, ",")...)
	case "-masterq":
		j.masterQ = strings.Split(value, ",")
	case "-p":
		if j.priority, err = strconv.Atoi(value); err == nil && (j.priority < -1023 || j.priority > 1024) {
			err = errors.New("-p is -1023 to 1024")
		}
	case "-js":
		number(&j.share)
	case "-ot":
		number(&j.override)
	case "-tc":
		number(&j.most)
	case "-t":
		j.array = true
		_, err = fmt.Sscanf(value+":1", "%d-%d:%d", &j.first, &j.last, &j.step)
		if err == nil && (j.first < 1 || j.last < j.first || j.step < 1) {
			err = errors.New("want FIRST-LAST or FIRST-LAST:STEP, from 1")
		}
	case "-R":
		j.reserve = value == "y" || value == "yes"
	case "-now":
		j.now = value == "y" || value == "yes"
	case "-ckpt":
		j.checkpoint = value
	case "-a":
		j.execution, err = l.date(value)
	case "-dl":
		j.deadline, err = l.date(value)
	case "-hold_jid":
		j.after, err = l.jobsNamed(value)
	case "-hold_jid_ad":
		j.arrayAfter, err = l.jobsNamed(value)
	default:
		if !slices.Contains(ignored, option) {
			err = errors.New("this option is not known here")
		}
	}
	return err
}

// date reads MMDDhhmm, the form of -a and -dl, or a time of the lab's day.
func (l *lab) date(text string) (time.Time, error) {
	if isClock(text) {
		return l.clock(text)
	}
	t, err := time.Parse("01021504", text)
	if err != nil {
		return t, errors.New("want MMDDhhmm, or a time of day")
	}
	return time.Date(l.day.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC), nil
}

// jobsNamed returns the jobs for a list of numbers and names.
func (l *lab) jobsNamed(text string) (list []uint32, err error) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.ParseUint(word, 10, 32)
		switch {
		case err == nil && slices.ContainsFunc(l.jobs, func(j job) bool { return uint64(j.number) == n }):
			list = append(list, uint32(n))
		case len(l.names[word]) > 0:
			list = append(list, l.names[word]...)
		default:
			return nil, fmt.Errorf("no job %s was submitted before", word)
		}
	}
	return list, nil
}

// check refuses a job that a master would refuse, or could not have started. It gives requested resources their full
// names, as the master does. It runs after all lines.
func (l *lab) check(j *job) error {
	for _, list := range [][]string{j.hard, j.soft} {
		for i, r := range list {
			name, value, _ := strings.Cut(r, "=")
			full := l.fullName(name)
			if full == "" {
				return fmt.Errorf("qsub: -l %s: the complex has no %s; a line adds it, with its eight "+
					"columns: complex %[2]s …", r, name)
			}
			list[i] = full + "=" + value
		}
	}
	for _, p := range j.on {
		for _, g := range p {
			queue, host, _ := strings.Cut(g.instance, "@")
			if most, err := strconv.Atoi(valueOn(l.valueOf("queues/"+queue+".txt", "slots"), host)); err == nil &&
				g.slots > most {
				return fmt.Errorf("%s=%d: the queue instance has %d", g.instance, g.slots, most)
			}
		}
	}
	return nil
}

// fullName returns the full name of a resource with this name or shortcut; empty if the complex has none.
func (l *lab) fullName(name string) string {
	for line := range strings.Lines(string(l.files["complex.txt"])) {
		if f := strings.Fields(line); len(f) > 1 && (f[0] == name || f[1] == name) {
			return f[0]
		}
	}
	return ""
}

// valueOn returns a queue's value on a host, from "1,[node01=4]".
func valueOn(value, host string) string {
	if _, own, found := strings.Cut(value, "["+host+"="); found {
		own, _, _ = strings.Cut(own, "]")
		return own
	}
	value, _, _ = strings.Cut(value, ",")
	return value
}
