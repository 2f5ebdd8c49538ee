package lint

import (
	"strings"
)

// Line finds the first line of a file for which holds is true.
func (in *Input) Line(file string, holds func(words []string) bool) Place {
	for i, text := range in.Lines(file) {
		if holds(strings.Fields(text)) {
			return Place{File: file, Line: i + 1, Text: strings.Join(strings.Fields(text), " ")}
		}
	}
	return Place{File: file}
}

// First finds the line that begins with a word.
func (in *Input) First(file, word string) Place {
	return in.Line(file, func(words []string) bool { return len(words) > 0 && words[0] == word })
}

// Sched is a line of the scheduler configuration.
func (in *Input) Sched(key string) Place { return in.First("sched_conf.txt", key) }

// Object is a line of a configured object: in its own file, or in the file of all objects of its kind.
func (in *Input) Object(kind, name, key string) Place {
	if own := kind + "/" + name + ".txt"; in.Lines(own) != nil {
		return in.First(own, key)
	}
	inside := false
	return in.Line(kind+".txt", func(words []string) bool {
		if len(words) > 1 && nameKeys[words[0]] {
			inside = words[1] == name
		}
		return inside && len(words) > 0 && words[0] == key
	})
}

// nameKeys begin the lines that name an object.
var nameKeys = map[string]bool{"name": true, "hostname": true, "qname": true, "pe_name": true, "group_name": true}

// TreeNode is the line of the n-th share tree node with this name.
func (in *Input) TreeNode(name string, n int) Place {
	return in.Line("share_tree.txt", func(words []string) bool {
		if strings.Join(words, " ") == "name="+name {
			n--
		}
		return n < 0
	})
}
