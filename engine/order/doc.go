// Package order compares two rankings of the same things, such as the expected and the actual order of job
// starts. It computes Kendall's tau-b, Spearman's footrule, the overlap of the first k, and the first
// difference.
//
// A ranking gives each thing, known by its index, a rank. A lower rank comes first; things of equal rank are
// tied. Both rankings have the same length.
//
// Its files:
//   - order.go: TauB and the counts of pairs
//   - footrule.go: Footrule and Overlap
//   - inversion.go: pairs that the two rankings order differently
//   - quantile.go: Quantile of values, type 7 of Hyndman and Fan
//   - radix.go: the sort: byte by byte, the lowest byte first
package order
