// Package slurmconf writes how Slurm orders jobs: the lines of slurm.conf(5), the accounts and users that "sacctmgr load" reads
// (sacctmgr(1), "FLAT FILE DUMP AND LOAD"), and the commands for what such a file cannot hold.
package slurmconf

import (
	"fmt"
	"strings"
	"unicode"

	"qprism/engine/model"
)

// A Config is what is written.
type Config struct {
	Source   string          // what it was made from, for the comment at the head of each file
	Cluster  string          // ClusterName
	Settings []model.Setting // of slurm.conf
	Root     *Account
	QOS      []QOS
}

// An Account is a node of the tree of associations; the root is always there.
type Account struct {
	Name     string
	Shares   string // FairShare: a number, or parent
	Accounts []*Account
	Users    []User
}

// A User is a user in an account.
type User struct {
	Name, Shares string
	Priority     uint32 // of the association; 0 for none
}

// A QOS is a quality of service with its limits.
type QOS struct {
	Name     string
	Priority uint32
	Limits   []model.Setting
}

// A File is a file to be installed.
type File struct {
	Name, About string
	Text        []byte
}

// Files are the files of a configuration. A name that cannot be written is an error.
func Files(c *Config) ([]File, error) {
	w := &writer{head: "# Made by qprism from " + oneLine(c.Source) + ". Experimental: no Slurm server has taken it yet.\n"}
	files := []File{
		{"slurm.conf", "lines for slurm.conf: how priorities are computed", w.conf(c)},
		{"sacctmgr.cfg", "accounts and users with their shares: sacctmgr load file=sacctmgr.cfg", w.accounts(c)},
	}
	if text := w.commands(c); text != nil {
		files = append(files, File{"sacctmgr.sh", "priorities of associations, and limits: sh sacctmgr.sh", text})
	}
	return files, w.err
}

type writer struct {
	head string
	err  error
}

// oneLine keeps a text from ending a comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

func (w *writer) conf(c *Config) []byte {
	var b strings.Builder
	b.WriteString(w.head)
	for _, s := range c.Settings {
		if strings.ContainsFunc(s.Value, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == '#' }) {
			w.fail(s.Value)
		}
		fmt.Fprintf(&b, "%s=%s\n", s.Name, s.Value)
	}
	return []byte(b.String())
}

// name is a name in quotes. One that would end them, or the line, cannot be written.
func (w *writer) name(text string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == '\uFFFD' || strings.ContainsRune(` '":,=\`, r) }) {
		w.fail(text)
	}
	return "'" + text + "'"
}

func (w *writer) fail(text string) {
	if w.err == nil {
		w.err = fmt.Errorf("the name %q cannot be written for sacctmgr", text)
	}
}

// accounts is the flat file: a parent before what is below it.
func (w *writer) accounts(c *Config) []byte {
	var b strings.Builder
	b.WriteString(w.head)
	fmt.Fprintf(&b, "Cluster - %s\n", w.name(c.Cluster))
	if c.Root != nil {
		w.below(&b, c.Root)
	}
	return []byte(b.String())
}

func (w *writer) below(b *strings.Builder, a *Account) {
	if len(a.Accounts)+len(a.Users) == 0 {
		return
	}
	fmt.Fprintf(b, "Parent - %s\n", w.name(a.Name))
	for _, c := range a.Accounts {
		fmt.Fprintf(b, "Account - %s:FairShare=%s\n", w.name(c.Name), c.Shares)
	}
	for _, u := range a.Users {
		fmt.Fprintf(b, "User - %s:FairShare=%s\n", w.name(u.Name), u.Shares)
	}
	for _, c := range a.Accounts {
		w.below(b, c)
	}
}

// commands set what the flat file has no words for; nil where there is nothing.
func (w *writer) commands(c *Config) []byte {
	var b strings.Builder
	for _, q := range c.QOS {
		fmt.Fprintf(&b, "sacctmgr -i add qos %s 2>/dev/null || :\n", w.name(q.Name))
		fmt.Fprintf(&b, "sacctmgr -i modify qos where name=%s set priority=%d\n", w.name(q.Name), q.Priority)
		for _, s := range q.Limits {
			fmt.Fprintf(&b, "sacctmgr -i modify qos where name=%s set %s=%s\n", w.name(q.Name), s.Name, s.Value)
		}
	}
	w.priorities(&b, c.Root)
	if b.Len() == 0 {
		return nil
	}
	return []byte("#!/bin/sh\n" + w.head + "set -eu\n" + b.String())
}

func (w *writer) priorities(b *strings.Builder, a *Account) {
	if a == nil {
		return
	}
	for _, u := range a.Users {
		if u.Priority > 0 {
			fmt.Fprintf(b, "sacctmgr -i modify user where name=%s account=%s set priority=%d\n", w.name(u.Name), w.name(a.Name), u.Priority)
		}
	}
	for _, c := range a.Accounts {
		w.priorities(b, c)
	}
}
