package fairshare

import (
	"cmp"
	"math"
	"slices"
)

// Intransitive lists each entity that is equal to two other entities, if these two are not equal to each
// other. Each is listed once, in the given order. With such entities the order of jobs is not unique: it
// follows the steps of MergeSort.
//
// Two kinds of entities do this: one with entities below it, and one with a short path whose node equals that
// of a group. At a cold start that is every idle entity beside an idle group with the same shares.
func Intransitive(entities []*Node) []*Node {
	entities = unique(entities)
	keys := make([][]float64, len(entities))
	for i, n := range entities {
		keys[i] = n.key()
	}
	order := byKey(keys)
	open := branches(keys, order)
	var found []*Node
	for i, n := range entities {
		if open[i] > 1 {
			found = append(found, n)
		}
	}
	return found
}

func unique(nodes []*Node) (once []*Node) {
	seen := make(map[*Node]bool, len(nodes))
	for _, n := range nodes {
		if !seen[n] {
			seen[n] = true
			once = append(once, n)
		}
	}
	return once
}

// key is what the walk compares on the way to a node, from the first level on. Two entities are equal if the key of one
// begins with that of the other. Without a percentage the walk stops: infinity, and nothing behind it.
func (n *Node) key() (key []float64) {
	for _, p := range n.Path() {
		switch {
		case p.depth == 0:
		case p.Perc <= 0:
			return append(key, math.Inf(1))
		default:
			key = append(key, p.ratio())
		}
	}
	return key
}

// byKey is the order of the keys, a key before all that begin with it.
func byKey(keys [][]float64) []int {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(slices.Compare(keys[i], keys[j]), cmp.Compare(i, j)) })
	return order
}

// branches counts for each key how many keys begin with it that none other begins with: in the order of keys those
// follow it without a gap.
func branches(keys [][]float64, order []int) []int {
	counts := make([]int, len(keys))
	var open []int // keys that the present one begins with, shortest first
	leave := func() {
		last := len(open) - 1
		counts[open[last]] = max(counts[open[last]], 1)
		if last > 0 {
			counts[open[last-1]] += counts[open[last]]
		}
		open = open[:last]
	}
	for _, i := range order {
		for len(open) > 0 && !begins(keys[i], keys[open[len(open)-1]]) {
			leave()
		}
		open = append(open, i)
	}
	for len(open) > 0 {
		leave()
	}
	return counts
}

func begins(key, with []float64) bool {
	return len(key) >= len(with) && slices.Equal(key[:len(with)], with)
}
