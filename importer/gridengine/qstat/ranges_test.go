package qstat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
)

func TestRangesPrintAndReadToTheSameNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var numbers []uint32
		var ranges []model.Range
		for n := uint32(1); len(numbers) < 30; n += 1 + random.Uint32N(random.Uint32N(6)+1) {
			numbers = append(numbers, n)
			ranges = appendRange(ranges, rangeOf(n, n, 1))
		}
		if got := expect.Numbers(ranges); !slices.Equal(got, numbers) {
			t.Fatalf("%v became %v", numbers, ranges)
		}
		var text []string
		for _, r := range ranges {
			text = append(text, fmt.Sprintf("%d-%d:%d", r.Min, r.Max, r.Step))
		}
		again, err := parseRanges(nil, strings.Join(text, ","))
		if got := expect.Numbers(again); err != nil || !slices.Equal(got, numbers) {
			t.Fatalf("%v printed and read is %v, %v", ranges, again, err)
		}
		taken, rest := takeNumbers(ranges, numbers[10:20])
		if !slices.Equal(expect.Numbers(taken), numbers[10:20]) || len(expect.Numbers(rest)) != 20 ||
			slices.Contains(expect.Numbers(rest), numbers[15]) {
			t.Fatalf("%v without %v is %v", ranges, taken, rest)
		}
	}
}

func TestRangesTakeTheirOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"7": "[{7 7 1}]", "1,2": "[{1 2 1}]", "2-4": "[{2 4 1}]", "2-10:2": "[{2 10 2}]", "2-11:2": "[{2 10 2}]",
		"7-13:3,19": "[{7 13 3} {19 19 1}]",
		"1,5,6,7":   "[{1 1 1} {5 7 1}]", "3-3:5": "[{3 3 1}]", "1-3,4-9": "[{1 9 1}]",
		"5,3": "[{5 5 1} {3 3 1}]", "4,4": "[{4 4 1} {4 4 1}]",
		"1-4294967295:1": "[{1 4294967295 1}]", "0": "[{0 0 1}]",
	} {
		got, err := parseRanges(nil, text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", "1-", "-1", "2-1", "1-5:0", "1-5:", "4294967296",
		"1,,2", "a", "1-2-3", "1:2:3"} {
		if got, err := parseRanges(nil, text); err == nil {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
