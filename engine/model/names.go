package model

import (
	"cmp"
	"strings"
)

// CompareNames compares names so that node9 comes before node10.
func CompareNames(a, b string) int {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := digits(a[i:]), digits(b[j:])
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[i:i+x], "0"), strings.TrimLeft(b[j:j+y], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			i, j = i+x, j+y
			continue
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
		i, j = i+1, j+1
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }
