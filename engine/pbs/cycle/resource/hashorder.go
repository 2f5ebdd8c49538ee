package resource

import (
	"encoding/binary"
)

// HashOrder gives the indexes of different names in the order in which the C++ library iterates over an
// unordered_map with these keys, inserted in the given order. The scheduler lists the vnodes of a running job
// in this order (quirk P32).
func HashOrder(names []string) []int {
	hashes := make([]uint64, len(names))
	for i, name := range names {
		hashes[i] = hashOf(name)
	}
	size, m := firstSize, newHashMap(firstSize, len(names))
	for i := range names {
		if i == size {
			old := m.order(i)
			size = sizeAfter[size]
			m = newHashMap(size, len(names))
			for _, k := range old {
				m.put(k, hashes[k])
			}
		}
		m.put(i, hashes[i])
	}
	return m.order(len(names))
}

const firstSize = 13

// sizeAfter is how many buckets a map gets when it has an entry for each of its buckets; the last one stays.
var sizeAfter = map[int]int{13: 29, 29: 59, 59: 127, 127: 257, 257: 541, 541: 1109, 1109: 2357,
	2357: 5087, 5087: 10273, 10273: 20753, 20753: 42043, 42043: 85229, 85229: 172933}

// A hashMap is the list of a map's entries, by their number; -1 ends it.
type hashMap struct {
	head       int
	next, prev []int
	first      []int // of each bucket; -1 for an empty one
}

func newHashMap(buckets, entries int) *hashMap {
	m := &hashMap{head: -1, next: make([]int, entries), prev: make([]int, entries), first: make([]int, max(buckets, 1))}
	for i := range m.first {
		m.first[i] = -1
	}
	return m
}

// put puts an entry before those of its bucket, and to the very front where its bucket is empty.
func (m *hashMap) put(entry int, hash uint64) {
	bucket := hash % uint64(len(m.first))
	before := m.first[bucket]
	if m.first[bucket] = entry; before < 0 {
		before = m.head
	}
	m.next[entry], m.prev[entry] = before, -1
	if before >= 0 {
		m.prev[entry], m.prev[before] = m.prev[before], entry
	}
	if p := m.prev[entry]; p >= 0 {
		m.next[p] = entry
	} else {
		m.head = entry
	}
}

func (m *hashMap) order(entries int) []int {
	list := make([]int, 0, entries)
	for i := m.head; i >= 0 && len(list) < entries; i = m.next[i] {
		list = append(list, i)
	}
	return list
}

// hashOf is std::hash of a string in the GNU library on 64 bits: Austin Appleby's MurmurHash64A with the
// library's own seed.
func hashOf(name string) uint64 {
	const mul, seed = 0xc6a4a7935bd1e995, 0xc70f6907
	mix := func(v uint64) uint64 { return v ^ v>>47 }
	b := []byte(name)
	h := seed ^ uint64(len(b))*mul
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ mix(binary.LittleEndian.Uint64(b)*mul)*mul) * mul
	}
	if len(b) > 0 {
		var rest [8]byte
		copy(rest[:], b)
		h = (h ^ binary.LittleEndian.Uint64(rest[:])) * mul
	}
	return mix(mix(h) * mul)
}
