package collect

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A kind is a kind of objects of which qconf lists the names and shows those that are asked for.
type kind struct {
	file   string
	list   string // the option that lists the names; empty for hosts, which qhost lists already
	show   string
	first  string // is shown before all others
	commas bool   // one option shows several: -suser a,b,c
}

// kinds are those of configuration that seldom changes.
var kinds = []kind{
	{file: "hosts.txt", show: "-se", first: "global"},
	{file: "users.txt", list: "-suserl", show: "-suser", commas: true},
	{file: "projects.txt", list: "-sprjl", show: "-sprj"},
	{file: "usersets.txt", list: "-sul", show: "-su", commas: true},
	{file: "hostgroups.txt", list: "-shgrpl", show: "-shgrp"},
	{file: "pes.txt", list: "-spl", show: "-sp"},
	{file: "calendars.txt", list: "-scall", show: "-scal"},
	{file: "ckpts.txt", list: "-sckptl", show: "-sckpt"},
	{file: "host_confs.txt", list: "-sconfl", show: "-sconf"},
}

// lists are those of which one call shows all, and that seldom change either.
var lists = []recording{
	{file: "managers.txt", argv: []string{"qconf", "-sm"}},
	{file: "operators.txt", argv: []string{"qconf", "-so"}},
	{file: "admin_hosts.txt", argv: []string{"qconf", "-sh"}},
	{file: "submit_hosts.txt", argv: []string{"qconf", "-ss"}},
}

// captureObjects captures the configuration that seldom changes, of each kind what may have changed.
func (c *capture) captureObjects() error {
	sum, err := c.sum()
	if err != nil {
		return err
	}
	same := sum == c.state.Sum && !c.Full
	for _, r := range lists {
		if same && c.isYoung(r.file) && c.reuse(r.file) {
			continue
		}
		from := c.lines.Len()
		if err := c.recordOrNote(r); err != nil {
			return err
		}
		if err := c.remember(r.file, nil, from); err != nil {
			return err
		}
	}
	known := same && c.young("names", c.ListAge)
	for _, k := range kinds {
		if known && c.isYoung(k.file) && c.reuse(k.file) {
			continue
		}
		if err := c.captureKind(k, same); err != nil {
			return err
		}
	}
	if !known {
		c.fresh("names")
	}
	c.state.Sum = sum
	return nil
}

// isYoung reports whether a file was captured lately.
func (c *capture) isYoung(file string) bool {
	age := c.report.Captured.Sub(c.state.Kinds[file].Captured)
	return age >= 0 && age < c.ConfigAge
}

// captureKind captures the objects of a kind, unless those of an earlier capture hold still.
func (c *capture) captureKind(k kind, same bool) error {
	names, err := c.namesOf(k)
	if err != nil {
		return err
	}
	if same && c.isYoung(k.file) && slices.Equal(names, c.state.Kinds[k.file].Names) && c.reuse(k.file) {
		return nil
	}
	from := c.lines.Len()
	all := names
	if k.first != "" {
		all = append([]string{k.first}, names...)
	}
	for chunk := range chunks(all) {
		took, err := c.show(k, chunk)
		if err != nil {
			return err
		}
		if err := c.spare(took); err != nil {
			return err
		}
	}
	return c.remember(k.file, names, from)
}

// namesOf lists the objects of a kind.
func (c *capture) namesOf(k kind) ([]string, error) {
	if k.list == "" {
		return c.hostNames()
	}
	a := c.ask("qconf", k.list)
	if a.err != nil {
		return nil, a.err
	}
	if a.status != 0 {
		if !nothing(a.complaints + a.out) {
			c.lacks(k.file, a)
		}
		return nil, nil
	}
	return named(a.out), nil
}

// How many objects a call shows: the master is asked for each, and no argument may become too long for an exec.
const (
	mostObjects = 200
	mostBytes   = 60_000
)

// chunks splits names into those of one call each.
func chunks(names []string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for len(names) > 0 {
			n, bytes := 0, 0
			for n < len(names) && n < mostObjects && (n == 0 || bytes+len(names[n]) < mostBytes) {
				bytes += len(names[n]) + 1
				n++
			}
			if !yield(names[:n]) {
				return
			}
			names = names[n:]
		}
	}
}

// show appends objects to the file of their kind. Where that fails, since one has gone meanwhile, halves are asked for.
func (c *capture) show(k kind, names []string) (took time.Duration, err error) {
	a := c.ask(k.argv(names)...)
	if a.err != nil {
		return 0, a.err
	}
	if a.status != 0 && len(names) > 1 {
		for _, half := range [][]string{names[:len(names)/2], names[len(names)/2:]} {
			more, err := c.show(k, half)
			if err != nil {
				return 0, err
			}
			a.took += more
		}
		return a.took, nil
	}
	c.note(k.file, a.status, k.argv(names))
	if a.status != 0 {
		c.lacks(k.file+": "+names[0], a)
		return a.took, nil
	}
	return a.took, c.appendTo(k.file, a.out)
}

func (c *capture) appendTo(file, text string) error {
	f, err := os.OpenFile(filepath.Join(c.folder, file), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// argv is the command that shows objects.
func (k kind) argv(names []string) []string {
	if k.commas {
		return []string{"qconf", k.show, strings.Join(names, ",")}
	}
	argv := []string{"qconf"}
	for _, name := range names {
		argv = append(argv, k.show, name)
	}
	return argv
}
