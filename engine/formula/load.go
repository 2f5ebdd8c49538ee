package formula

import (
	"strings"

	"qprism/engine/model"
)

// Unknown is the load of a host if the formula cannot be computed. The host comes after all hosts with a
// load.
const Unknown = 9999

// A Formula is a parsed formula, to be computed for many hosts. The zero Formula is 0.
type Formula struct {
	terms []term
	bad   bool
}

// Parse reads a formula. There is no error: a formula that the scheduler cannot read is Unknown for every
// host.
//
// A "-" next to a "+" counts by the first sign: "a-+b" is a difference.
func Parse(text string) Formula {
	text = strings.NewReplacer(" ", "", "\t", "").Replace(text)
	var f Formula
	minus := strings.HasPrefix(text, "-")
	for rest := strings.TrimLeft(text, signs); rest != ""; rest = strings.TrimLeft(rest, signs) {
		end := strings.IndexAny(rest, signs)
		if end < 0 {
			end = len(rest)
		}
		t, ok := parseTerm(rest[:end])
		t.minus = minus
		f.terms = append(f.terms, t)
		f.bad = f.bad || !ok
		rest = rest[end:]
		minus = strings.HasPrefix(rest, "-")
	}
	return f
}

// Load computes the formula for one host. value has the values of resources, named without "$". If one is
// missing, the result is Unknown.
func (f Formula) Load(value func(name string) (float64, bool)) float64 {
	if f.bad {
		return Unknown
	}
	load := 0.0
	for i, t := range f.terms {
		v, ok := t.value(value)
		switch {
		case !ok:
			return Unknown
		case t.minus:
			load -= v
		case i == 0:
			load = v
		default:
			load += v
		}
	}
	return load
}

const (
	signs     = "+-"
	operators = "*/&|^"
)

// A term is one operand, or two with an operator between.
type term struct {
	minus       bool
	operator    byte // 0 for a single operand
	left, right operand
}

// An operand is a number, or the value of a resource.
type operand struct {
	name   string // empty for the number
	number float64
}

// parseTerm reads up to the second operand; the scheduler ignores what follows.
func parseTerm(text string) (t term, ok bool) {
	t.left, text, ok = cutOperand(text)
	if !ok || text == "" {
		return t, ok
	}
	if strings.IndexByte(operators, text[0]) < 0 {
		return t, false
	}
	t.operator = text[0]
	t.right, _, ok = cutOperand(text[1:])
	return t, ok
}

// cutOperand takes for a number what starts like one, also "inf" of "infiniband_load".
func cutOperand(text string) (o operand, rest string, ok bool) {
	if number, rest := model.CutNumber(text); rest != text {
		return operand{number: number}, rest, true
	}
	end := strings.IndexAny(text, operators)
	if end < 0 {
		end = len(text)
	}
	name := text[:end]
	if strings.Contains(name, "$") {
		name = name[1:]
	}
	return operand{name: name}, text[end:], name != ""
}

func (o operand) value(of func(string) (float64, bool)) (float64, bool) {
	if o.name == "" {
		return o.number, true
	}
	return of(o.name)
}

func (t term) value(of func(string) (float64, bool)) (float64, bool) {
	left, ok := t.left.value(of)
	if !ok || t.operator == 0 {
		return left, ok
	}
	right, ok := t.right.value(of)
	if !ok {
		return 0, false
	}
	switch t.operator {
	case '*':
		left *= right
	case '/':
		left /= right
	case '&':
		left = float64(bits(left) & bits(right))
	case '|':
		left = float64(bits(left) | bits(right))
	case '^':
		left = float64(bits(left) ^ bits(right))
	}
	return left, true
}

// bits are the low 32 bits of the whole part, 0 for what has none.
func bits(v float64) uint32 {
	if v > -1<<63 && v < 1<<63 {
		return uint32(int64(v))
	}
	return 0
}
