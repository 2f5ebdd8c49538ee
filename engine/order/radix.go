package order

// sortKeys sorts numbers byte by byte, the lowest byte first. Bytes that are the same in all of them cost one look.
func sortKeys(keys []uint64) {
	from, to := keys, make([]uint64, len(keys))
	for shift := 0; shift < 64; shift += 8 {
		var starts [257]int
		for _, k := range from {
			starts[k>>shift&0xff+1]++
		}
		if len(from) == 0 || starts[from[0]>>shift&0xff+1] == len(from) {
			continue
		}
		for d := range 256 {
			starts[d+1] += starts[d]
		}
		for _, k := range from {
			d := k >> shift & 0xff
			to[starts[d]] = k
			starts[d]++
		}
		from, to = to, from
	}
	copy(keys, from)
}

// byRank are the indices of things, sorted by rank; those of one rank stay in the order given, or of their
// indices where none is.
func byRank(rank []int32, given ...int) []int {
	keys := make([]uint64, len(rank))
	for at := range keys {
		i := at
		if len(given) > 0 {
			i = given[at]
		}
		keys[at] = uint64(ordered(rank[i]))<<32 | uint64(at)
	}
	sortKeys(keys)
	sorted := make([]int, len(rank))
	for n, k := range keys {
		sorted[n] = int(uint32(k))
		if len(given) > 0 {
			sorted[n] = given[sorted[n]]
		}
	}
	return sorted
}
