// Package order sorts long lists by numbers, and measures how much two rankings differ.
//
// The function Sort sorts the jobs of a scheduler run by prio. Sort moves the items into 256 parts by the
// highest eight bits of their numbers that differ, and then sorts each part in the same way. If a list or a part
// has at least 4096 items, two goroutines sort about half of its parts each.
//
// Two rankings can be the expected and the actual order of job starts. The package has these measures:
//
//   - Kendall's tau-b: 1 = same order, 0 = no relation, -1 = reverse order
//   - Spearman's footrule: the sum of the distances between the places of each item in the two rankings
//   - overlap: the fraction of the first k items that both rankings share
//   - divergence: the first item in one ranking that another item overtakes in the other ranking
//
// A ranking is a slice with one number for each item, the rank of the item. For example, element 3 is the
// rank of item 3. An item with a lower rank comes first. Items with equal ranks are tied. If the
// package compares two rankings, they must have the same length.
//
// Its files:
//   - radix.go: Sort and Sorted sort things by one number each
//   - order.go: TauB and the counts of pairs
//   - footrule.go: Footrule and Overlap
//   - inversion.go: pairs that have a different order in the two rankings
//   - quantile.go: Quantile of values, type 7 of Hyndman and Fan
package order
