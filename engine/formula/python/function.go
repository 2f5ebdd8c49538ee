package python

import (
	"math"
	"slices"
)

// A function is one of Python's.
type function struct {
	name     string
	min, max int // number of arguments; max below 0 for any number
	call     func(f *frame, args []value) (value, *Error)
}

func (fn *function) value() value {
	return value{kind: functionKind, obj: &object{function: fn}}
}

// unbounded is the number of arguments that has no bound.
const unbounded = -1

// apply calls a function. The arguments are only lent to it.
func (f *frame) apply(v value, args []value) (value, *Error) {
	if v.kind != functionKind {
		return none, fail(TypeError, "'%s' object is not callable", v.typeName())
	}
	fn := v.obj.function
	switch {
	case fn.call == nil:
		return none, fail(Unsupported, "a call of a lambda is not computed here")
	case len(args) < fn.min:
		return none, fail(TypeError, "%s expected at least %d argument(s), got %d", fn.name, fn.min, len(args))
	case fn.max >= 0 && len(args) > fn.max:
		return none, fail(TypeError, "%s expected at most %d argument(s), got %d", fn.name, fn.max, len(args))
	}
	return fn.call(f, args)
}

// item is x[i]; places below zero count from the end.
func (f *frame) item(x, at value) (value, *Error) {
	switch {
	case x.kind == textKind:
		return none, noText()
	case !x.isSequence():
		return none, fail(TypeError, "'%s' object is not subscriptable", x.typeName())
	case !at.isWhole():
		return none, fail(TypeError, "%s indices must be integers, not '%s'", x.typeName(), at.typeName())
	}
	i, ok := at.small()
	if !ok {
		return none, fail(IndexError, "cannot fit 'int' into an index-sized integer")
	}
	n := int64(len(x.obj.items))
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return none, fail(IndexError, "%s index out of range", x.typeName())
	}
	return x.obj.items[i], nil
}

// items are the parts of a value, for functions that go through them.
func (f *frame) items(v value) ([]value, *Error) {
	if err := f.spend(1); err != nil {
		return nil, err
	}
	switch {
	case v.isSequence():
		return v.obj.items, f.spendItems(len(v.obj.items))
	case v.kind == textKind:
		return nil, noText()
	}
	return nil, fail(TypeError, "'%s' object is not iterable", v.typeName())
}

// builtins are the built-in functions; pow is math's, which comes first.
var builtins map[string]*function

func init() {
	builtins = map[string]*function{}
	for _, fn := range []*function{
		{"abs", 1, 1, absolute},
		{"all", 1, 1, func(f *frame, args []value) (value, *Error) { return every(f, args[0], true) }},
		{"any", 1, 1, func(f *frame, args []value) (value, *Error) { return every(f, args[0], false) }},
		{"bool", 0, 1, func(_ *frame, args []value) (value, *Error) { return boolean(len(args) > 0 && args[0].truth()), nil }},
		{"complex", 0, 2, toComplex},
		{"divmod", 2, 2, divide},
		{"float", 0, 1, toFloat},
		{"int", 0, 2, toInt},
		{"len", 1, 1, length},
		{"list", 0, 1, func(f *frame, args []value) (value, *Error) { return copied(f, list, args) }},
		{"max", 1, unbounded, func(f *frame, args []value) (value, *Error) { return extreme(f, ">", args) }},
		{"min", 1, unbounded, func(f *frame, args []value) (value, *Error) { return extreme(f, "<", args) }},
		{"round", 1, 2, round},
		{"sorted", 1, 1, sorted},
		{"str", 0, 1, toText},
		{"sum", 1, 2, sum},
		{"tuple", 0, 1, func(f *frame, args []value) (value, *Error) { return copied(f, tuple, args) }},
	} {
		builtins[fn.name] = fn
	}
}

// refused are the built-in names of Python 3 that are not computed.
var refused = func() map[string]bool {
	m := map[string]bool{}
	for _, word := range []string{"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
		"BlockingIOError",
		"BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
		"ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError",
		"Exception", "ExceptionGroup", "FileExistsError", "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError",
		"ImportError", "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
		"KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotADirectoryError", "NotImplemented",
		"NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError", "ProcessLookupError",
		"RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration",
		"SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "TypeError", "UnboundLocalError",
		"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError",
		"Warning", "ZeroDivisionError", "__build_class__", "__debug__", "__doc__", "__import__", "__loader__", "__name__", "__package__",
		"__spec__", "aiter", "anext", "ascii", "bin", "breakpoint", "bytearray", "bytes", "callable", "chr", "classmethod", "compile",
		"copyright", "credits", "delattr", "dict", "dir", "enumerate", "eval", "exec", "exit", "filter", "format", "frozenset", "getattr",
		"globals", "hasattr", "hash", "help", "hex", "id", "input", "isinstance", "issubclass", "iter", "license", "locals", "map",
		"memoryview", "next", "object", "oct", "open", "ord", "print", "property", "quit", "range", "repr", "reversed", "set", "setattr", "slice",
		"staticmethod", "super", "type", "vars", "zip"} {
		m[word] = true
	}
	return m
}()

