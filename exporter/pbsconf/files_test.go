package pbsconf

import (
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestDedicatedTimesAreLocal: pbs_sched reads the file in the server's own time.
func TestDedicatedTimesAreLocal(t *testing.T) {
	from := time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC)
	s := &model.Snapshot{Location: "+0100",
		PBS: &model.PBS{Dedicated: []model.Period{{Start: from, End: from.Add(time.Hour)}}}}
	if got, want := string(dedicated(s, "# head\n")), "# head\n11/22/2026 00:30 11/22/2026 01:30\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if files := schedFiles(s, ""); !strings.HasPrefix(files[len(files)-1].Name, "dedicated_time") {
		t.Errorf("no dedicated_time among %d files", len(files))
	}
}
