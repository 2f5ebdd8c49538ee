package slurmconf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"qprism/engine/model"
)

// A File is a file for the administrator to install.
type File struct {
	Name, About string
	Text        []byte
}

// Files makes the files of a configuration. source says where the configuration comes from; each file has it in
// a comment at the top. The error names what Slurm's files cannot express.
func Files(c *model.SlurmConfig, source string) ([]File, error) {
	w := &writer{source: oneLine(source)}
	files := []File{
		{"priority.conf", "into the folder of slurm.conf, which includes it: the computation of priorities", w.conf(c)},
		{"nodes.conf", "into the same folder: hosts as nodes, and one partition with all nodes", w.nodes(c)},
		{"job_submit.lua", "into the same folder: what -p and requests add to the priority of a job", w.script(&c.Site)},
		{"sacctmgr.cfg", "accounts and users with their shares: sacctmgr load file=sacctmgr.cfg", w.accounts(c)},
		{"sacctmgr.sh", "settings for which no file exists: sh sacctmgr.sh", w.commands(c)},
	}
	if usage := w.usage(c.Root); usage != "" {
		usage = fmt.Sprintf("%sat\t%d\n%s", w.head("#"), c.At.Unix(), usage)
		files = append(files, File{"usage.tsv", "the usage of each association", []byte(usage)},
			File{"usage.py", "writes it into the state of slurmctld", w.program(usageProgram)})
	}
	files = append(files, File{"submit.txt", "how jobs are submitted, option by option", w.table(&c.Site)},
		File{"qsub.py", "submits jobs written for qsub to Slurm", w.wrapper(c)})
	return files, w.err
}

type writer struct {
	source string
	err    error
}

// head returns the first line of each file as a comment.
func (w *writer) head(comment string) string {
	return comment + " Made by qprism from " + w.source + ".\n"
}

// oneLine removes line breaks, so that a text cannot end a comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

func (w *writer) conf(c *model.SlurmConfig) []byte {
	var b strings.Builder
	b.WriteString(w.head("#"))
	for _, s := range c.Settings {
		fmt.Fprintf(&b, "%s=%s\n", s.Name, w.value(s.Value))
	}
	return []byte(b.String())
}

// value returns the value of a setting.
func (w *writer) value(text string) string { return w.without(text, ` #\`) }

// without returns a text. It notes an error if the text is empty, or has one of these characters, or an
// unprintable one.
func (w *writer) without(text, characters string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || r == '\uFFFD' || strings.ContainsRune(characters, r)
	}) {
		w.fail(text)
	}
	return text
}

// plain returns a name that needs no quotes, also in Lua.
func (w *writer) plain(text string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-.", unicode.ToLower(r))
	}) {
		w.fail(text)
	}
	return text
}

func (w *writer) nodes(c *model.SlurmConfig) []byte {
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

// script writes job_submit.lua.
func (w *writer) script(s *model.SlurmSite) []byte {
	var b strings.Builder
	b.WriteString(w.head("--"))
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 17, 64) }
	fmt.Fprintf(&b, "local offset, step, slot, furthest = %s, %s, %s, %s\nlocal each = { -- license",
		number(s.Offset), number(s.Step),
		number(s.Slot), number(s.Furthest))
	for _, l := range s.Licenses {
		fmt.Fprintf(&b, "\n\t[%q] = %s,", w.plain(l.Name), number(l.Each))
	}
	b.WriteString("\n}\n\n" + submitScript)
	return []byte(b.String())
}

// name returns a name in quotes. It notes an error for a name that would end the quotes or the line.
func (w *writer) name(text string) string { return "'" + w.without(text, ` '":,=\`) + "'" }

func (w *writer) fail(text string) {
	if w.err == nil {
		w.err = fmt.Errorf("%q cannot be written for Slurm", text)
	}
}

// accounts writes the flat file. A parent comes before its children.
func (w *writer) accounts(c *model.SlurmConfig) []byte {
	var b strings.Builder
	b.WriteString(w.head("#"))
	fmt.Fprintf(&b, "Cluster - %s\n", w.name(c.Cluster))
	home := map[string]string{}
	for _, m := range c.Members {
		if m.Project == "" {
			home[m.User] = m.Account
		}
	}
	w.below(&b, c.Root, home)
	return []byte(b.String())
}

// below writes the children of an account. home has the account for each user's jobs without a project.
func (w *writer) below(b *strings.Builder, a *model.SlurmAssoc, home map[string]string) {
	if a == nil || len(a.Children) == 0 {
		return
	}
	fmt.Fprintf(b, "Parent - %s\n", w.name(a.Name))
	for _, c := range a.Children {
		if !c.User {
			fmt.Fprintf(b, "Account - %s:FairShare=%s\n", w.name(c.Name), shares(c))
		}
	}
	for _, c := range a.Children {
		if c.User && (a.Name != "root" || c.Name != "root") { // every cluster already has this user
			w.user(b, c, home[c.Name])
		}
	}
	for _, c := range a.Children {
		if !c.User {
			w.below(b, c, home)
		}
	}
}

func (w *writer) user(b *strings.Builder, u *model.SlurmAssoc, home string) {
	fmt.Fprintf(b, "User - %s:FairShare=%s", w.name(u.Name), shares(u))
	if u.Priority > 0 {
		fmt.Fprintf(b, ":Priority=%d", u.Priority)
	}
	if home != "" {
		fmt.Fprintf(b, ":DefaultAccount=%s", w.name(home))
	}
	b.WriteString("\n")
}

func shares(a *model.SlurmAssoc) string {
	if a.Parent {
		return "parent"
	}
	return fmt.Sprint(a.Shares)
}

// commands are for settings that the flat file cannot express. The user root, which every cluster has, takes no
// share. A QOS has limits.
func (w *writer) commands(c *model.SlurmConfig) []byte {
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

// plainValue returns a value that a shell does not change: "cpu=4".
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

// usage writes a line with the usage of each account, and of each user in it.
func (w *writer) usage(a *model.SlurmAssoc) string {
	if a == nil {
		return ""
	}
	var b strings.Builder
	line := func(user string, seconds float64) {
		if seconds > 0 {
			w.name(a.Name)
			fmt.Fprintf(&b, "%s\t%s\t%.6f\n", a.Name, user, seconds)
		}
	}
	line("", a.Usage)
	for _, c := range a.Children {
		if !c.User {
			b.WriteString(w.usage(c))
		} else if c.Usage > 0 {
			w.name(c.Name)
			line(c.Name, c.Usage)
		}
	}
	return b.String()
}

// program returns a Python program with the head as its second line.
func (w *writer) program(text string) []byte {
	first, rest, _ := strings.Cut(text, "\n")
	return []byte(first + "\n" + w.head("#") + rest)
}
