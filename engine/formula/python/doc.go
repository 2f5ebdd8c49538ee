// Package python parses and computes the Python 3 expressions of PBS's job_sort_formula: numbers, names of
// resources, + - * / // % ** ^, comparisons, "and", "or", "not", "x if c else y", and calls of module math
// and of abs, bool, float, int, max, min and round.
//
// It never runs Python. An expression becomes a tree, computed within limits of length and nesting. The rest
// of Python, such as lists, texts, attributes, lambda and statements, is refused by name, with its column.
//
// Results have the bits of CPython 3.11 with glibc on a processor with FMA. Only trigonometric and hyperbolic
// functions and erf may differ in the last bits.
//
// Its files, in the order of the steps:
//   - lexer.go: cuts a text into tokens
//   - parser.go: reads tokens into a tree
//   - node.go: a part of the syntax tree; prints itself
//   - compile.go: turns a node into code
//   - python.go: an Expression is a parsed expression; Run computes it
//   - value.go: a Value is a number
//   - operator.go, whole.go, compare.go: binary operators, whole numbers, comparisons
//   - function.go: Python's functions
//   - error.go: an Error says why an expression cannot be read or computed
package python
