package resource

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestVnodesOfAJobComeInTheOrderOfTheCxxLibrary compares with what programs compiled by g++ print.
func TestVnodesOfAJobComeInTheOrderOfTheCxxLibrary(t *testing.T) {
	for n, want := range map[int]string{
		2:  "7 0",
		5:  "28 14 7 21 0",
		13: "63 70 56 84 49 77 42 28 14 35 7 21 0",
		14: "91 0 35 21 28 14 42 77 49 84 56 7 70 63",
		40: "273 266 252 238 231 224 245 210 70 7 49 56 189 77 42 168 14 217 84 28 63 21 35 0 91 133 98 " +
			"140 147 105 196 203 112 119 126 259 154 161 175 182",
	} {
		var names, got []string
		for i := range n {
			names = append(names, fmt.Sprintf("node-with-name%d", 7*i))
		}
		for _, k := range HashOrder(names) {
			got = append(got, strings.TrimPrefix(names[k], "node-with-name"))
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%d: %v, want %s", n, got, want)
		}
	}
}
