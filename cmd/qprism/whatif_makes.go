package main

import (
	"slices"
	"strings"
)

// commands are those of Grid Engine that make the changes, qconf(1): from files where they were given as files, else in an editor.
func (o *whatIfOptions) commands() (list []string) {
	add := func(words ...string) {
		if command := strings.Join(words, " "); !slices.Contains(list, command) {
			list = append(list, command)
		}
	}
	if o.policy != "" {
		add("qconf -Msconf", shellWord(o.policy))
	}
	if len(o.set) > 0 {
		add("qconf -msconf")
	}
	for _, change := range o.shares {
		who, _, _ := strings.Cut(change, "=")
		kind, name, _ := strings.Cut(who, "/")
		add("qconf", map[string]string{"user": "-muser", "project": "-mprj", "department": "-mu"}[kind], shellWord(name))
	}
	if o.tree != "" {
		add("qconf -Mstree", shellWord(o.tree))
	}
	for _, change := range o.complex {
		if strings.Contains(change, "=") {
			add("qconf -mc")
		} else {
			add("qconf -Mc", shellWord(change))
		}
	}
	return list
}
