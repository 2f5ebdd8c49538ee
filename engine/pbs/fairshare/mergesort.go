package fairshare

// MergeSort sorts a list as qsort(3) of glibc 2.36 does, which the scheduler uses. It halves the list, with
// the smaller half first if the length is odd. It sorts both halves and merges them. It takes from the left
// while left ≤ right.
//
// For a transitive order, any stable sort gives the same result. The order of entities is not always
// transitive. Then the result depends on which pairs are compared, in which order. glibc sorts lists that
// take a quarter of the machine's memory in another way; qprism does not.
func MergeSort[T any](list []T, compare func(a, b T) int) {
	mergeSort(list, make([]T, len(list)), compare)
}

func mergeSort[T any](list, buffer []T, compare func(a, b T) int) {
	if len(list) <= 1 {
		return
	}
	half := len(list) / 2
	mergeSort(list[:half], buffer, compare)
	mergeSort(list[half:], buffer, compare)
	copy(list, merge(list[:half], list[half:], buffer[:0], compare))
}

// merge appends both lists to merged in order; where one ends, the rest of the other follows without comparing.
func merge[T any](left, right, merged []T, compare func(a, b T) int) []T {
	for len(left) > 0 && len(right) > 0 {
		if compare(left[0], right[0]) <= 0 {
			merged, left = append(merged, left[0]), left[1:]
		} else {
			merged, right = append(merged, right[0]), right[1:]
		}
	}
	return append(append(merged, left...), right...)
}
