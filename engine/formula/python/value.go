package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

type kind uint8

const (
	noneKind kind = iota
	boolKind
	intKind
	floatKind
	complexKind
	textKind
	listKind
	tupleKind
	functionKind
)

// typeNames are the kinds in Python's error messages.
var typeNames = [...]string{"NoneType", "bool", "int", "float", "complex", "str", "list", "tuple", "function"}

// A value is what an expression, or a part of it, comes to.
type value struct {
	kind kind
	bits uint64  // of a float, of a bool and of an int that fits
	obj  *object // for all that does not fit into bits
}

// An object is a value that is not held in 64 bits. Objects never change.
type object struct {
	big      *big.Int // outside of int64
	text     string
	items    []value
	function *function
}

var (
	none          = value{}
	complexNumber = value{kind: complexKind} // its parts are not kept
)

func boolean(b bool) value {
	if b {
		return value{kind: boolKind, bits: 1}
	}
	return value{kind: boolKind}
}

func integer(n int64) value     { return value{kind: intKind, bits: uint64(n)} }
func float(x float64) value     { return value{kind: floatKind, bits: math.Float64bits(x)} }
func text(s string) value       { return value{kind: textKind, obj: &object{text: s}} }
func list(items []value) value  { return value{kind: listKind, obj: &object{items: items}} }
func tuple(items []value) value { return value{kind: tupleKind, obj: &object{items: items}} }

// bigInt is a whole number of any size; it keeps n.
func bigInt(n *big.Int) value {
	if n.IsInt64() {
		return integer(n.Int64())
	}
	return value{kind: intKind, obj: &object{big: n}}
}

func (v value) int() int64       { return int64(v.bits) }
func (v value) float() float64   { return math.Float64frombits(v.bits) }
func (v value) isWhole() bool    { return v.kind == intKind || v.kind == boolKind }
func (v value) isReal() bool     { return v.isWhole() || v.kind == floatKind }
func (v value) isSequence() bool { return v.kind == listKind || v.kind == tupleKind }
func (v value) typeName() string { return typeNames[v.kind] }

// small is a whole number that fits 64 bits.
func (v value) small() (int64, bool) {
	return int64(v.bits), v.isWhole() && v.obj == nil
}

// big is a whole number of any size. It must not be changed.
func (v value) big() *big.Int {
	if v.obj != nil {
		return v.obj.big
	}
	return big.NewInt(v.int())
}

// truth is what "if" and "and" make of a value.
func (v value) truth() bool {
	switch v.kind {
	case noneKind:
		return false
	case boolKind, intKind:
		return v.bits != 0 || v.obj != nil
	case floatKind:
		return v.float() != 0
	case textKind:
		return v.obj.text != ""
	case listKind, tupleKind:
		return len(v.obj.items) > 0
	}
	return true
}

// real is a number as a float, nearest and even; an int that is too large has none.
func (v value) real() (float64, *Error) {
	switch {
	case v.kind == floatKind:
		return v.float(), nil
	case v.isWhole() && v.obj == nil:
		return float64(v.int()), nil
	case v.isWhole():
		if x, _ := new(big.Float).SetInt(v.obj.big).Float64(); !math.IsInf(x, 0) {
			return x, nil
		}
		return 0, fail(OverflowError, "int too large to convert to float")
	}
	return 0, fail(TypeError, "must be real number, not %s", v.typeName())
}

// literal prints a constant so that it is read as the same again.
func (v value) literal() string {
	switch {
	case v.kind == floatKind && math.IsInf(v.float(), 1):
		return "1e999"
	case v.obj != nil && v.obj.big != nil && v.obj.big.BitLen() > 3*maxDigits:
		return "0x" + v.obj.big.Text(16)
	}
	return v.repr()
}

// maxPrinted bounds printed values; lists that hold the same list many times can be very long.
const maxPrinted = 1 << 17

// repr prints a value as Python's repr, and "…" where it would be too long.
func (v value) repr() string {
	var b strings.Builder
	v.print(&b)
	return b.String()
}

func (v value) print(b *strings.Builder) {
	if b.Len() > maxPrinted {
		return
	}
	switch v.kind {
	case noneKind:
		b.WriteString("None")
	case boolKind:
		b.WriteString(map[uint64]string{0: "False", 1: "True"}[v.bits])
	case intKind:
		b.WriteString(v.big().String())
	case floatKind:
		b.WriteString(reprFloat(v.float()))
	case textKind:
		b.WriteString("'" + v.obj.text + "'") // what str makes of numbers has no quotes
	case listKind:
		printItems(b, v.obj.items, "[", "]")
	case tupleKind:
		end := ")"
		if len(v.obj.items) == 1 {
			end = ",)"
		}
		printItems(b, v.obj.items, "(", end)
	case functionKind:
		b.WriteString("<function " + v.obj.function.name + ">")
	case complexKind:
		b.WriteString("<complex number>")
	}
}

func printItems(b *strings.Builder, items []value, start, end string) {
	b.WriteString(start)
	for i, item := range items {
		if b.Len() > maxPrinted {
			b.WriteString("…")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		item.print(b)
	}
	b.WriteString(end)
}

// reprFloat prints the shortest digits that are read as the same number.
func reprFloat(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
	}
	exponent := strconv.FormatFloat(x, 'e', -1, 64)
	e, _ := strconv.Atoi(exponent[strings.IndexByte(exponent, 'e')+1:])
	if e < -4 || e >= 16 {
		return exponent
	}
	plain := strconv.FormatFloat(x, 'f', -1, 64)
	if strings.IndexByte(plain, '.') < 0 {
		plain += ".0"
	}
	return plain
}
