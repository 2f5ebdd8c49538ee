package main

import (
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
)

// TestPeopleAreShownTheLatestSnapshots has more of them than a screen takes.
func TestPeopleAreShownTheLatestSnapshots(t *testing.T) {
	var ticks []past.Tick
	for i := range past.MostTicks + 3 {
		k := past.Tick{}
		k.ID, k.TakenAt = int64(i+1), time.Date(2026, 11, 21, 8, i, 0, 0, time.UTC)
		ticks = append(ticks, k)
	}
	for all, first := range map[bool]string{false: "2026-11-21 08:03:00         4", true: "2026-11-21 08:00:00         1"} {
		var shown screen
		out := show.Out(&shown, "")
		must(t, past.ShowTimeline(out, cli.Hints{}, ticks, all))
		lines := strings.Split(shown.String(), "\n")
		if !strings.HasPrefix(lines[1], first) || strings.Contains(shown.String(), "… and 3 earlier snapshots; --all lists them") == all {
			t.Errorf("all %v:\n%s", all, shown.String())
		}
	}
	var piped strings.Builder
	must(t, past.ShowTimeline(show.Out(&piped, ""), cli.Hints{}, ticks, false))
	if n := strings.Count(piped.String(), "2026-11-21T08:"); n != len(ticks) {
		t.Errorf("a pipe gets %d of %d lines", n, len(ticks))
	}
}
