package order

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"qprism/engine/halves"
	"qprism/engine/room"
)

// A keyed is a thing's place in its list, with the number that it is sorted by.
type keyed struct {
	key uint64
	at  int32
}

// buffers keeps the lists of finished sorts. Ranking a million jobs takes hundreds of sorts, and the largest buffer has 17 MB.
var buffers room.Lists[keyed]

// Sort sorts a list by the keys of its things, the lowest first. The function equal compares two things with the same
// key; it must tell them apart, and several goroutines may call it. If equal is nil, such things keep their order. Float
// and Int make keys; the complement of a key gives the falling order.
func Sort[T any](list []T, key func(T) uint64, equal func(a, b T) int) {
	sorted := buffers.For(len(list))
	defer buffers.Keep(sorted)
	rises := true // the keys, from the first to the last
	for i := range list {
		sorted[i] = keyed{key(list[i]), int32(i)}
		rises = rises && sorted[max(i-1, 0)].key <= sorted[i].key
	}
	tie := func(a, b keyed) int { return cmp.Compare(a.at, b.at) }
	if equal != nil {
		tie = func(a, b keyed) int { return equal(list[a.at], list[b.at]) }
	}
	if rises {
		sortEqual(sorted, tie)
	} else {
		sortByKey(sorted, tie)
	}
	arrange(list, sorted)
}

// sortEqual sorts the things that have the same key, in a list that is sorted by key.
func sortEqual(sorted []keyed, tie func(a, b keyed) int) {
	for first, i := 0, 1; i <= len(sorted); i++ {
		if i < len(sorted) && sorted[i].key == sorted[first].key {
			continue
		}
		if i-first > 1 {
			slices.SortFunc(sorted[first:i], tie)
		}
		first = i
	}
}

// arrange moves each thing to its sorted place. It follows each cycle of moves to its end, so it needs no second list.
func arrange[T any](list []T, sorted []keyed) {
	for start := range list {
		first, to := list[start], start
		for from := int(sorted[to].at); from != to; from = int(sorted[to].at) {
			sorted[to].at = int32(to) // no more to move here
			if from == start {
				list[to] = first
				break
			}
			list[to], to = list[from], from
		}
	}
}

// fewThings are so few that comparing them is faster than counting their bytes; manyThings are so many that two processors
// sort them faster than one.
const fewThings, manyThings = 32, 4096

// sortByKey sorts a list by key, and things with the same key by the function tie. This is the American flag sort: a
// radix sort from the highest bits on that needs no second list. It begins with the highest bit that keys differ in.
func sortByKey(list []keyed, tie func(a, b keyed) int) {
	if len(list) <= fewThings {
		insertionSort(list)
		sortEqual(list, tie)
		return
	}
	var differ uint64
	for i := range list {
		differ |= list[i].key ^ list[0].key
	}
	if differ == 0 {
		slices.SortFunc(list, tie)
		return
	}
	ends := parts(list, max(bits.Len64(differ)-8, 0))
	if len(list) >= manyThings {
		sortInHalves(list, ends, tie)
		return
	}
	sortParts(list, 0, ends[:], tie)
}

// sortParts sorts the parts of a list that begin at a place and have these ends.
func sortParts(list []keyed, from int32, ends []int32, tie func(a, b keyed) int) {
	for _, end := range ends {
		sortByKey(list[from:end], tie)
		from = end
	}
}

// sortInHalves sorts the parts of a list on two processors. It has a copy of the ends: a list that goroutines share is on the
// heap, and most lists are short.
func sortInHalves(list []keyed, ends [256]int32, tie func(a, b keyed) int) {
	middle, _ := slices.BinarySearch(ends[:], int32(len(list)/2))
	halves.Both(func() { sortParts(list, ends[middle], ends[middle+1:], tie) },
		func() { sortParts(list, 0, ends[:middle+1], tie) })
}

// parts moves things to 256 parts of a list, by the eight bits of the key from shift on, and returns the end of each part.
func parts(list []keyed, shift int) (ends [256]int32) {
	part := func(k keyed) uint8 { return uint8(k.key >> shift) }
	for i := range list {
		ends[part(list[i])]++
	}
	var next [256]int32 // the first place of each part that has not its thing yet
	for p := 1; p < len(ends); p++ {
		next[p] = ends[p-1]
		ends[p] += ends[p-1]
	}
	for p := range ends {
		for next[p] < ends[p] {
			k := list[next[p]]
			for to := part(k); int(to) != p; to = part(k) {
				k, list[next[to]] = list[next[to]], k
				next[to]++
			}
			list[next[p]] = k
			next[p]++
		}
	}
	return ends
}

// insertionSort sorts a short list by key.
func insertionSort(list []keyed) {
	for i := range list {
		k, to := list[i], i
		for ; to > 0 && list[to-1].key > k.key; to-- {
			list[to] = list[to-1]
		}
		list[to] = k
	}
}

// Sorted returns the places of n things in the order of their keys. Things with the same key keep their order. Sorted
// takes a third of the time of Sort, and twice the memory. Only comparisons of rankings use it: they begin after the
// runs, which need the most memory.
func Sorted(n int, key func(int) uint64) []int32 {
	list := make([]keyed, n)
	var differ uint64 // bits that are not the same in all keys
	for i := range list {
		list[i] = keyed{key(i), int32(i)}
		differ |= list[i].key ^ list[0].key
	}
	places := make([]int32, n)
	for i, k := range byKey(list, differ) {
		places[i] = k.at
	}
	return places
}

// byKey sorts a list by key. Things with the same key keep their order. This is the radix sort from the lowest byte on.
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

// byRank are the indices of things, sorted by rank, then by index.
func byRank(rank []int32) []int {
	sorted := make([]int, len(rank))
	for n, i := range Sorted(len(rank), func(i int) uint64 { return Int(int64(rank[i])) }) {
		sorted[n] = int(i)
	}
	return sorted
}

// byRanks are the indices of things, sorted by rank in a, then by rank in b, then by index.
func byRanks(a, b []int32) []int {
	sorted, second := make([]int, len(a)), byRank(b)
	for n, at := range Sorted(len(a), func(at int) uint64 { return Int(int64(a[second[at]])) }) {
		sorted[n] = second[at]
	}
	return sorted
}
