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
