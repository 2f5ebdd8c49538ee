package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNamesAreInNaturalOrder(t *testing.T) {
	names := []string{"a", "a1", "a02", "a2", "a10", "a10b", "b", "node9.x", "node10.x", "node100000000000000000000"}
	shuffled := slices.Clone(names)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(names), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	slices.SortFunc(shuffled, CompareNames)
	names[2], names[3] = names[3], names[2] // the longer name of two equal numbers comes later
	if !slices.Equal(shuffled, names) {
		t.Errorf("got %q", shuffled)
	}
}
