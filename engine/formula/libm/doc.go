// Package libm computes exp, log, log2, log10 and pow with the very bits of the GNU C library since 2.28 on
// processors that multiply and add in one step (FMA: x86 since 2013, all 64-bit Arm).
//
// A job_sort_formula is computed by Python, and Python asks the C library. Package math of Go rounds some
// of the results differently in the last bit; that is enough to turn int(log(x)) or a comparison. The
// algorithms are those of Arm's Optimized Routines, with every addition of a product fused as the compiler
// of the C library does it.
//
// Its files:
//   - libm.go: fma is x·y + z, rounded once
//   - exp.go: Exp is e to the power of x
//   - log.go: Log is the natural logarithm
//   - pow.go: Pow is x to the power of y
//   - tables.go: The tables of tables.txt, read when the program starts
package libm
