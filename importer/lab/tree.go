package lab

import (
	"fmt"
	"slices"
	"strings"
)

// A leaf is a node of the share tree by its path, "/group/user", and its shares.
type leaf struct{ path, shares string }

// treeLine reads nodes of the share tree: /PATH=SHARES …
func (l *lab) treeLine(words []string) error {
	for _, w := range words {
		path, shares, ok := strings.Cut(w, "=")
		if !ok || !strings.HasPrefix(path, "/") || len(path) < 2 {
			return fmt.Errorf("%q: want /NODE=SHARES, or /NODE/NODE=SHARES", w)
		}
		path = strings.TrimSuffix(path, "/")
		if k := slices.IndexFunc(l.leaves, func(n leaf) bool { return n.path == path }); k >= 0 {
			l.leaves[k].shares = shares
			continue
		}
		l.leaves = append(l.leaves, leaf{path, shares})
	}
	return nil
}

// tree writes the share tree as qconf -sstree prints it.
func (l *lab) tree() {
	if len(l.leaves) == 0 {
		return
	}
	var b strings.Builder
	nodes := append([]leaf{{"", "1"}}, l.leaves...)
	for id, n := range nodes {
		var children []string
		for k, c := range nodes {
			if up := strings.LastIndex(c.path, "/"); k > 0 && c.path[:up] == n.path {
				children = append(children, fmt.Sprint(k))
			}
		}
		name, kind := n.path[strings.LastIndex(n.path, "/")+1:], 0
		if id == 0 {
			name = "Root"
		}
		if l.files["projects/"+name+".txt"] != nil {
			kind = 1
		}
		if children == nil {
			children = []string{"NONE"}
		}
		fmt.Fprintf(&b, "id=%d\nname=%s\ntype=%d\nshares=%s\nchildnodes=%s\n", id, name, kind,
			n.shares, strings.Join(children, ","))
	}
	l.files["share_tree.txt"] = []byte(b.String())
}

// valueOf returns the value of a key in an object's file. It is empty if there is none.
func (l *lab) valueOf(file, key string) string {
	for line := range strings.Lines(string(l.files[file])) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == key && !strings.EqualFold(f[1], "NONE") {
			return strings.Join(f[1:], " ")
		}
	}
	return ""
}

// namesIn returns the objects that the files of a folder describe, by name.
func (l *lab) namesIn(folder string) (names []string) {
	for _, file := range l.in(folder) {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(file, folder), ".txt"))
	}
	return names
}

// departmentOf returns a user's department: the first one that lists the user.
func (l *lab) departmentOf(user string) string {
	for _, file := range l.in("usersets/") {
		if strings.Contains(l.valueOf(file, "type"), "DEPT") &&
			slices.Contains(strings.Split(l.valueOf(file, "entries"), ","), user) {
			return l.valueOf(file, "name")
		}
	}
	return "defaultdepartment"
}

// in lists the files of a folder, by name.
func (l *lab) in(folder string) (list []string) {
	for name := range l.files {
		if strings.HasPrefix(name, folder) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
