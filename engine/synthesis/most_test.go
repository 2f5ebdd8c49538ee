package synthesis

import (
	"math"
	"testing"
)

// TestTheMostTicketsAreReckonedFromWhatPBSKnows holds what the periodic job reckons against what Grid Engine's run gave, on every recorded
// run. Where shares of running tasks were rounded, or tasks ended since, the two differ; never by more than a fifth.
func TestTheMostTicketsAreReckonedFromWhatPBSKnows(t *testing.T) {
	near, all := 0, 0
	for name, h := range histories(t) {
		for _, run := range h {
			census := takeCensus(History{run})
			now := scaleOf(run, census)
			got := census.mostTickets(run, now)
			if math.IsNaN(got) || math.IsNaN(now.tickets) {
				if math.IsNaN(got) != math.IsNaN(now.tickets) {
					t.Errorf("%s: %v, want %v", name, got, now.tickets)
				}
				continue
			}
			off := math.Abs(got/now.tickets - 1)
			if off > 0.2 {
				t.Errorf("%s %s: %v, want %v", name, run.Name, got, now.tickets)
			}
			if all++; off < 1e-4 {
				near++
			}
		}
	}
	if near < all*9/10 {
		t.Errorf("only %d of %d are the same to four digits", near, all)
	}
	t.Logf("%d of %d are the same to four digits", near, all)
}