func absolute(f *frame, args []value) (value, *Error) {
	switch v := args[0]; {
	case v.kind == floatKind:
		return float(math.Abs(v.float())), nil
	case v.kind == complexKind:
		return none, noComplex()
	case !v.isWhole():
		return none, fail(TypeError, "bad operand type for abs(): '%s'", v.typeName())
	case v.big().Sign() < 0:
		return f.signed("-", v)
	default:
		return f.signed("+", v)
	}
}

// every is all of the items for true, and any of them for false.
func every(f *frame, v value, all bool) (value, *Error) {
	items, err := f.items(v)
	if err != nil {
		return none, err
	}
	for _, item := range items {
		if item.truth() != all {
			return boolean(!all), nil
		}
	}
	return boolean(all), nil
}

func toComplex(_ *frame, args []value) (value, *Error) {
	for _, v := range args {
		if !v.isReal() && v.kind != complexKind {
			return none, fail(TypeError, "complex() argument must be a number, not '%s'", v.typeName())
		}
	}
	return complexNumber, nil
}

func divide(f *frame, args []value) (value, *Error) {
	a, b := args[0], args[1]
	if a.isReal() && b.isReal() && !b.truth() {
		if a.kind == floatKind || b.kind == floatKind {
			return none, fail(ZeroDivisionError, "float divmod()")
		}
		return none, fail(ZeroDivisionError, "%s", zeroDivision[opFloor])
	}
	if !a.isReal() || !b.isReal() {
		return none, fail(TypeError, "unsupported operand type(s) for divmod(): '%s' and '%s'", a.typeName(), b.typeName())
	}
	q, err := f.operate(opFloor, a, b)
	if err != nil {
		return none, err
	}
	r, err := f.operate(opModulo, a, b)
	return tuple([]value{q, r}), err
}

func length(_ *frame, args []value) (value, *Error) {
	switch v := args[0]; {
	case v.isSequence():
		return integer(int64(len(v.obj.items))), nil
	case v.kind == textKind:
		return integer(int64(len(v.obj.text))), nil
	default:
		return none, fail(TypeError, "object of type '%s' has no len()", v.typeName())
	}
}

func copied(f *frame, wrap func([]value) value, args []value) (value, *Error) {
	if len(args) == 0 {
		return wrap(nil), nil
	}
	items, err := f.items(args[0])
	return wrap(slices.Clone(items)), err
}

// extreme is the first of the greatest, or of the least, arguments.
func extreme(f *frame, op string, args []value) (value, *Error) {
	items := args
	if len(args) == 1 {
		var err *Error
		if items, err = f.items(args[0]); err != nil {
			return none, err
		}
		if len(items) == 0 {
			return none, fail(ValueError, "%s() arg is an empty sequence", map[string]string{"<": "min", ">": "max"}[op])
		}
	}
	best := items[0]
	for _, item := range items[1:] {
		better, err := f.compare(op, item, best)
		if err != nil {
			return none, err
		}
		if better {
			best = item
		}
	}
	return best, nil
}

func sorted(f *frame, args []value) (value, *Error) {
	items, err := f.items(args[0])
	if err != nil {
		return none, err
	}
	items = slices.Clone(items)
	var failed *Error
	slices.SortStableFunc(items, func(a, b value) int {
		if failed == nil {
			failed = f.spend(1)
		}
		less, err := f.compare("<", a, b)
		more, _ := f.compare(">", a, b)
		switch {
		case err != nil && failed == nil:
			failed = err
		case less:
			return -1
		case more:
			return 1
		}
		return 0
	})
	return list(items), failed
}

// sum adds from the left, as Python did before 3.12.
func sum(f *frame, args []value) (value, *Error) {
	total := integer(0)
	if len(args) > 1 {
		total = args[1]
		if total.kind == textKind {
			return none, noText()
		}
	}
	items, err := f.items(args[0])
	if err != nil {
		return none, err
	}
	for _, item := range items {
		if total, err = f.operate(opAdd, total, item); err != nil {
			return none, err
		}
	}
	return total, nil
}
