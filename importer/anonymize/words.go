package anonymize

import (
	"embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A word is a run of letters and digits. Every character beyond ASCII counts as a letter. An identifier has
// several words, with points, dashes and underscores between them.
func inWord(c byte) bool {
	return c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func inIdentifier(c byte) bool { return inWord(c) || c == '.' || c == '-' || c == '_' }

func isWord(s string) bool {
	for i := range len(s) {
		if !inWord(s[i]) {
			return false
		}
	}
	return s != ""
}

// runs replaces each run of bytes of a class in a text.
func runs(text string, class func(byte) bool, replace func(string) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && class(text[j]) {
			j++
		}
		if j > i {
			b.WriteString(replace(text[i:j]))
			i = j
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// set makes a set of words.
func set(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, list := range words {
		for _, w := range strings.Fields(list) {
			m[w] = true
		}
	}
	return m
}

//go:embed words
var lists embed.FS

// list returns a file of words.
func list(name string) string {
	text, err := lists.ReadFile("words/" + name + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	return string(text)
}

func listed(name string) map[string]bool { return set(list(name)) }

// standard are identifiers that every cluster has, or that have a meaning to the master. They stay.
var standard = union(resources, listed("standard"))

// resources are the resources that every complex has.
var resources = listed("resources")

func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// AddResource notes the name of a custom resource. The scheduler handles requests in the order of their names.
// To keep this order, the pseudonym begins with the standard name that sorts before the name.
func (d *Dictionary) AddResource(name string) {
	if d.standard[name] {
		return
	}
	before := "a"
	if i, _ := slices.BinarySearch(d.inOrder, name); i > 0 {
		before = d.inOrder[i-1]
	}
	d.resources[name] = before + "0" + d.Name(name)
}

var inOrder = slices.Sorted(maps.Keys(resources))

// keywords stay in values, but not in names.
var keywords = set(
	`true false TRUE FALSE True False YES NO Yes No INFINITY infinity Infinity UNDEFINED unknown MASTER SLAVE inf nan -nan`)

var (
	number = regexp.MustCompile(
		`^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]*)?[kKmMgGtTpPeE]?[bB]?$|^0[xX][0-9a-fA-F]+$|^[-.0-9]+$`)
	moment  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}$|^[0-9]{2}\.[0-9]+Z?$`)
	address = regexp.MustCompile(`^[0-9]+(\.[0-9]+){3,}$`)
)

// isNumber reports whether an identifier is a number, a time or a part of one. An address of a host is none.
// Most identifiers do not even begin like a number.
func isNumber(s string) bool {
	begins := s != "" && strings.IndexByte("-.0123456789", s[0]) >= 0
	return begins && (number.MatchString(s) || moment.MatchString(s)) && !address.MatchString(s)
}

// free are words of the master's messages, in lower case. They stay in messages, unless the cluster has such a
// name.
var free = listed("free")

// Name replaces all words except standard identifiers. It also replaces numbers, because a user may be called
// 4711.
func (d *Dictionary) Name(text string) string {
	return anyTwo(d.replace(text, nil, func(string) bool { return false }))
}

// Value replaces all words except standard identifiers, keywords and numbers.
func (d *Dictionary) Value(text string) string { return d.ValueOf(text, nil) }

// ValueOf is Value with more keywords: more lists them.
func (d *Dictionary) ValueOf(text string, more map[string]bool) string {
	return anyTwo(d.replace(text, d.resources, func(id string) bool {
		return keywords[id] || isNumber(id) || allOf(id, more)
	}))
}

// allOf reports whether an identifier is a keyword, or keywords and numbers with dashes and points between
// them: mon-fri, 24.dec-26.dec.
func allOf(id string, words map[string]bool) bool {
	if words[id] || len(words) == 0 {
		return words[id]
	}
	for _, part := range strings.FieldsFunc(id, func(r rune) bool { return r == '-' || r == '.' }) {
		if !words[part] && strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return !address.MatchString(id)
}

// anyTwo doubles question marks in a pattern, because pseudonyms are twice as long as names.
func anyTwo(pattern string) string { return strings.ReplaceAll(pattern, "?", "??") }

// Free replaces words of a message, except numbers and words of the master's own messages. It always replaces
// names.
func (d *Dictionary) Free(text string) string {
	return d.replace(text, d.resources, func(id string) bool {
		lower := strings.ToLower(id)
		return !d.known[lower] && (free[lower] || isNumber(id) || keywords[id])
	})
}

// replace replaces identifiers. list has the pseudonyms of some of them.
func (d *Dictionary) replace(text string, list map[string]string, stays func(identifier string) bool) string {
	return runs(text, inIdentifier, func(id string) string {
		if made := list[id]; made != "" {
			return made
		}
		if core := strings.Trim(id, ".-"); d.standard[core] || d.standard[id] || stays(id) || core != "" && stays(core) {
			return id
		}
		return runs(id, inWord, d.Word)
	})
}
