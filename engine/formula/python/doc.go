// Package python reads and computes expressions of the language Python 3, as far as numbers need it: whole numbers of
// any size and floats apart, all operators, comparison chains, "and", "or", "not", "x if c else y", lists and tuples with
// index, the functions of module math, and those built-in functions that make sense in a formula.
//
// PBS has job_sort_formula computed by Python (PBS Administrator's Guide, "Using Job Sorting Formulas"). Nothing here
// runs Python or anything else: an expression is parsed into a tree, compiled into closures and computed within bounds
// of length, nesting, time and memory. Of texts there is only the length: len(str(x)). Texts in quotes, which
// end the formula where the server or the scheduler runs it, imaginary numbers, attributes, slices, comprehensions, sets, dictionaries
// and other built-in functions are refused with class Unsupported.
//
// Results have the bits of CPython 3.11 with glibc on a processor with FMA; sin, cos, tan, their relatives and
// inverses, cbrt, expm1, log1p, hypot, dist, erf and gamma functions may differ in the last bits.
//
// Its files:
//   - python.go: An Expression is an expression that was read
//   - compare.go: compare applies an operator of a comparison
//   - compile.go: A compiler turns trees into code
//   - convert.go: wholeOf is a float without its fraction
//   - error.go: An Error is why an expression cannot be read, or has no value
//   - function.go: A function is one of Python's
//   - lexer.go: A lexer cuts a text into tokens
//   - literal.go: Unescape is the value of the inside of a text in quotes
//   - math.go: mathNames are what "from math import *" defines in Python 3.11
//   - number.go: wholeArgument is an argument that must be a whole number
//   - operator.go: operate applies a binary operator
//   - parser.go: A parser reads tokens from left to right
//   - real.go: floats applies an operator to two floats
//   - tree.go: A node is a part of the syntax tree
//   - value.go: A value is what an expression, or a part of it, comes to
//   - whole.go: whole applies an operator to two whole numbers
package python
