package glob

// Match reports whether a name matches a pattern of fnmatch(3) with * ? [ ] and \, without flags, in the
// C locale, as in the master. It combines New and Match, for patterns that are used once.
func Match(pattern, name string) bool {
	return New(pattern).Match(name)
}

// A Pattern is a parsed pattern of fnmatch(3). The zero Pattern matches the empty name.
type Pattern struct {
	steps []step
}

// A step matches one character, or as a star any number of them.
type step struct {
	star    bool
	literal byte
	set     *byteSet // nil for the literal
}

func (s step) matches(c byte) bool {
	if s.set != nil {
		return s.set.has(c)
	}
	return s.literal == c
}

// New parses a pattern. A pattern that ends in a backslash matches nothing. Nor does one with a broken
// bracket that fnmatch(3) of the GNU C library refuses.
func New(pattern string) Pattern {
	p := globParser{rest: pattern}
	for p.rest != "" {
		p.step()
	}
	return Pattern{p.steps}
}

// Match reports whether the whole name matches. The work is at most the product of the lengths.
func (g Pattern) Match(name string) bool {
	steps := g.steps
	afterStar, retry := -1, 0 // the step behind the last star, and where in the name to try it next
	i, n := 0, 0
	for n < len(name) || i < len(steps) {
		switch {
		case i < len(steps) && steps[i].star:
			i++
			afterStar, retry = i, n
		case i < len(steps) && n < len(name) && steps[i].matches(name[n]):
			i++
			n++
		case afterStar >= 0 && retry < len(name):
			retry++
			i, n = afterStar, retry
		default:
			return false
		}
	}
	return true
}

// A globParser takes one step after the other off the front of a pattern.
type globParser struct {
	rest  string
	steps []step
	open  int // brackets without an end
}

func (p *globParser) step() {
	c := p.rest[0]
	p.rest = p.rest[1:]
	switch {
	case c == '*':
		p.add(step{star: true})
	case c == '?':
		p.add(step{set: &anyByte})
	case c == '[':
		p.bracket()
	case c == '\\' && p.rest == "":
		p.fail()
	case c == '\\':
		p.add(step{literal: p.rest[0]})
		p.rest = p.rest[1:]
	default:
		p.add(step{literal: c})
	}
}

func (p *globParser) add(s step) { p.steps = append(p.steps, s) }

// fail ends the pattern in a step that no character matches.
func (p *globParser) fail() {
	p.add(step{set: new(byteSet)})
	p.rest = ""
}

// mostOpen bounds the work on a pattern full of brackets without an end, each of which is read to the end of the text.
const mostOpen = 64

// bracket reads what is behind a "[". Without an end the "[" stands for itself.
func (p *globParser) bracket() {
	if p.open == mostOpen {
		p.add(step{literal: '['})
		return
	}
	b := bracketParser{rest: p.rest}
	switch end := b.read(); {
	case end == bracketClosed:
		p.add(step{set: b.members()})
		p.rest = b.rest
	case end == bracketOpen:
		p.open++
		p.add(step{literal: '['})
	default:
		p.fail()
	}
}
