package qconf

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// A formed file is a configuration file while it is read.
type formed struct {
	part
	all    []model.Line   // logical lines, also blank ones and comments
	object string         // object of the last line
	count  map[string]int // of lines by object and key
}

// Lines lists the lines of a configuration file. isConfig is false for other files.
func Lines(r *source.Reader, name string) (lines []model.Line, isConfig bool, err error) {
	i := slices.IndexFunc(parts, func(p part) bool { return p.name == bundle.PartOf(name) })
	if i < 0 {
		return nil, false, nil
	}
	text, err := r.ReadAll(name, maxConfigFile)
	if err != nil {
		return nil, true, err
	}
	f := &formed{part: parts[i], all: physical(name, parts[i].kind, text), count: map[string]int{}}
	if f.lines == nil {
		f.lines = (*formed).pairs
	}
	f.lines(f)
	return f.all, true, nil
}

// physical splits a file into its logical lines. Blank lines and comments that stand together become one line.
func physical(name, kind string, text []byte) (list []model.Line) {
	for number := 1; len(text) > 0; {
		var more bool
		l := model.Line{File: name, Number: number, Count: 1, Kind: kind}
		l.Text, more, text = cutLine(text)
		if more && !strings.HasPrefix(l.Text, "#") {
			var taken int
			l.Text, taken, text = joinLines(l.Text, text)
			l.Count += taken
		}
		number += l.Count
		if l.Text == "" || l.Text[0] == '#' {
			l.Key = model.LineBlank
		}
		if last := len(list) - 1; l.Text == "" && last >= 0 && list[last].Key == model.LineBlank {
			list[last].Count += l.Count
			continue
		}
		list = append(list, l)
	}
	return list
}

// set sets what a line means, and counts it.
func (f *formed) set(l *model.Line, object, key, value string) {
	l.Object, l.Key, l.Value = object, key, value
	l.Index = f.count[object+"\x00"+key]
	f.count[object+"\x00"+key]++
}

// each calls read for all lines except blank ones and comments.
func (f *formed) each(read func(l *model.Line)) {
	for i := range f.all {
		if f.all[i].Key != model.LineBlank {
			read(&f.all[i])
		}
	}
}

func pairOf(text string) (key, value string) { return line{text: text}.pair() }

// pairs reads lines "KEY VALUE" of one object, or of several that begin with their names.
func (f *formed) pairs() {
	f.each(func(l *model.Line) {
		key, value := pairOf(l.Text)
		if key == f.first && key != "" {
			f.object = value
		}
		f.set(l, f.object, key, value)
	})
}

// confLines reads configurations. A comment before each names its host.
func (f *formed) confLines() {
	for i := range f.all {
		l := &f.all[i]
		if host, header := confHeader(l.Text); header {
			f.object = host
		}
		if l.Key != model.LineBlank {
			key, value := pairOf(l.Text)
			f.set(l, f.object, key, value)
		}
	}
}

// complexLines reads the entries of a complex. A line with another number of columns is no entry.
func (f *formed) complexLines() {
	f.each(func(l *model.Line) {
		if d, err := parseResource(l.Text); err == nil {
			f.set(l, d.Name, model.LineEntry, l.Text)
		}
	})
}

// nameLines reads lists of names.
func (f *formed) nameLines() {
	f.each(func(l *model.Line) {
		if !strings.ContainsAny(l.Text, blanks) {
			f.set(l, l.Text, model.LineEntry, l.Text)
		}
	})
}

// quotaLines reads quota sets. It first looks for the set's name, so that the brace gets the name, too.
func (f *formed) quotaLines() {
	f.each(func(l *model.Line) {
		key, value := pairOf(l.Text)
		if key == "{" {
			f.object = quotaName(f.all, l.Number)
		}
		f.set(l, f.object, key, value)
	})
}

// quotaName returns the name of the set whose brace opens at a line.
func quotaName(lines []model.Line, from int) string {
	for _, l := range lines {
		if key, value := pairOf(cmp.Or(l.Text, " ")); l.Number > from && (key == "name" || key == "}") {
			return value
		}
	}
	return ""
}

// treeLines reads a share tree. The lines of a node belong to its path, "/P1/alice", and to "/" for the root.
func (f *formed) treeLines() {
	names, children := map[string]string{}, map[string][]string{}
	var id string
	f.each(func(l *model.Line) {
		switch key, value := pairOf(l.Text); key {
		case "id":
			id = value
		case "name":
			names[id] = value
		case "childnodes":
			children[id] = members(value)
		}
	})
	paths := treePaths(names, children)
	id = ""
	f.each(func(l *model.Line) {
		key, value := pairOf(l.Text)
		if key == "id" {
			id = value
		}
		if l.Text == "no sharetree element" {
			key, value = model.LineBlank, ""
		}
		f.set(l, paths[id], key, value)
	})
}

// treePaths returns the paths of a tree's nodes, by id. A node below itself has no path, and neither has a node
// below the depth limit.
func treePaths(names map[string]string, children map[string][]string) map[string]string {
	below := map[string]bool{}
	for _, list := range children {
		for _, id := range list {
			below[id] = true
		}
	}
	paths := map[string]string{}
	var open []string
	for _, id := range slices.Sorted(maps.Keys(names)) {
		if !below[id] {
			paths[id] = "/"
			open = append(open, id)
		}
	}
	for ; len(open) > 0; open = open[1:] {
		if strings.Count(paths[open[0]], "/") > maxShareDepth {
			continue
		}
		for _, id := range children[open[0]] {
			if _, seen := paths[id]; !seen {
				paths[id] = path.Join(paths[open[0]], names[id])
				open = append(open, id)
			}
		}
	}
	return paths
}
