package audit

import (
	"slices"
	"testing"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// TestALimitThatAReleaseDoesNotPrintIsMissing: -tc of 6.2u5 and its like, where an array waits and tickets count.
func TestALimitThatAReleaseDoesNotPrintIsMissing(t *testing.T) {
	array := model.Job{Number: 1, Array: true, Tasks: []model.Task{{State: "qw"}}}
	for _, c := range []struct {
		version string
		job     model.Job
		tickets uint32
		want    bool
	}{
		{"6.2u5", array, 1000, true},
		{"8.0.0", array, 1000, true},
		{"6.2u1", array, 1000, false},
		{"8.1.9", array, 1000, false},
		{"6.2u5", array, 0, false},
		{"6.2u5", model.Job{Number: 1, Tasks: []model.Task{{State: "qw"}}}, 1000, false},
		{"6.2u5", model.Job{Number: 1, Array: true, Tasks: []model.Task{{State: "r"}}}, 1000, false},
		{"6.2u5", model.Job{Number: 1, Array: true, MaxRunningTasks: 2, Tasks: []model.Task{{State: "qw"}}}, 1000, false},
	} {
		s := &model.Snapshot{Release: model.Release{Version: c.version}, Jobs: []model.Job{c.job},
			Has:    []string{"complex.txt", "qstat-f.xml", "qstat-j.xml", "sched_conf.txt", "users.txt", "usersets.txt"},
			Policy: model.Policy{FunctionalTickets: c.tickets}}
		got := slices.ContainsFunc(findGaps(s), func(g Gap) bool {
			return g.File == "qstat-j.xml" && slices.Contains(g.Fields, lastrun.Tckts)
		})
		if got != c.want {
			t.Errorf("%s, job %+v: %v", c.version, c.job, got)
		}
	}
}
