package model_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

func TestARangeWithoutOneOfItsNumbersHoldsTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lowest := rapid.Uint32Range(0, 1<<32-1).Draw(t, "lowest")
		r := model.Range{Min: lowest, Max: rapid.Uint32Range(lowest, uint32(min(uint64(lowest)+300, 1<<32-1))).Draw(t, "greatest"),
			Step: rapid.Uint32Range(0, 9).Draw(t, "step")}
		all := slices.Collect(r.All())
		number := rapid.SampledFrom(all).Draw(t, "number")
		if !r.Holds(number) {
			t.Fatalf("%v does not hold %d", r, number)
		}
		var got []uint32
		for _, part := range model.Without([]model.Range{r}, number) {
			got = slices.AppendSeq(got, part.All())
		}
		want := slices.DeleteFunc(all, func(n uint32) bool { return n == number })
		if !slices.Equal(got, want) {
			t.Fatalf("%v without %d: %v, want %v", r, number, got, want)
		}
	})
}

func TestANumberIsTakenOutOfTheRangesThatHoldIt(t *testing.T) {
	list := []model.Range{{Min: 1, Max: 4, Step: 1}, {Min: 11, Max: 19, Step: 4}}
	for number, want := range map[uint32][]model.Range{
		1:  {{Min: 2, Max: 4, Step: 1}, {Min: 11, Max: 19, Step: 4}},
		2:  {{Min: 1, Max: 1, Step: 1}, {Min: 3, Max: 4, Step: 1}, {Min: 11, Max: 19, Step: 4}},
		5:  list,
		12: list,
		15: {{Min: 1, Max: 4, Step: 1}, {Min: 11, Max: 11, Step: 4}, {Min: 19, Max: 19, Step: 4}},
	} {
		if got := model.Without(list, number); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", number, got, want)
		}
	}
}
