// Package libm computes exp, exp2, log, log2, log10 and pow with the very bits of the GNU C library since 2.28 on
// processors that multiply and add in one step (FMA: x86 since 2013, all 64-bit Arm).
//
// A job_sort_formula is computed by Python, and Python asks the C library. Package math of Go rounds some of the results
// differently in the last bit; that is enough to turn int(log(x)) or a comparison. The algorithms are those of Arm's
// Optimized Routines, with every addition of a product fused as the compiler of the C library does it.
package libm

import "math"

// fma is x·y + z, rounded once. Products that must not be fused stand in a conversion, which Go's specification keeps
// apart from a sum.
func fma(x, y, z float64) float64 { return math.FMA(x, y, z) }

// top is the sign and the exponent.
func top(x float64) uint64 { return math.Float64bits(x) >> 52 }

// minNormal is the least number with all its bits.
const minNormal = 0x1p-1022

// nan is the result outside of a function's domain.
func nan() float64 { return math.NaN() }

// normalize makes the bits of a subnormal number those of a normal one whose exponent goes on below zero.
func normalize(x float64) uint64 { return math.Float64bits(x*0x1p52) - 52<<52 }
