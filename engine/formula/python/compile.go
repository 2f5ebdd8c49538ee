package python

// A code computes one part of an expression.
type code func(*frame) (value, *Error)

// A frame is one computation.
type frame struct {
	values []Value // of the variables
	stack  []value // arguments of the calls that are under way
	work   int
}

// maxWork bounds what one computation may cost; simple steps cost nothing, since the length of the text bounds them.
const maxWork = 1 << 22

func tooMuch() *Error {
	return fail(Limit, "the computation is too long, or needs too much memory")
}

// spend accounts for work that grows with the size of a value.
func (f *frame) spend(work int) *Error {
	f.work += work
	if f.work > maxWork {
		return tooMuch()
	}
	return nil
}

// spendItems accounts for items of a new list.
func (f *frame) spendItems(n int) *Error { return f.spend(4 * n) }

// A compiler turns trees into code. The first problem stays in err.
type compiler struct {
	slots map[string]int
	err   *Error
}

func (c *compiler) refuse(err *Error) code {
	if c.err == nil {
		c.err = err
	}
	return nil
}

func (c *compiler) all(nodes []node) []code {
	list := make([]code, len(nodes))
	for i, n := range nodes {
		list[i] = c.compile(n)
	}
	return list
}

func (c *compiler) compile(n node) code {
	switch n := n.(type) {
	case *constant:
		return func(*frame) (value, *Error) { return n.value, nil }
	case *name:
		return c.name(n)
	case *sequence:
		return c.sequence(n)
	case *sign:
		return c.sign(n)
	case *binary:
		return c.binary(n)
	case *comparison:
		return c.comparison(n)
	case *logic:
		return c.logic(n)
	case *negation:
		x := c.compile(n.x)
		return func(f *frame) (value, *Error) {
			v, err := x(f)
			return boolean(!v.truth()), err
		}
	case *choice:
		return c.choice(n)
	case *call:
		return c.call(n)
	case *index:
		return c.index(n)
	case *attribute:
		return c.attribute(n)
	}
	v := value{kind: functionKind, obj: &object{function: &function{name: "<lambda>"}}}
	return func(*frame) (value, *Error) { return v, nil }
}

// name looks in module math, the variables and the built-in functions.
func (c *compiler) name(n *name) code {
	if v, ok := mathNames[n.word]; ok {
		return func(*frame) (value, *Error) { return v, nil }
	}
	if slot, ok := c.slots[n.word]; ok {
		return func(f *frame) (value, *Error) { return f.values[slot].v, nil }
	}
	if fn := builtins[n.word]; fn != nil {
		v := fn.value()
		return func(*frame) (value, *Error) { return v, nil }
	}
	if refused[n.word] {
		return c.refuse(fail(Unsupported, "Python's %s is not computed here", n.word).at(n.column()))
	}
	return func(*frame) (value, *Error) {
		return none, fail(NameError, "name '%s' is not defined", n.word).at(n.column())
	}
}

func (c *compiler) sequence(n *sequence) code {
	items := c.all(n.items)
	wrap := tuple
	if n.list {
		wrap = list
	}
	return func(f *frame) (value, *Error) {
		if err := f.spendItems(len(items)); err != nil {
			return none, err
		}
		values := make([]value, len(items))
		for i, item := range items {
			v, err := item(f)
			if err != nil {
				return none, err
			}
			values[i] = v
		}
		return wrap(values), nil
	}
}

func (c *compiler) sign(n *sign) code {
	x := c.compile(n.x)
	return func(f *frame) (value, *Error) {
		v, err := x(f)
		if err != nil {
			return none, err
		}
		v, err = f.signed(n.operator, v)
		return v, blame(err, n)
	}
}

// blame puts an error at a place, where it has none yet.
func blame(err *Error, n node) *Error {
	if err != nil {
		err.at(n.column())
	}
	return err
}

func (c *compiler) binary(n *binary) code {
	left, right, op := c.compile(n.left), c.compile(n.right), operatorOf[n.operator]
	return func(f *frame) (value, *Error) {
		a, err := left(f)
		if err != nil {
			return none, err
		}
		b, err := right(f)
		if err != nil {
			return none, err
		}
		var v value
		if a.kind == floatKind && b.kind == floatKind && op <= opPower {
			v, err = floats(op, a.float(), b.float())
		} else {
			v, err = f.operate(op, a, b)
		}
		return v, blame(err, n)
	}
}

// comparison stops at the first one that does not hold.
func (c *compiler) comparison(n *comparison) code {
	operands := c.all(n.operands)
	return func(f *frame) (value, *Error) {
		left, err := operands[0](f)
		if err != nil {
			return none, err
		}
		for i, op := range n.operators {
			right, err := operands[i+1](f)
			if err != nil {
				return none, err
			}
			holds, err := f.compare(op, left, right)
			if err != nil || !holds {
				return boolean(false), blame(err, n)
			}
			left = right
		}
		return boolean(true), nil
	}
}

// logic is the first operand that decides, or the last one.
func (c *compiler) logic(n *logic) code {
	items := c.all(n.items)
	return func(f *frame) (v value, err *Error) {
		for _, item := range items {
			if v, err = item(f); err != nil || v.truth() == n.or {
				break
			}
		}
		return v, err
	}
}

func (c *compiler) choice(n *choice) code {
	condition, yes, no := c.compile(n.condition), c.compile(n.yes), c.compile(n.no)
	return func(f *frame) (value, *Error) {
		v, err := condition(f)
		switch {
		case err != nil:
			return none, err
		case v.truth():
			return yes(f)
		}
		return no(f)
	}
}

func (c *compiler) call(n *call) code {
	callee, args := c.compile(n.function), c.all(n.args)
	return func(f *frame) (value, *Error) {
		fn, err := callee(f)
		if err != nil {
			return none, err
		}
		base := len(f.stack)
		for _, arg := range args {
			v, err := arg(f)
			if err != nil {
				return none, err
			}
			f.stack = append(f.stack, v)
		}
		v, err := f.apply(fn, f.stack[base:])
		f.stack = f.stack[:base]
		return v, blame(err, n.function)
	}
}

func (c *compiler) index(n *index) code {
	x, at := c.compile(n.x), c.compile(n.at)
	return func(f *frame) (value, *Error) {
		v, err := x(f)
		if err != nil {
			return none, err
		}
		i, err := at(f)
		if err != nil {
			return none, err
		}
		v, err = f.item(v, i)
		return v, blame(err, n)
	}
}

// attribute has no value here. The name before it may be unknown, which Python finds first.
func (c *compiler) attribute(n *attribute) code {
	x := c.compile(n.x)
	return func(f *frame) (value, *Error) {
		if _, err := x(f); err != nil {
			return none, err
		}
		return none, fail(Unsupported, "attributes such as .%s are not computed here", n.word).at(n.column())
	}
}

// walk visits a tree from left to right, and what is below a node if visit says so.
func walk(n node, visit func(node) bool) {
	if !visit(n) {
		return
	}
	for _, child := range children(n) {
		walk(child, visit)
	}
}

func children(n node) []node {
	switch n := n.(type) {
	case *sequence:
		return n.items
	case *sign:
		return []node{n.x}
	case *binary:
		return []node{n.left, n.right}
	case *comparison:
		return n.operands
	case *logic:
		return n.items
	case *negation:
		return []node{n.x}
	case *choice:
		return []node{n.yes, n.condition, n.no}
	case *call:
		return append([]node{n.function}, n.args...)
	case *index:
		return []node{n.x, n.at}
	case *attribute:
		return []node{n.x}
	case *lambda:
		return []node{n.body}
	}
	return nil
}
