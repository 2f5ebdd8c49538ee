package order

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// A keyed is a thing's place in its list, with the number that it is sorted by.
type keyed struct {
	key uint64
	at  int32
}

// buffers are those of earlier sorts. To rank a million jobs takes five sorts, and the buffer of one has 32 MB.
var buffers sync.Pool

// A buffer has twice as many elements as the list, because byKey moves the list back and forth.
type buffer struct{ keyed []keyed }

// bufferFor is a buffer for n things, with old values in it.
func bufferFor(n int) *buffer {
	b, _ := buffers.Get().(*buffer)
	if b == nil {
		b = &buffer{}
	}
	if len(b.keyed) < 2*n {
		b.keyed = make([]keyed, 2*n)
	}
	return b
}

// Sort sorts a list by the keys of its things, the lowest first. The function equal compares two things with the same
// key; it must tell them apart. If equal is nil, things with the same key keep their order. Float and Int make keys; the
// complement of a key gives the falling order.
func Sort[T any](list []T, key func(T) uint64, equal func(a, b T) int) {
	b := bufferFor(len(list))
	defer buffers.Put(b)
	sorted, spare := b.keyed[:len(list)], b.keyed[len(list):2*len(list)]
	var differ uint64 // bits that are not the same in all keys
	for i := range list {
		sorted[i] = keyed{key(list[i]), int32(i)}
		differ |= sorted[i].key ^ sorted[0].key
	}
	sorted = byKey(sorted, spare, differ)
	for first, i := 0, 1; i <= len(sorted) && equal != nil; i++ {
		if i == len(sorted) || sorted[i].key != sorted[first].key {
			slices.SortFunc(sorted[first:i], func(a, b keyed) int { return equal(list[a.at], list[b.at]) })
			first = i
		}
	}
	arrange(list, sorted)
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

// Sorted returns the places of n things in the order of their keys. Things with the same key keep their order.
func Sorted(n int, key func(int) uint64) []int32 {
	places := make([]int32, n)
	for i := range places {
		places[i] = int32(i)
	}
	Sort(places, func(at int32) uint64 { return key(int(at)) }, nil)
	return places
}

// fewThings are so few that comparing them is faster than counting their bytes.
const fewThings = 64

// byKey sorts a list by key, byte by byte, the lowest byte first. The spare list has the same length; one of the two
// is the result.
func byKey(list, spare []keyed, differ uint64) []keyed {
	if len(list) <= fewThings {
		slices.SortStableFunc(list, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		return list
	}
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
	for n, at := range Sorted(len(rank), func(at int) uint64 { return Int(int64(rank[of(at)])) }) {
		sorted[n] = of(int(at))
	}
	return sorted
}
