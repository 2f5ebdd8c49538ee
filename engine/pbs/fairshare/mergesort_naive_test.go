package fairshare

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

//go:embed testdata/qsort-glibc-2.36.txt
var recordedSorts string

// naiveMergeSort says the same in the words of the definition.
func naiveMergeSort(list []int, less func(a, b int) bool) []int {
	n := len(list)
	if n <= 1 {
		return list
	}
	left, right := naiveMergeSort(list[:n/2], less), naiveMergeSort(list[n/2:], less)
	var sorted []int
	for len(left)+len(right) > 0 {
		takeRight := len(left) == 0 || len(right) > 0 && less(right[0], left[0])
		if takeRight {
			sorted, right = append(sorted, right[0]), right[1:]
		} else {
			sorted, left = append(sorted, left[0]), left[1:]
		}
	}
	return sorted
}

func TestMergeSortAgreesWithItsDefinitionForAnyComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 40).Draw(t, "size")
		answers := rapid.SliceOfN(rapid.IntRange(-1, 1), size*size, size*size).Draw(t, "answers")
		compare := func(a, b int) int { // antisymmetric, and nothing more
			switch {
			case a < b:
				return answers[a*size+b]
			case a > b:
				return -answers[b*size+a]
			}
			return 0
		}
		list := make([]int, size)
		for i := range list {
			list[i] = i
		}
		want := naiveMergeSort(slices.Clone(list), func(a, b int) bool { return compare(a, b) < 0 })
		MergeSort(list, compare)
		if !slices.Equal(list, want) {
			t.Fatalf("sorted %v, want %v", list, want)
		}
	})
}

// hashed is a relation that is antisymmetric and nothing more.
func hashed(a, b int) int {
	switch {
	case a == b:
		return 0
	case a > b:
		return -hashed(b, a)
	}
	return int(uint32(a*1000+b)*2654435761>>16%3) - 1
}

// The lists were sorted by qsort of glibc 2.36, as arrays of pointers.
func TestMergeSortGivesTheOrderOfTheLibraryWhereComparingIsNotTransitive(t *testing.T) {
	differs := false
	for line := range strings.Lines(recordedSorts) {
		want := numbers(t, line)
		list := make([]int, len(want))
		for i := range list {
			list[i] = i
		}
		plain := slices.Clone(list)
		if MergeSort(list, hashed); !slices.Equal(list, want) {
			t.Errorf("%d elements: sorted %v, the library %v", len(list), list, want)
		}
		slices.SortStableFunc(plain, hashed)
		differs = differs || !slices.Equal(plain, want)
	}
	if !differs {
		t.Error("any stable sort gives these orders: they show nothing")
	}
}

func numbers(t *testing.T, line string) (list []int) {
	for word := range strings.FieldsSeq(line) {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}
