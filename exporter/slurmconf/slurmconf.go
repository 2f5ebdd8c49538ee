package slurmconf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"qprism/engine/model"
)

// A Config is what is written.
type Config struct {
	Source   string          // what it was made from, for the comment at the head of each file
	Cluster  string          // ClusterName
	Settings []model.Setting // of slurm.conf
	Nodes    []Node
	Site     Site
	Root     *Account
	QOS      []QOS
	At       time.Time // of the usage
	Usage    []Usage
	Members  []Member
}

// A Node is a host with its processors.
type Node struct {
	Name string
	CPUs int
}

// A Site is how the site factor of a job is made: Offset - (Step - 1) * nice + Slot * tasks + what each license gives.
type Site struct {
	Offset, Step, Slot, Furthest float64
	Licenses                     []License
}

// A License stands for a resource of Grid Engine.
type License struct {
	Resource string  `json:"resource"`
	Shortcut string  `json:"shortcut"`
	Name     string  `json:"name"`
	Unit     float64 `json:"unit"`     // amount that is one license
	PerSlot  bool    `json:"per_slot"` // jobs ask for it once for each slot
	Counted  bool    `json:"counted"`  // jobs ask for an amount
	Count    uint32  `json:"-"`
	Each     float64 `json:"-"` // what one gives to the site factor
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
	Name   string
	Limits []model.Setting
}

// Usage is what an account used, or a user in it.
type Usage struct {
	Account, User string
	Seconds       float64
}

// A Member says in which account a user's jobs of a project are; of no project where that is empty.
type Member struct{ Project, User, Account string }

// A File is a file to be installed.
type File struct {
	Name, About string
	Text        []byte
}

// Files are the files of a configuration. A name that cannot be written is an error.
func Files(c *Config) ([]File, error) {
	w := &writer{source: oneLine(c.Source)}
	files := []File{
		{"priority.conf", "into the folder of slurm.conf, which includes it: how priorities are computed", w.conf(c)},
		{"nodes.conf", "likewise: hosts as nodes, and one partition of all", w.nodes(c)},
		{"job_submit.lua", "likewise: what -p and requests give to a job", w.script(&c.Site)},
		{"sacctmgr.cfg", "accounts and users with their shares: sacctmgr load file=sacctmgr.cfg", w.accounts(c)},
	}
	files = append(files, File{"sacctmgr.sh", "what no such file holds: sh sacctmgr.sh", w.commands(c)})
	if len(c.Usage) > 0 {
		files = append(files, File{"usage.tsv", "what each association had used", w.usage(c)},
			File{"usage.py", "puts it into the state of slurmctld", w.program(usageProgram)})
	}
	files = append(files, File{"submit.txt", "how jobs are submitted, option by option", w.table(&c.Site)},
		File{"qsub.py", "submits to Slurm what was written for qsub", w.wrapper(c)})
	return files, w.err
}

type writer struct {
	source string
	err    error
}

// head is the first line of each file, behind what begins a comment there.
func (w *writer) head(comment string) string {
	return comment + " Made by qprism from " + w.source + ".\n"
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
	b.WriteString(w.head("#"))
	for _, s := range c.Settings {
		fmt.Fprintf(&b, "%s=%s\n", s.Name, w.value(s.Value))
	}
	return []byte(b.String())
}

func (w *writer) value(text string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || r == ' ' || r == '#' || r == '\\' ||
			r == '\uFFFD'
	}) {
		w.fail(text)
	}
	return text
}

// plain is a name that stands without quotes among others, and in Lua.
func (w *writer) plain(text string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-.", unicode.ToLower(r))
	}) {
		w.fail(text)
	}
	return text
}

func (w *writer) nodes(c *Config) []byte {
	var b strings.Builder
	b.WriteString(w.head("#"))
	var licenses []string
	for _, l := range c.Site.Licenses {
		if l.Count > 0 {
			licenses = append(licenses, fmt.Sprintf("%s:%d", w.plain(l.Name), l.Count))
		}
	}
	if len(licenses) > 0 {
		fmt.Fprintf(&b, "Licenses=%s\n", strings.Join(licenses, ","))
	}
	for _, n := range c.Nodes {
		fmt.Fprintf(&b, "NodeName=%s CPUs=%d\n", w.plain(n.Name), n.CPUs)
	}
	if len(c.Nodes) > 0 {
		b.WriteString("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n")
	}
	return []byte(b.String())
}

