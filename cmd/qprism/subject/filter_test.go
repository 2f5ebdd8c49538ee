package subject

import (
	"testing"
)

func TestPeopleGetTheFirstLinesOfWhatRunsAndOfWhatWaits(t *testing.T) {
	for _, c := range []struct {
		runs, waits, lines int
		hidden             string
	}{
		{0, 0, 0, ""}, {30, 30, 60, ""}, {40, 40, 80, ""}, {41, 5, 35, "11 more that run"}, {5, 8215, 35, "8185 more that wait"},
		{50, 100, 60, "20 more that run, 70 more that wait"},
	} {
		list := make([]int, c.runs+c.waits)
		for i := range list {
			list[i] = i
		}
		short, hidden := FirstLines(list, func(i int) bool { return i < c.runs })
		if len(short) != c.lines || hidden != c.hidden {
			t.Errorf("%d run, %d wait: %d lines, %q; want %d, %q", c.runs, c.waits, len(short), hidden, c.lines, c.hidden)
		}
		if c.waits > 0 && c.runs > 0 && short[len(short)-1] < c.runs {
			t.Errorf("%d run, %d wait: what waits is not there", c.runs, c.waits)
		}
	}
}
