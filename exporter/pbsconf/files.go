package pbsconf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A File is a file for the administrator to install.
type File struct {
	Name  string // "sched_config"; with a folder, "hooks/qprism_submit.py"
	About string // where it belongs, and its purpose
	Text  []byte
}

// Files makes the files of a cluster. source says where the configuration comes from; each file has it in a
// comment at the top.
func Files(s *model.Snapshot, hooks []model.PBSHook, source string) []File {
	head := "# Made by qprism from " + oneLine(source) + ".\n"
	files := []File{{Script, "qmgr <" + Script + " as root, in this folder: resources, queues, nodes, limits, formula",
		qmgrScript(s, hooks, head)}}
	files = append(files, schedFiles(s, head)...)
	for _, h := range hooks {
		files = append(files, File{hookFile(h), "the hook " + h.Name + ", which " + Script + " imports", []byte(h.Python)})
	}
	return files
}

// Script is the name of the qmgr script.
const Script = "install.qmgr"

// schedFiles makes the files of the scheduler, which reads them from its folder sched_priv.
func schedFiles(s *model.Snapshot, head string) []File {
	const about = "into sched_priv of the scheduler"
	files := []File{{"sched_config", about, schedConfig(s, head)}, {"holidays", about, holidays(&s.PBS.Holidays, head)}}
	if len(s.PBS.Fairshare.Groups) > 0 {
		files = append(files, File{"resource_group", about, resourceGroup(s.PBS.Fairshare.Groups, head)})
	}
	if len(s.PBS.Dedicated) > 0 {
		files = append(files, File{"dedicated_time", about, dedicated(s, head)})
	}
	return files
}

// Reload is the shell command that installs the scheduler's files from the current folder. It keeps the old
// files, and makes the scheduler read the new ones (pbs_sched(8B), SIGHUP).
func Reload(s *model.Snapshot) string {
	var names []string
	for _, f := range schedFiles(s, "") {
		names = append(names, f.Name)
	}
	return ". /etc/pbs.conf\n" +
		"cp -b " + strings.Join(names, " ") + " \"$PBS_HOME/sched_priv/\"\n" +
		"kill -HUP \"$(cat \"$PBS_HOME/sched_priv/sched.lock\")\""
}

func hookFile(h model.PBSHook) string { return "hooks/" + h.Name + ".py" }

// oneLine removes line breaks, so that a text cannot end a comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// schedConfig writes sched_config.
func schedConfig(s *model.Snapshot, head string) []byte {
	var b strings.Builder
	b.WriteString(head)
	for _, l := range s.PBS.SchedConfig.Lines {
		value := l.Value
		if strings.ContainsAny(value, " \t") {
			value = `"` + value + `"`
		}
		if l.Prime != "" {
			value += "\t" + l.Prime
		}
		fmt.Fprintf(&b, "%s: %s\n", l.Name, value)
	}
	return []byte(b.String())
}

// resourceGroup writes resource_group.
func resourceGroup(groups []model.ResourceGroup, head string) []byte {
	var b strings.Builder
	b.WriteString(head + "# name\tcresgrp\tparent\tshares\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "%s\t%d\t%s\t%d\n", g.Name, g.Group, g.Parent, g.Shares)
	}
	return []byte(b.String())
}

// weekdays are the words of the holidays file, Sunday first.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// holidays writes the holidays file. Without a year it is always primetime.
func holidays(h *model.Holidays, head string) []byte {
	var b strings.Builder
	b.WriteString(strings.Replace(head, "#", "*", 1))
	if h.Year == 0 {
		b.WriteString("* No YEAR: it is always primetime.\n")
		return []byte(b.String())
	}
	fmt.Fprintf(&b, "YEAR\t%d\n", h.Year)
	for i, d := range h.Days {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", weekdays[i], dayStart(d.Prime), dayStart(d.NonPrime))
	}
	for _, day := range h.Dates {
		fmt.Fprintf(&b, "%d\tholiday\n", day)
	}
	return []byte(b.String())
}

func dayStart(d model.DayStart) string {
	switch {
	case d.All:
		return "all"
	case d.None:
		return "none"
	}
	return fmt.Sprintf("%02d%02d", int(d.At.Hours()), int(d.At.Minutes())%60)
}

// dedicated writes dedicated_time. The times are local, as the scheduler reads them.
func dedicated(s *model.Snapshot, head string) []byte {
	var b strings.Builder
	b.WriteString(head)
	zone := s.Zone()
	for _, p := range s.PBS.Dedicated {
		b.WriteString(p.Start.In(zone).Format("01/02/2006 15:04") + " " + p.End.In(zone).Format("01/02/2006 15:04") + "\n")
	}
	return []byte(b.String())
}

// byName sorts hooks, so that the files are always in the same order.
func byName(hooks []model.PBSHook) []model.PBSHook {
	return slices.SortedFunc(slices.Values(hooks), func(a, b model.PBSHook) int { return cmp.Compare(a.Name, b.Name) })
}
