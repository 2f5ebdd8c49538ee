package explain

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// A Term is a number in a derivation, and the terms from which the number is computed.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`                // NaN if not known
	Op    Op      `json:"op,omitempty"`         // the operation on its terms; empty for a fact of the snapshot or policy
	Over  bool    `json:"divides,omitempty"`    // the product is divided by it
	Minus bool    `json:"subtracted,omitempty"` // the sum subtracts it
	Text  string  `json:"text,omitempty"`       // its form in an expression, instead of name and value
	Note  string  `json:"note,omitempty"`       // a remark, in words
	Inert string  `json:"inert,omitempty"`      // why all jobs have the same value; empty if they do not
	Terms []Term  `json:"terms,omitempty"`
}

// An Op is the operation that computes a term from other terms.
type Op string

// The operations.
const (
	Given     Op = ""
	Sum       Op = "sum"       // sum of the terms; those with Minus are subtracted
	Product   Op = "product"   // product of the terms; divided by those with Over
	Normalize Op = "normalize" // (first − second) ÷ (third − second); 0.5 if second and third are almost equal
	Cut       Op = "cut"       // integer part of the first term
	Single    Op = "single"    // the first term with the 24 bits of a single float
	Copy      Op = "copy"      // the first term, or its replacement
	Levels    Op = "levels"    // no number: the terms are compared one after the other
)

// Total is the sum of the terms.
func (t *Term) Total() float64 {
	v := 0.0
	for i := range t.Terms {
		if t.Terms[i].Minus {
			v -= t.Terms[i].Value
		} else {
			v += t.Terms[i].Value
		}
	}
	return v
}

// Multiplied is the product of the terms.
func (t *Term) Multiplied() float64 {
	v := 1.0
	for i := range t.Terms {
		if t.Terms[i].Over {
			v /= t.Terms[i].Value
		} else {
			v *= t.Terms[i].Value
		}
	}
	return v
}

// Words are name and value, as expressions show them.
func (t *Term) Words() string {
	if t.Text != "" {
		return t.Text
	}
	if t.Name == "" {
		return Number(t.Value)
	}
	return t.Name + " " + Number(t.Value)
}

// Expression shows the parts of a term: "weight_urgency 0.1 × nurg 0.5".
func (t *Term) Expression() string {
	switch t.Op {
	case Sum:
		return t.sumWords()
	case Product:
		return t.productWords()
	case Normalize:
		return "(" + t.Terms[0].Words() + " − " + t.Terms[1].Words() + ") ÷ (" + t.Terms[2].Words() +
			" − " + Bracketed(t.Terms[1].Value) + ")"
	case Cut:
		return "the integer part of " + t.Terms[0].Words()
	case Single, Copy:
		return t.Terms[0].Words()
	}
	return ""
}

// sumWords leaves out what adds nothing, unless nothing adds anything.
func (t *Term) sumWords() string {
	var b strings.Builder
	for i := range t.Terms {
		c := &t.Terms[i]
		if c.Nothing() && !t.onlyNothing() {
			continue
		}
		switch {
		case b.Len() == 0 && c.Minus:
			b.WriteString("−")
		case b.Len() > 0 && c.Minus:
			b.WriteString(" − ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		b.WriteString(c.Words())
	}
	return b.String()
}

func (t *Term) onlyNothing() bool {
	for i := range t.Terms {
		if !t.Terms[i].Nothing() {
			return false
		}
	}
	return true
}

// Nothing reports whether a term is 0, but not a sum of terms that cancel out.
func (t *Term) Nothing() bool {
	return t.Value == 0 && (t.Op != Sum || t.onlyNothing())
}

func (t *Term) productWords() string {
	var b strings.Builder
	for i := range t.Terms {
		if c := &t.Terms[i]; c.Over {
			b.WriteString(" ÷ " + c.Words())
		} else {
			if b.Len() > 0 {
				b.WriteString(" × ")
			}
			b.WriteString(c.Words())
		}
	}
	return b.String()
}

// Number formats a number with six significant digits, whole numbers in full.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "unknown"
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case math.Abs(v) >= 100_000 && math.Abs(v) < 1e15:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case math.Abs(v) >= 1e-7 && math.Abs(v) < 1e15:
		return strconv.FormatFloat(rounded(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Bracketed formats a number inside an expression.
func Bracketed(v float64) string {
	if v < 0 {
		return "(" + Number(v) + ")"
	}
	return Number(v)
}

// rounded keeps six significant digits.
func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return r
}

// Fact is a term from the snapshot or the policy.
func Fact(name string, v float64) Term { return Term{Name: name, Value: v} }

// Made is a term that an operation computes from other terms.
func Made(name string, v float64, op Op, terms ...Term) Term {
	return Term{Name: name, Value: v, Op: op, Terms: terms}
}

// Dividing is a term by which a product is divided.
func (t Term) Dividing() Term { t.Over = true; return t }

// Named gives a term a name.
func (t Term) Named(name string) Term { t.Name = name; return t }

// As changes the text of a term.
func (t Term) As(text string) Term { t.Text = text; return t }

// Ordinal prints 1st, 2nd, 3rd, 4th …
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// Moment is a term that is a time.
func Moment(t time.Time) Term {
	return Term{Value: float64(t.UnixMicro()) / 1e6, Text: t.UTC().Format("2006-01-02 15:04:05.999999")}
}
