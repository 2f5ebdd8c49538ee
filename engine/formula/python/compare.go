package python

import (
	"cmp"
	"math"
	"math/big"
)

var comparators = map[string]bool{"<": true, "<=": true, ">": true, ">=": true, "==": true, "!=": true}

// unordered is the result of comparing with a NaN.
const unordered = 2

// holds says whether an order, less than, equal to or more than zero, is what the operator asks for.
func holds(operator string, order int) bool {
	switch operator {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0 && order != unordered
	}
	return order >= 0 && order != unordered
}

// order compares two real numbers exactly: no whole number is rounded to a float.
func order(a, b Value) int {
	x, okX := a.small()
	y, okY := b.small()
	switch {
	case a.kind == floatKind && b.kind == floatKind:
		return orderFloats(a.float(), b.float())
	case okX && okY:
		return cmp.Compare(x, y)
	case a.kind == floatKind:
		return orderMixed(a.float(), b)
	case b.kind == floatKind:
		if order := orderMixed(b.float(), a); order != unordered {
			return -order
		}
		return unordered
	}
	return a.whole().Cmp(b.whole())
}

func orderFloats(x, y float64) int {
	if math.IsNaN(x) || math.IsNaN(y) {
		return unordered
	}
	return cmp.Compare(x, y)
}

func orderMixed(x float64, whole Value) int {
	switch n, small := whole.small(); {
	case math.IsNaN(x):
		return unordered
	case small && max(n, -n) <= 1<<53 && n != math.MinInt64:
		return cmp.Compare(x, float64(n))
	}
	return new(big.Float).SetFloat64(x).Cmp(new(big.Float).SetInt(whole.whole()))
}
