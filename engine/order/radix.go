package order

import (
	"cmp"
	"math"
	"slices"
)

// A keyed is a thing's place in its list, with the number that it is sorted by.
type keyed struct {
	key uint64
	at  int32
}

// Sorted returns the places of n things in the order of their keys, the lowest first. The function equal compares two
// things with the same key; it must tell them apart. If equal is nil, things with the same key keep their order. Float and
// Int make keys; the complement of a key gives the falling order.
func Sorted(n int, key func(int) uint64, equal func(a, b int) int) []int32 {
	list := make([]keyed, n)
	var differ uint64 // bits that are not the same in all keys
	for i := range list {
		list[i] = keyed{key(i), int32(i)}
		differ |= list[i].key ^ list[0].key
	}
	list = byKey(list, differ)
	places := make([]int32, n)
	for i := range list {
		places[i] = list[i].at
	}
	if equal == nil {
		return places
	}
	for first, i := 0, 1; i <= n; i++ {
		if i == n || list[i].key != list[first].key {
			slices.SortFunc(places[first:i], func(a, b int32) int { return equal(int(a), int(b)) })
			first = i
		}
	}
	return places
}

// fewThings are so few that comparing them is faster than counting their bytes.
const fewThings = 64

// byKey sorts a list by key, byte by byte, the lowest byte first.
func byKey(list []keyed, differ uint64) []keyed {
	if len(list) <= fewThings {
		slices.SortStableFunc(list, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		return list
	}
	spare := make([]keyed, len(list))
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var starts [256]int32
		for i := range list {
			starts[list[i].key>>shift&0xff]++
		}
		next := int32(0)
		for b, count := range starts {
			starts[b], next = next, next+count
		}
		for i := range list {
			b := list[i].key >> shift & 0xff
			spare[starts[b]] = list[i]
			starts[b]++
		}
		list, spare = spare, list
	}
	return list
}

// Float is a number whose order is that of a float, as cmp.Compare has it: NaN first, -0 equal to 0.
func Float(x float64) uint64 {
	bits := math.Float64bits(x)
	switch {
	case x != x:
		return 0
	case x == 0:
		return 1 << 63
	case bits>>63 == 1:
		return ^bits
	}
	return bits | 1<<63
}

// Int is a number whose order is that of an integer.
func Int(x int64) uint64 { return uint64(x) ^ 1<<63 }

// byRank are the indices of things, sorted by rank; those of one rank stay in the order given, or of their
// indices where none is.
func byRank(rank []int32, given ...int) []int {
	of := func(at int) int {
		if len(given) > 0 {
			return given[at]
		}
		return at
	}
	sorted := make([]int, len(rank))
	for n, at := range Sorted(len(rank), func(at int) uint64 { return Int(int64(rank[of(at)])) }, nil) {
		sorted[n] = of(int(at))
	}
	return sorted
}