// script is job_submit.lua.
func (w *writer) script(s *Site) []byte {
	var b strings.Builder
	b.WriteString(w.head("--"))
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 17, 64) }
	fmt.Fprintf(&b, "local offset, step, slot, furthest = %s, %s, %s, %s\nlocal each = { -- license", number(s.Offset), number(s.Step),
		number(s.Slot), number(s.Furthest))
	for _, l := range s.Licenses {
		fmt.Fprintf(&b, "\n\t[%q] = %s,", w.plain(l.Name), number(l.Each))
	}
	b.WriteString("\n}\n\n" + submitScript)
	return []byte(b.String())
}

// name is a name in quotes. One that would end them, or the line, cannot be written.
func (w *writer) name(text string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || r == '\uFFFD' ||
			strings.ContainsRune(` '":,=\`, r)
	}) {
		w.fail(text)
	}
	return "'" + text + "'"
}

func (w *writer) fail(text string) {
	if w.err == nil {
		w.err = fmt.Errorf("%q cannot be written for Slurm", text)
	}
}

// accounts is the flat file: a parent before what is below it.
func (w *writer) accounts(c *Config) []byte {
	var b strings.Builder
	b.WriteString(w.head("#"))
	fmt.Fprintf(&b, "Cluster - %s\n", w.name(c.Cluster))
	if c.Root != nil {
		w.below(&b, c)
	}
	return []byte(b.String())
}

func (w *writer) below(b *strings.Builder, c *Config) {
	home := map[string]string{}
	for _, m := range c.Members {
		if m.Project == "" {
			home[m.User] = m.Account
		}
	}
	var visit func(a *Account)
	visit = func(a *Account) {
		if len(a.Accounts)+len(a.Users) == 0 {
			return
		}
		fmt.Fprintf(b, "Parent - %s\n", w.name(a.Name))
		for _, c := range a.Accounts {
			fmt.Fprintf(b, "Account - %s:FairShare=%s\n", w.name(c.Name), c.Shares)
		}
		for _, u := range a.Users {
			if a.Name == "root" && u.Name == "root" { // who is there
				continue
			}
			fmt.Fprintf(b, "User - %s:FairShare=%s", w.name(u.Name), u.Shares)
			if u.Priority > 0 {
				fmt.Fprintf(b, ":Priority=%d", u.Priority)
			}
			if home[u.Name] != "" {
				fmt.Fprintf(b, ":DefaultAccount=%s", w.name(home[u.Name]))
			}
			b.WriteString("\n")
		}
		for _, c := range a.Accounts {
			visit(c)
		}
	}
	visit(c.Root)
}

// commands are for what the flat file has no words for: that the user root, whom every cluster has, takes no share, and limits of a QOS.
func (w *writer) commands(c *Config) []byte {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n" + w.head("#") + `set -eu
cluster=$(sed -n 's/^ClusterName=//p' "${SLURM_CONF:-/etc/slurm/slurm.conf}")
sacctmgr -i modify user where name=root account=root cluster="$cluster" set fairshare=0
`)
	for _, q := range c.QOS {
		for _, s := range q.Limits {
			fmt.Fprintf(&b, "sacctmgr -i modify qos where name=%s set %s=%s\n", w.name(q.Name), s.Name, w.plainValue(s.Value))
		}
	}
	return []byte(b.String())
}

// plainValue is a value that a shell takes as it is: "cpu=4".
func (w *writer) plainValue(text string) string {
	name, value, found := strings.Cut(text, "=")
	if found {
		w.plain(name)
	} else {
		value = text
	}
	w.plain(value)
	return text
}

func (w *writer) usage(c *Config) []byte {
	var b strings.Builder
	b.WriteString(w.head("#"))
	fmt.Fprintf(&b, "at\t%d\n", c.At.Unix())
	for _, u := range c.Usage {
		w.name(u.Account)
		if u.User != "" {
			w.name(u.User)
		}
		fmt.Fprintf(&b, "%s\t%s\t%.6f\n", u.Account, u.User, u.Seconds)
	}
	return []byte(b.String())
}

// program is a program in Python, its second line being the head.
func (w *writer) program(text string) []byte {
	first, rest, _ := strings.Cut(text, "\n")
	return []byte(first + "\n" + w.head("#") + rest)
}

// sorted are members by project and user, so that the same cluster gives the same file.
func sorted(list []Member) []Member {
	return slices.SortedFunc(slices.Values(list), func(a, b Member) int {
		return strings.Compare(a.Project+"\x00"+a.User, b.Project+"\x00"+b.User)
	})
}
