package synthesis

import (
	"math"
	"strings"
	"testing"
)

// TestTheMostTicketsAreReckonedFromWhatPBSKnows holds what the periodic job reckons against what Grid
// Engine's run gave, on every recorded run. Where policy_hierarchy has the share tree before functional
// tickets, these go first to jobs with more of the tree's, which is not reckoned: the two may differ by a
// fifth.
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
			share, functional := strings.Index(run.Snapshot.Policy.Hierarchy, "S"),
				strings.Index(run.Snapshot.Policy.Hierarchy, "F")
			if off > 0.2 || off > 1e-4 && !(0 <= share && share < functional) {
				t.Errorf("%s %s: %v, want %v", name, run.Name, got, now.tickets)
			}
			if all++; off < 1e-4 {
				near++
			}
		}
	}
	if near < all*19/20 {
		t.Errorf("only %d of %d are the same to four digits", near, all)
	}
	t.Logf("%d of %d are the same to four digits", near, all)
}
