// Package python evaluates the Python 3 expressions that PBS allows in job_sort_formula. It knows
//
//   - numbers and the names of resources
//   - the operators + - * / // % ** ^, comparisons, "and", "or" and "not"
//   - "x if c else y"
//   - calls of module math, and of abs, bool, float, int, max, min and round
//
// The package never runs Python. It parses an expression into a tree, and computes the tree within limits
// of length and nesting. For the rest of Python (lists, strings, attributes, lambda, statements) it returns
// an Error. The Error names the construct and its column.
//
// Results have the same bits as CPython 3.11 with glibc on a processor with FMA. Only trigonometric
// functions, hyperbolic functions and erf may differ in the last bits.
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
