// Package libm computes exp, log, log2, log10 and pow. Every bit of a result is the same as in the GNU C
// library since 2.28, on processors with fused multiply-add (FMA). Processors with FMA are x86 processors
// since 2013, and all 64-bit Arm processors.
//
// PBS computes job_sort_formula with Python, and Python uses the C library. Go's package math rounds some
// results differently in the last bit. A different last bit can change int(log(x)) or a comparison. The
// algorithms come from Arm's library Optimized Routines. The algorithms round a product and the addition
// after it only once, as the C library does.
//
// Its files:
//   - libm.go: fma is x·y + z, rounded once
//   - exp.go: Exp
//   - log.go: Log, Log2 and Log10
//   - pow.go: Pow
//   - tables.go: the tables of tables.txt, read when the program starts
package libm
