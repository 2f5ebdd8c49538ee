package glob

import "strings"

// A byteSet is a set of characters of the C locale.
type byteSet [4]uint64

var anyByte = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

func (s *byteSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }

func (s *byteSet) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s.add(byte(c))
	}
}

// A bracketEnd says how a bracket expression ends: with "]", with the text, or in something that never matches.
type bracketEnd int

const (
	bracketClosed bracketEnd = iota
	bracketOpen
	bracketBroken
)

// A bracketParser reads a bracket expression as glob(7) describes it, and what it leaves open as the GNU C library
// does.
type bracketParser struct {
	rest   string
	set    byteSet
	negate bool
}

// members is the set that the bracket stands for.
func (b *bracketParser) members() *byteSet {
	set := b.set
	if b.negate {
		for i := range set {
			set[i] = ^set[i]
		}
	}
	return &set
}

// read takes members until a "]" that is not the first of them.
func (b *bracketParser) read() bracketEnd {
	if b.rest != "" && (b.rest[0] == '!' || b.rest[0] == '^') {
		b.negate = true
		b.rest = b.rest[1:]
	}
	for first := true; ; first = false {
		switch {
		case b.rest == "":
			return bracketOpen
		case b.rest[0] == ']' && !first:
			b.rest = b.rest[1:]
			return bracketClosed
		case !b.member():
			return bracketBroken
		}
	}
}

// member takes one class or range; false if nothing with it can match.
func (b *bracketParser) member() bool {
	if name, rest, ok := className(b.rest); ok {
		b.rest = rest
		return b.class(name)
	}
	if c, rest, ok := equivalence(b.rest); ok {
		b.rest = rest
		b.set.add(c)
		return true
	}
	from, ok := b.bound()
	if !ok {
		return false
	}
	to, isRange := strings.CutPrefix(b.rest, "-")
	if !isRange || strings.HasPrefix(to, "]") {
		b.set.add(from)
		return true
	}
	b.rest = to
	return b.upTo(from)
}

// upTo takes the end of a range.
func (b *bracketParser) upTo(from byte) bool {
	to, ok := b.bound()
	if ok {
		b.set.addRange(from, to)
	}
	return ok
}

// bound takes one character: "a", "\a" or "[.a.]".
func (b *bracketParser) bound() (c byte, ok bool) {
	if symbol, isSymbol := strings.CutPrefix(b.rest, "[."); isSymbol {
		name, rest, closed := cutSymbol(symbol)
		b.rest = rest
		if !closed || len(name) != 1 {
			return 0, false
		}
		return name[0], true
	}
	b.rest = strings.TrimPrefix(b.rest, `\`)
	if b.rest == "" {
		return 0, false
	}
	c, b.rest = b.rest[0], b.rest[1:]
	return c, true
}

// cutSymbol cuts the name of a collating symbol from a text behind "[.". The name is not empty: "[..]" is open.
func cutSymbol(text string) (name, rest string, closed bool) {
	return strings.Cut(text, ".]")
}

// className cuts "[:name:]" off a text; ok is false where no name of a class can be meant.
func className(text string) (name, rest string, ok bool) {
	body, isClass := strings.CutPrefix(text, "[:")
	if !isClass {
		return "", "", false
	}
	rest = strings.TrimLeft(body, "abcdefghijklmnopqrstuvwxy")
	name = body[:len(body)-len(rest)]
	rest, ok = strings.CutPrefix(rest, ":]")
	return name, rest, ok
}

// equivalence cuts "[=c=]" off a text.
func equivalence(text string) (c byte, rest string, ok bool) {
	if len(text) < 5 || text[:2] != "[=" || text[3:5] != "=]" {
		return 0, "", false
	}
	return text[2], text[5:], true
}

// class adds the members of a character class; false for a name that is none.
func (b *bracketParser) class(name string) bool {
	ranges, ok := classes[name]
	for i := 0; i+1 < len(ranges); i += 2 {
		b.set.addRange(ranges[i], ranges[i+1])
	}
	return ok
}

// classes are the character classes of the C locale, as pairs of first and last members.
var classes = map[string]string{
	"alnum":  "09AZaz",
	"alpha":  "AZaz",
	"blank":  "\t\t  ",
	"cntrl":  "\x00\x1f\x7f\x7f",
	"digit":  "09",
	"graph":  "!~",
	"lower":  "az",
	"print":  " ~",
	"punct":  "!/:@[`{~",
	"space":  "\t\r  ",
	"upper":  "AZ",
	"xdigit": "09AFaf",
}
