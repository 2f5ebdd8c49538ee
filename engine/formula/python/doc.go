// Package python evaluates the Python 3 expressions that PBS allows in job_sort_formula. It supports
//
//   - numbers and the names of resources
//   - the operators + - * / // % ** ^, comparisons, "and", "or" and "not"
//   - "x if c else y"
//   - calls of module math, and of abs, bool, float, int, max, min and round
//
// The package never runs Python itself. The package parses an expression into a tree, and computes the value
// of the tree. The package refuses expressions that are too long or too deeply nested. For unsupported Python
// syntax (lists, strings, attributes, lambda, statements), the package returns an Error. The Error names the
// unsupported syntax and its column.
//
// The results have the same bits as the results of CPython 3.11 with glibc. This is true only if CPython runs
// on a processor with fused multiply-add (FMA). Package python itself does not need such a processor. Only
// the last bits of trigonometric functions, hyperbolic functions and erf may differ.
//
// Its files, in the order of the steps:
//   - lexer.go: cuts a text into tokens
//   - parser.go: reads tokens into a tree
//   - node.go: a node is a part of the syntax tree, and can print itself
//   - compile.go: turns a node into code
//   - python.go: an Expression is a parsed expression; Run computes it
//   - value.go: a Value is a number
//   - operator.go, whole.go, compare.go: binary operators, whole numbers, comparisons
//   - function.go: Python's functions
//   - error.go: an Error says why an expression cannot be read or computed
package python
