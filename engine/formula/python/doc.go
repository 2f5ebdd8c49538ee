// Package python reads and computes the expressions of Python 3 that job_sort_formula of PBS is made of:
// numbers, names of resources, + - * / // % ** ^, comparisons, "and", "or", "not", "x if c else y", and
// calls of module math and of abs, bool, float, int, max, min and round.
//
// Nothing here runs Python: an expression becomes a tree, which is computed within bounds of length and
// nesting. All that Python knows beyond that, as lists, texts, attributes, lambda and statements, is
// refused by name, with its column.
//
// Results have the bits of CPython 3.11 with glibc on a processor with FMA. Only sin, cos, tan, their
// relatives and erf may differ in the last bits.
//
// Its files:
//   - python.go: An Expression is an expression that was read
//   - lexer.go: A lexer cuts a text into tokens
//   - parser.go: A parser reads tokens from left to right
//   - node.go: A node is a part of the syntax tree, and prints itself
//   - compile.go: compile turns a node into code
//   - value.go: A Value is a number
//   - operator.go: operate applies a binary operator
//   - whole.go: whole applies an operator to two whole numbers
//   - compare.go: order compares two numbers
//   - function.go: A function is one of Python's
//   - error.go: An Error is why an expression cannot be read, or has no value
package python
