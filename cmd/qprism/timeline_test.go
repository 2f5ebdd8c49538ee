package main

import (
	"strings"
	"testing"
	"time"
)

// TestPeopleAreShownTheLatestSnapshots has more of them than a screen takes.
func TestPeopleAreShownTheLatestSnapshots(t *testing.T) {
	var ticks []tick
	for i := range mostTicks + 3 {
		k := tick{}
		k.ID, k.TakenAt = int64(i+1), time.Date(2026, 11, 21, 8, i, 0, 0, time.UTC)
		ticks = append(ticks, k)
	}
	for all, first := range map[bool]string{false: "2026-11-21 08:03:00         4", true: "2026-11-21 08:00:00         1"} {
		var shown screen
		out := newOutput(&shown, "")
		must(t, showTimeline(out, hints{}, ticks, all))
		lines := strings.Split(shown.String(), "\n")
		if !strings.HasPrefix(lines[1], first) || strings.Contains(shown.String(), "… and 3 earlier snapshots; --all lists them") == all {
			t.Errorf("all %v:\n%s", all, shown.String())
		}
	}
	var piped strings.Builder
	must(t, showTimeline(newOutput(&piped, ""), hints{}, ticks, false))
	if n := strings.Count(piped.String(), "2026-11-21T08:"); n != len(ticks) {
		t.Errorf("a pipe gets %d of %d lines", n, len(ticks))
	}
}
