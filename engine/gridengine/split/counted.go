package split

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// countOf finds a number and what it counts.
var countOf = regexp.MustCompile(`(\d+) (orders|J\([a-z]+\)), `)

// Counted reads the last message of a run with PROFILE=1: the number of orders, and of jobs in its lists,
// J(r), J(s). It is nil for other messages.
func Counted(text string) map[string]int {
	if !strings.HasPrefix(text, "PROF: scheduled in ") {
		return nil
	}
	numbers := map[string]int{}
	for _, m := range countOf.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			numbers[m[2]] = n
		}
	}
	return numbers
}

// CountedAt is one number from the last message of the run at a moment.
func CountedAt(s *model.Snapshot, at time.Time, what string) (n int, known bool) {
	for i := range s.Trace {
		if l := &s.Trace[i]; !l.At.Before(at) {
			if numbers := Counted(l.Text); numbers != nil {
				n, known = numbers[what]
				return n, known
			}
		}
	}
	return 0, false
}
