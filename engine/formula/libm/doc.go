// Package libm computes exp, log, log2, log10 and pow with the exact bits of the GNU C library since 2.28.
// It computes as the C library does on processors with fused multiply-add (FMA): x86 since 2013, all 64-bit
// Arm.
//
// PBS computes job_sort_formula with Python, and Python uses the C library. Go's package math rounds some
// results differently in the last bit. A different last bit can change int(log(x)) or a comparison. The algorithms
// are those of Arm's Optimized Routines. They fuse each product with the addition that follows, as the
// compiler of the C library does.
//
// Its files:
//   - libm.go: fma is x·y + z, rounded once
//   - exp.go: Exp
//   - log.go: Log, Log2 and Log10
//   - pow.go: Pow
//   - tables.go: the tables of tables.txt, read when the program starts
package libm
