package python

import (
	"fmt"
	"math/rand"
	"strings"
)

// A corpus writes expressions by chance: mostly such as a formula has them, some that only just parse.
type corpus struct {
	*rand.Rand
}

// variables are the names that the expressions use, with values of every kind that a scheduler hands over.
var variables = []struct{ name, value string }{
	{"ncpus", "4"}, {"walltime", "86400"}, {"mem", "17179869184"}, {"job_priority", "-7"},
	{"queue_priority", "150"}, {"eligible_time", "0"},
	{"huge", "100000000000000000000"}, {"nurg", "0.0724"}, {"perc", "0.047619"}, {"zero", "0.0"},
	{"usage", "0.832973"}, {"minus", "-2.5"},
}

func (c corpus) pick(words ...string) string { return words[c.Intn(len(words))] }

// expression is a number of some kind, of a depth.
func (c corpus) expression(depth int) string {
	if depth == 0 {
		return c.leaf()
	}
	sub := func() string { return c.expression(c.Intn(depth)) }
	switch n := c.Intn(100); {
	case n < 40:
		return fmt.Sprintf("%s%s%s", c.brackets(sub()), c.pick("+", "-", "*", "/", "//", "%", " + ", " * "),
			c.brackets(sub()))
	case n < 47:
		return c.brackets(sub()) + "**" + c.exponent()
	case n < 52:
		return c.pick("-", "+", "not ", "--") + c.brackets(sub())
	case n < 60:
		return fmt.Sprintf("(%s %s %s%s)", c.brackets(sub()), c.comparator(), c.brackets(sub()), c.chain(depth))
	case n < 66:
		return fmt.Sprintf("(%s %s %s)", c.brackets(sub()), c.pick("and", "or"), c.brackets(sub()))
	case n < 72:
		return fmt.Sprintf("(%s if %s else %s)", sub(), sub(), sub())
	case n < 86:
		return c.unary(sub())
	case n < 95:
		return fmt.Sprintf("%s(%s, %s)", c.pick("max", "min", "pow", "fmod", "copysign", "log", "max", "min"), sub(), sub())
	case n < 97:
		return fmt.Sprintf("round(%s, %d)", sub(), c.Intn(5))
	}
	return fmt.Sprintf("%s ^ %s", c.brackets(sub()), c.leaf())
}

// chain goes on with a comparison now and then.
func (c corpus) chain(depth int) string {
	if c.Intn(3) > 0 {
		return ""
	}
	return " " + c.comparator() + " " + c.brackets(c.expression(depth-1))
}

func (c corpus) comparator() string { return c.pick("<", "<=", ">", ">=", "==", "!=") }

func (c corpus) unary(x string) string {
	return c.pick("abs", "int", "float", "round", "sqrt", "log", "log2", "log10", "exp", "floor", "ceil", "trunc", "bool",
		"fabs", "degrees", "radians", "isnan", "isinf", "isfinite") + "(" + x + ")"
}

func (c corpus) brackets(x string) string {
	if c.Intn(4) == 0 {
		return x
	}
	return "(" + x + ")"
}

// exponent is small: 9**9**9 has a test of its own.
func (c corpus) exponent() string {
	return c.pick("2", "3", "-1", "0.5", "-2", "0", "1.5", "-(usage/perc)", "ncpus", "True",
		"-0.5", "2.0", "10", "minus", "nurg")
}

func (c corpus) leaf() string {
	switch c.Intn(10) {
	case 0:
		return c.pick("pi", "e", "tau", "inf", "nan", "True", "False")
	case 1, 2:
		return c.number()
	case 3:
		return fmt.Sprint(c.Intn(20))
	case 4:
		return c.pick("0", "1", "2", "0.0", "1.0", "0.5", "1e-3", "1e300", "-1", "-0.0", "2**53",
			"16777217", "3600", "1024.0", "0.1",
			"9007199254740993")
	}
	return variables[c.Intn(len(variables))].name
}

func (c corpus) number() string {
	switch c.Intn(6) {
	case 0:
		return fmt.Sprintf("0x%x", c.Uint32())
	case 1:
		return fmt.Sprintf("%d_%03d", 1+c.Intn(999), c.Intn(1000))
	case 2:
		return fmt.Sprintf("%g", c.NormFloat64()*1000)
	case 3:
		return fmt.Sprintf("%.4f", c.Float64())
	case 4:
		return fmt.Sprintf("%de%d", 1+c.Intn(9), c.Intn(40)-20)
	}
	return fmt.Sprint(c.Int63n(1 << 62))
}

// broken is an expression with one character or word taken out, put in or doubled.
func (c corpus) broken(x string) string {
	at := c.Intn(len(x))
	switch c.Intn(3) {
	case 0:
		return x[:at] + x[at+1:]
	case 1:
		return x[:at] + c.pick("(", ")", "]", "*", "**", "/", "//", ",", ".", " if ", " else ",
			" not ", " and ", "=", "==", "<", "1", "0", "x",
			" ", "e", "_", "$", "?", "!", ";", ":", "lambda", "\\", "#", "0x", "1.") + x[at:]
	}
	return x[:at] + strings.Repeat(x[at:at+1], 2) + x[at+1:]
}

// write is the expression with a number; every eighth is broken.
func (c corpus) write(i int) string {
	x := c.expression(1 + c.Intn(4))
	if i%8 == 7 {
		return c.broken(x)
	}
	return x
}
