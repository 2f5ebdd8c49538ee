package python

import (
	"math"
	"math/big"
	"slices"
)

// unordered is the result of comparing with a NaN.
const unordered = 2

// compare applies an operator of a comparison.
func (f *frame) compare(op string, a, b value) (bool, *Error) {
	switch op {
	case "==", "!=":
		same, err := f.equal(a, b)
		return same == (op == "=="), err
	case "in", "not in":
		found, err := f.contains(b, a)
		return found == (op == "in"), err
	}
	order, err := f.order(op, a, b)
	if err != nil || order == unordered {
		return false, err
	}
	return holds(op, order), nil
}

// holds says whether an order, less than, equal to or more than zero, is what the operator asks for.
func holds(op string, order int) bool {
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func (f *frame) equal(a, b value) (bool, *Error) {
	switch {
	case a.isReal() && b.isReal():
		return orderNumbers(a, b) == 0, nil
	case a.kind == complexKind && (b.isReal() || b.kind == complexKind), b.kind == complexKind && a.isReal():
		return false, noComplex()
	case a.kind != b.kind:
		return false, nil
	case a.kind == textKind:
		return a.obj.text == b.obj.text, nil
	case a.isSequence():
		if len(a.obj.items) != len(b.obj.items) {
			return false, nil
		}
		i, err := f.firstDifference(a, b)
		return i < 0, err
	case a.kind == functionKind:
		return a.obj.function == b.obj.function, nil
	}
	return true, nil // None
}

// firstDifference is the place of the first two items that differ within the shorter of two sequences, or -1. To Python
// an object equals itself, even a NaN; here a NaN differs from all.
func (f *frame) firstDifference(a, b value) (int, *Error) {
	for i := range min(len(a.obj.items), len(b.obj.items)) {
		if err := f.spend(1); err != nil {
			return 0, err
		}
		same, err := f.equal(a.obj.items[i], b.obj.items[i])
		if err != nil || !same {
			return i, err
		}
	}
	return -1, nil
}

// order is less than, equal to or more than zero, or unordered.
func (f *frame) order(op string, a, b value) (int, *Error) {
	switch {
	case a.isReal() && b.isReal():
		return orderNumbers(a, b), nil
	case a.kind != b.kind:
	case a.kind == textKind:
		return 0, noText()
	case a.isSequence():
		i, err := f.firstDifference(a, b)
		switch {
		case err != nil:
			return 0, err
		case i < 0:
			return len(a.obj.items) - len(b.obj.items), nil
		}
		return f.order(op, a.obj.items[i], b.obj.items[i])
	}
	return 0, fail(TypeError, "'%s' not supported between instances of '%s' and '%s'", op, a.typeName(), b.typeName())
}

// orderNumbers compares exactly: no whole number is rounded to a float.
func orderNumbers(a, b value) int {
	x, okX := a.small()
	y, okY := b.small()
	switch {
	case a.kind == floatKind && b.kind == floatKind:
		return orderFloats(a.float(), b.float())
	case okX && okY:
		return compareInts(x, y)
	case a.kind == floatKind:
		return orderMixed(a.float(), b)
	case b.kind == floatKind:
		if order := orderMixed(b.float(), a); order != unordered {
			return -order
		}
		return unordered
	}
	return a.big().Cmp(b.big())
}

func compareInts(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func orderFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return unordered
}

func orderMixed(x float64, whole value) int {
	const exact = 1 << 53
	if n, ok := whole.small(); ok && n <= exact && n >= -exact || math.IsNaN(x) || math.IsInf(x, 0) {
		return orderFloats(x, nearest(whole))
	}
	return new(big.Float).SetFloat64(x).Cmp(new(big.Float).SetInt(whole.big()))
}

// nearest is a float near a whole number, good enough to stand against an infinite one.
func nearest(whole value) float64 {
	if n, ok := whole.small(); ok {
		return float64(n)
	}
	return 0
}

// contains looks for a value in a sequence.
func (f *frame) contains(where, what value) (bool, *Error) {
	switch {
	case where.kind == textKind:
		return false, noText()
	case !where.isSequence():
		return false, fail(TypeError, "argument of type '%s' is not iterable", where.typeName())
	}
	var failed *Error
	found := slices.ContainsFunc(where.obj.items, func(item value) bool {
		same, err := f.equal(item, what)
		if err == nil {
			err = f.spend(1)
		}
		if err != nil && failed == nil {
			failed = err
		}
		return same || failed != nil
	})
	return found, failed
}
