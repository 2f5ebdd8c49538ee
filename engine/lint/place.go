package lint

import (
	"strings"
)

// line finds the first line of a file that a condition holds for.
func (in *Input) line(file string, holds func(words []string) bool) Place {
	for i, text := range in.Lines(file) {
		if holds(strings.Fields(text)) {
			return Place{File: file, Line: i + 1, Text: strings.Join(strings.Fields(text), " ")}
		}
	}
	return Place{File: file}
}

// first finds the line that begins with a word.
func (in *Input) first(file, word string) Place {
	return in.line(file, func(words []string) bool { return len(words) > 0 && words[0] == word })
}

// sched is a line of the scheduler configuration.
func (in *Input) sched(key string) Place { return in.first("sched_conf.txt", key) }

// object is a line of a configured object: of its own file, or of the one that holds all of its kind.
func (in *Input) object(kind, name, key string) Place {
	if own := kind + "/" + name + ".txt"; in.Lines(own) != nil {
		return in.first(own, key)
	}
	inside := false
	return in.line(kind+".txt", func(words []string) bool {
		if len(words) > 1 && nameKeys[words[0]] {
			inside = words[1] == name
		}
		return inside && len(words) > 0 && words[0] == key
	})
}

// nameKeys begin the lines that name an object.
var nameKeys = map[string]bool{"name": true, "hostname": true, "qname": true, "pe_name": true, "group_name": true}

// treeNode is the line that names a node of the share tree, the n-th of that name.
func (in *Input) treeNode(name string, n int) Place {
	return in.line("share_tree.txt", func(words []string) bool {
		if strings.Join(words, " ") == "name="+name {
			n--
		}
		return n < 0
	})
}
