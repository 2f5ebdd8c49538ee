package show

import (
	"slices"
	"strings"
)

// Nearest returns the name that a misspelled word probably means. First it looks for a name that begins with
// the word. Otherwise it takes a name that differs in a few letters. It is empty if there is none.
func Nearest(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		d := EditDistance(word, name)
		if len(word) > 2 && strings.HasPrefix(name, word) {
			d = 0
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// EditDistance counts the changes from one word to another: insert, delete or replace a letter, or swap two
// neighbors.
func EditDistance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := row[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			next[j] = min(row[j]+1, next[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
