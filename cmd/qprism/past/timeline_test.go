package past

import (
	"strings"
	"testing"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

// TestPeopleAreShownTheLatestSnapshots has more of them than a screen takes.
func TestPeopleAreShownTheLatestSnapshots(t *testing.T) {
	var infos []sqlite.Info
	for i := range mostTicks + 3 {
		infos = append(infos, sqlite.Info{ID: int64(i + 1), TakenAt: time.Date(2026, 11, 21, 8, i, 0, 0, time.UTC)})
	}
	for _, c := range []struct {
		terminal, all bool
		lines         int
		first, last   string
	}{
		{true, false, mostTicks, "2026-11-21 08:03:00         4", "2026-11-21 08:50:00        51"},
		{true, true, len(infos), "2026-11-21 08:00:00         1", "2026-11-21 08:50:00        51"},
		{false, false, len(infos), "2026-11-21T08:00:00Z", "2026-11-21T08:50:00Z"},
	} {
		var text strings.Builder
		out := show.Out(&text, "")
		out.Terminal = c.terminal
		list, earlier := shown(out, infos, c.all)
		ticks := make([]tick, len(list))
		for i := range list {
			ticks[i].Info = list[i]
		}
		if err := showTimeline(out, cli.Hints{}, ticks, earlier); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text.String(), "\n")
		if n := strings.Count(text.String(), "2026-11-21"); n != c.lines {
			t.Errorf("%+v: %d lines", c, n)
		}
		hint := strings.Contains(text.String(), "… and 3 earlier snapshots; --all lists them")
		if !strings.HasPrefix(lines[1], c.first) || !strings.Contains(text.String(), "\n"+c.last) || hint != (c.lines == mostTicks) {
			t.Errorf("%+v:\n%s", c, text.String())
		}
	}
}
