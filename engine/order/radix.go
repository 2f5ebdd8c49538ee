package order

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// A keyed is a thing's place in its list, with the number that it is sorted by.
type keyed struct {
	key uint64
	at  int32
}

// buffers are those of earlier sorts. To rank a million jobs takes hundreds of sorts. The buffer of the longest ones has
// 17 MB.
var buffers sync.Pool

// bufferFor is a list for n things, with old values in it.
func bufferFor(n int) *[]keyed {
	b, _ := buffers.Get().(*[]keyed)
	if b == nil || cap(*b) < n {
		b = new(make([]keyed, n))
	}
	*b = (*b)[:n]
	return b
}

// Sort sorts a list by the keys of its things, the lowest first. The function equal compares two things with the same
// key; it must tell them apart. Float and Int make keys; the complement of a key gives the falling order.
func Sort[T any](list []T, key func(T) uint64, equal func(a, b T) int) {
	buffer := bufferFor(len(list))
	defer buffers.Put(buffer)
	sorted := *buffer
	for i := range list {
		sorted[i] = keyed{key(list[i]), int32(i)}
	}
	sortByKey(sorted)
	for first, i := 0, 1; i <= len(sorted); i++ {
		if i == len(sorted) || sorted[i].key != sorted[first].key {
			slices.SortFunc(sorted[first:i], func(a, b keyed) int {
				return equal(list[a.at], list[b.at])
			})
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

// fewThings are so few that comparing them is faster than counting their bytes.
const fewThings = 64

// sortByKey sorts a list by key, in no special order of things with the same key. It takes the eight highest bits that
// are not the same in all keys, moves the things to 256 parts of the list, and sorts each part. This needs no second
// list.
func sortByKey(list []keyed) {
	if len(list) <= fewThings {
		slices.SortFunc(list, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		return
	}
	var differ uint64
	for i := range list {
		differ |= list[i].key ^ list[0].key
	}
	if differ == 0 {
		return
	}
	shift := max(bits.Len64(differ)-8, 0)
	part := func(k keyed) uint8 { return uint8(k.key >> shift) }
	var next, end [256]int32 // of each part: the first place that has not its thing yet, and the end
	for i := range list {
		end[part(list[i])]++
	}
	for p := 1; p < len(end); p++ {
		next[p] = end[p-1]
		end[p] += end[p-1]
	}
	for p := range end {
		for next[p] < end[p] {
			k := list[next[p]]
			for to := part(k); int(to) != p; to = part(k) {
				k, list[next[to]] = list[next[to]], k
				next[to]++
			}
			list[next[p]] = k
			next[p]++
		}
	}
	from := int32(0)
	for _, to := range end {
		sortByKey(list[from:to])
		from = to
	}
}

// Sorted returns the places of n things in the order of their keys. Things with the same key keep their order. It takes
// a third of the time of Sort, and twice the memory: rankings are compared after the jobs are ranked.
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

// byKey sorts a list by key, byte by byte, the lowest byte first. Things with the same key keep their order.
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
	for n, at := range Sorted(len(rank), func(at int) uint64 { return Int(int64(rank[of(at)])) }) {
		sorted[n] = of(int(at))
	}
	return sorted
}
