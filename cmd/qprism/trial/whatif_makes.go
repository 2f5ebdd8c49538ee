package trial

import (
	"slices"
	"strings"

	"qprism/cmd/qprism/cli"
	"qprism/engine/whatif"
)

// editors are the options of qconf(1) that edit who has shares and override tickets.
var editors = map[string]string{whatif.ByUser: "-muser", whatif.ByProject: "-mprj", whatif.ByDepartment: "-mu"}

// Commands lists the qconf(1) commands that make the changes. They read the files that the user gave, or else
// open an editor.
func (o *WhatIfOptions) Commands() (list []string) {
	add := func(words ...string) {
		if command := strings.Join(words, " "); !slices.Contains(list, command) {
			list = append(list, command)
		}
	}
	if o.Policy != "" {
		add("qconf -Msconf", cli.ShellWord(o.Policy))
	}
	if len(o.Set) > 0 {
		add("qconf -msconf")
	}
	for _, change := range o.Shares {
		who, _, _ := strings.Cut(change, "=")
		kind, name, _ := strings.Cut(who, "/")
		if inTree := slices.Contains(o.inTree, change); inTree || slices.Contains(o.inBoth, change) {
			if add("qconf -mstree"); inTree {
				continue
			}
		}
		add("qconf", editors[kind], cli.ShellWord(name))
	}
	for _, change := range o.Tickets {
		who, tickets, _ := strings.Cut(change, "=")
		kind, name, _ := strings.Cut(who, "/")
		if kind == whatif.ByJob {
			add("qalter -ot", tickets, cli.ShellWord(name))
			continue
		}
		add("qconf", editors[kind], cli.ShellWord(name))
	}
	if o.Tree != "" {
		add("qconf -Mstree", cli.ShellWord(o.Tree))
	}
	for _, change := range o.Complex {
		if strings.Contains(change, "=") {
			add("qconf -mc")
		} else {
			add("qconf -Mc", cli.ShellWord(change))
		}
	}
	return list
}
