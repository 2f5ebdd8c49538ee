// Package libm computes exp, log, log2, log10 and pow. Its results have the same bits as the results of the
// GNU C library, release 2.28 or later. The bits are the same only if the C library runs on a processor with
// fused multiply-add (FMA). Examples are x86 processors since 2013, and all 64-bit Arm processors.
//
// PBS computes job_sort_formula with Python, and Python uses the C library. Go's package math rounds some
// results differently in the last bit. A different last bit can change int(log(x)) or a comparison. The
// algorithms of package libm come from Arm's library Optimized Routines. They compute x·y + z with only one
// rounding, as the C library does.
//
// Its files:
//   - libm.go: fma is x·y + z, rounded once
//   - exp.go: Exp
//   - log.go: Log, Log2 and Log10
//   - pow.go: Pow
//   - tables.go: the tables of tables.txt, read when the program starts
package libm
