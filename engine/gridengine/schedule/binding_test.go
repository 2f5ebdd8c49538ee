package schedule

import (
	"strings"
	"testing"

	"qprism/compat"
)

// TestAPlanSaysWhoAsksForProcessors: those of which the scheduler keeps some, and the plan none.
func TestAPlanSaysWhoAsksForProcessors(t *testing.T) {
	for name, c := range map[string]struct{ product, binding, want string }{
		"Open Cluster Scheduler": {"OCS", "bamount=2,bunit=C",
			"core binding: 1 (bamount=2,bunit=C), 2 (bamount=2,bunit=C), 3 "},
		"Univa":                       {"UGE", "set linear:2", "5 (set linear:2), 2 others;"},
		"a host ties the job, anyhow": {"SGE", "set linear:2", ""},
		"nobody asks":                 {"OCS", "", ""},
	} {
		l := newLab(1, 1)
		l.Release.Product = c.product
		for range 7 {
			l.submit("")
		}
		for i := range l.Jobs {
			l.Jobs[i].Binding = c.binding
		}
		if notes := strings.Join(l.plan(compat.Profiles["9.1"]).Notes, "\n"); !strings.Contains(notes, c.want) ||
			c.want == "" && notes != "" {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}
