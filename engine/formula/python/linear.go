package python

import (
	"fmt"
	"slices"
)

// A Linear is an expression that is a sum of names, each with a number before it, and of a number.
type Linear struct {
	Terms    []Multiple // each name once, in the order of the text
	Constant float64
}

// A Multiple is a name with the number before it.
type Multiple struct {
	Name   string
	Times  float64
	Column int // of its first use
}

// A NotLinear error says which part of an expression keeps it from being linear.
type NotLinear struct {
	Part   string
	Column int    // of the part, from 1
	Why    string // "is a product of two names"
}

func (e *NotLinear) Error() string { return fmt.Sprintf("%s %s", e.Part, e.Why) }

// Linear reads the expression as a sum of multiples of these variables. What has no variable in it is computed. The error is a
// *NotLinear.
func (x *Expression) Linear(variables ...string) (Linear, error) {
	sum, err := linear{variables}.read(x.root)
	if err != nil {
		return Linear{}, err
	}
	for _, t := range append(sum.Terms, Multiple{Times: sum.Constant}) {
		if t.Times-t.Times != 0 {
			return Linear{}, refuse(x.root, "has a number that is too large")
		}
	}
	return sum, nil
}

// linear reads parts of one expression.
type linear struct{ variables []string }

func (l linear) read(n node) (Linear, error) {
	if !l.varies(n) {
		return l.constant(n)
	}
	switch n := n.(type) {
	case *name:
		return Linear{Terms: []Multiple{{n.word, 1, n.column()}}}, nil
	case *sign:
		return l.sign(n)
	case *binary:
		return l.binary(n)
	case *comparison, *logic, *negation:
		return Linear{}, refuse(n, "is a comparison")
	case *choice:
		return Linear{}, refuse(n, "is a choice")
	case *call:
		return Linear{}, refuse(n, "calls a function")
	}
	return Linear{}, refuse(n, "is no sum and no product")
}

func refuse(n node, why string) error { return &NotLinear{treeText(n), n.column(), why} }

// varies says whether a part has a variable in it. Module math comes before variables.
func (l linear) varies(n node) (found bool) {
	walk(n, func(n node) bool {
		if n, ok := n.(*name); ok && !isMath(n.word) && slices.Contains(l.variables, n.word) {
			found = true
		}
		return !found
	})
	return found
}

// constant computes a part that has no variable.
func (l linear) constant(n node) (Linear, error) {
	p, err := (&Expression{n}).Compile()
	if err != nil {
		return Linear{}, refuse(n, "cannot be computed: "+err.Error())
	}
	v, err := p.Run()
	if err != nil {
		return Linear{}, refuse(n, "cannot be computed: "+err.Error())
	}
	x, err := v.Float64()
	if err != nil || x != x || x-x != 0 {
		return Linear{}, refuse(n, "is no number")
	}
	return Linear{Constant: x}, nil
}

func (l linear) sign(n *sign) (Linear, error) {
	x, err := l.read(n.x)
	switch {
	case err != nil:
		return x, err
	case n.operator == "-":
		return x.times(-1), nil
	case n.operator == "+":
		return x, nil
	}
	return x, refuse(n, "inverts the bits of a number")
}

func (l linear) binary(n *binary) (Linear, error) {
	a, err := l.read(n.left)
	if err != nil {
		return a, err
	}
	b, err := l.read(n.right)
	if err != nil {
		return b, err
	}
	switch {
	case n.operator == "+":
		return a.plus(b), nil
	case n.operator == "-":
		return a.plus(b.times(-1)), nil
	case n.operator == "*" && len(a.Terms) == 0:
		return b.times(a.Constant), nil
	case n.operator == "*" && len(b.Terms) == 0:
		return a.times(b.Constant), nil
	case n.operator == "*":
		return a, refuse(n, "is a product of two variables")
	case n.operator == "/" && len(b.Terms) > 0:
		return a, refuse(n, "divides by a variable")
	case n.operator == "/" && b.Constant == 0:
		return a, refuse(n, "divides by zero")
	case n.operator == "/":
		return a.over(b.Constant), nil
	}
	return a, refuse(n, fmt.Sprintf("uses the operator %s on a variable", n.operator))
}

func (x Linear) times(f float64) Linear {
	out := Linear{Constant: f * x.Constant}
	for _, t := range x.Terms {
		t.Times *= f
		out.Terms = append(out.Terms, t)
	}
	return out
}

func (x Linear) over(f float64) Linear {
	out := Linear{Constant: x.Constant / f}
	for _, t := range x.Terms {
		t.Times /= f
		out.Terms = append(out.Terms, t)
	}
	return out
}

func (x Linear) plus(y Linear) Linear {
	out := Linear{Terms: slices.Clone(x.Terms), Constant: x.Constant + y.Constant}
	for _, t := range y.Terms {
		i := slices.IndexFunc(out.Terms, func(s Multiple) bool { return s.Name == t.Name })
		if i < 0 {
			out.Terms = append(out.Terms, t)
			continue
		}
		out.Terms[i].Times += t.Times
	}
	return out
}
