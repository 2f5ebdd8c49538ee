// Package order measures how much two rankings differ, such as the expected and the actual order of job
// starts. The package computes Kendall's tau-b (1 = same order, 0 = no relation), Spearman's footrule, the
// overlap of the first k items, and the first difference.
//
// A ranking is a slice: element i is the rank of item i. An item with a lower rank comes first. Items with
// equal ranks are tied. The two rankings must have the same length.
//
// Its files:
//   - order.go: TauB and the counts of pairs
//   - footrule.go: Footrule and Overlap
//   - inversion.go: pairs that have a different order in the two rankings
//   - quantile.go: Quantile of values, type 7 of Hyndman and Fan
//   - radix.go: Sort and Sorted sort things by one number each, eight bits at a time. Sort also sorts the jobs of a
//     scheduler run; two goroutines sort a long list
package order
