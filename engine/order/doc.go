// Package order compares two rankings of the same things, such as the order in which jobs were expected to start and the one
// in which they did: Kendall's tau-b, Spearman's footrule, how many of the first k are the same, and where the two part.
//
// A ranking gives each thing, known by its index, a rank; lower is sooner, and things of one rank are tied. Both rankings
// of a comparison have the same length.
//
// Its files:
//   - order.go: ordered is a number without sign that sorts as the rank does
//   - footrule.go: Footrule is Spearman's footrule
//   - inversion.go: An Inversion is a pair of things that the two rankings order differently
//   - quantile.go: Quantile is the q-quantile of values, linear between the nearest two (type 7 of Hyndman and Fan)
//   - radix.go: sortKeys sorts numbers byte by byte, the lowest byte first
package order
