// Package libm computes exp, log, log2, log10 and pow with the exact bits of the GNU C library since 2.28, on
// processors with fused multiply-add (FMA: x86 since 2013, all 64-bit Arm).
//
// Python computes job_sort_formula with the C library. Go's package math rounds some results differently in
// the last bit. That is enough to change int(log(x)) or a comparison. The algorithms are those of Arm's
// Optimized Routines. Each addition of a product is fused, as the compiler of the C library does it.
//
// Its files:
//   - libm.go: fma is x·y + z, rounded once
//   - exp.go: Exp
//   - log.go: Log, Log2 and Log10
//   - pow.go: Pow
//   - tables.go: the tables of tables.txt, read when the program starts
package libm
