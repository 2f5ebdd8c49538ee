package collect

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A kind is a kind of objects. One option of qconf lists their names, another one shows some of them.
type kind struct {
	file   string
	list   string // option that lists the names; empty for hosts, because qhost lists them
	show   string
	first  string // name of the object that comes first
	commas bool   // one command shows several objects: -suser a,b,c
}

// kinds are the kinds of configuration that seldom change.
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

// lists are files that seldom change and that one command shows completely.
var lists = []recording{
	{file: "managers.txt", argv: []string{"qconf", "-sm"}},
	{file: "operators.txt", argv: []string{"qconf", "-so"}},
	{file: "admin_hosts.txt", argv: []string{"qconf", "-sh"}},
	{file: "submit_hosts.txt", argv: []string{"qconf", "-ss"}},
}

// captureObjects captures the configuration that seldom changes. Of each kind it captures only objects that may
// have changed.
func (c *capture) captureObjects() {
	sum := c.sum()
	same := sum == c.state.Sum && !c.Full
	for _, r := range lists {
		c.recordUnless(same && c.isRecent(r.file), r)
	}
	known := same && c.isRecentFact("names", c.ListAge)
	for _, k := range kinds {
		if !known || !c.isRecent(k.file) || !c.reuse(k.file) {
			c.captureKind(k, same)
		}
	}
	if !known {
		c.fresh("names")
	}
	c.state.Sum = sum
}

// isRecent reports whether a file was captured recently.
func (c *capture) isRecent(file string) bool {
	age := c.report.Captured.Sub(c.state.Kinds[file].Captured)
	return age >= 0 && age < c.ConfigAge
}

// captureKind captures the objects of a kind, unless the objects of an earlier capture are still valid.
func (c *capture) captureKind(k kind, same bool) {
	names := c.namesOf(k)
	if same && c.isRecent(k.file) && slices.Equal(names, c.state.Kinds[k.file].Names) && c.reuse(k.file) {
		return
	}
	from := c.lines.Len()
	all := names
	if k.first != "" {
		all = append([]string{k.first}, names...)
	}
	for chunk := range chunks(all) {
		c.spare(c.show(k, chunk))
	}
	c.remember(k.file, names, from)
}

// namesOf lists the objects of a kind.
func (c *capture) namesOf(k kind) []string {
	if k.list == "" {
		return c.hostNames()
	}
	a := c.ask("qconf", k.list)
	if a.status == 0 {
		return named(a.out)
	}
	if !nothing(a.complaints + a.out) {
		c.noteLacking(k.file, a)
	}
	return nil
}

// How many objects one command shows. The master answers for each, and no argument may become too long.
const (
	mostObjects = 200
	mostBytes   = 60_000
)

// chunks splits names into groups for one command each.
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

// show appends objects to the file of their kind. If this fails, because an object was deleted meanwhile, it
// asks for each half separately.
func (c *capture) show(k kind, names []string) (took time.Duration) {
	a := c.ask(k.argv(names)...)
	if a.status != 0 && len(names) > 1 {
		half := len(names) / 2
		return a.took + c.show(k, names[:half]) + c.show(k, names[half:])
	}
	c.note(k.file, a.status, k.argv(names))
	if a.status != 0 {
		c.noteLacking(k.file+": "+names[0], a)
	} else {
		c.appendTo(k.file, a.out)
	}
	return a.took
}

func (c *capture) appendTo(file, text string) {
	if c.err != nil {
		return
	}
	f, err := os.OpenFile(filepath.Join(c.folder, file), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		c.fail(err)
		return
	}
	_, err = f.WriteString(text)
	c.fail(errors.Join(err, f.Close()))
}

// argv returns the command that shows objects.
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
