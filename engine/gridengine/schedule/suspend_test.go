package schedule

import (
	"slices"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// TestAPlanSaysWhomAStartSuspends is the third use case of "Scheduler Policies": what runs in a subordinate
// queue is suspended immediately, and so is what started there in the same run.
func TestAPlanSaysWhomAStartSuspends(t *testing.T) {
	const says = "the start of job 2 suspends low.q@a immediately, and with it job 1"
	for name, c := range map[string]struct {
		first    func(*lab)
		slotwise int
		want     []string
	}{
		"what runs":    {func(l *lab) { l.runs(10*time.Second, "-l h_rt=50", "low.q@a") }, 0, []string{says}},
		"what started": {func(l *lab) { l.submit("-q low.q") }, 0, []string{says + ", which has just started"}},
		"single tasks": {func(l *lab) { l.submit("-q low.q") }, 3, nil},
	} {
		l := newLab(1, 1)
		low := l.Instances[0]
		low.Name, low.Queue, low.SeqNo = "low.q@a", "low.q", 1
		l.Instances[0].Subordinates, l.Instances[0].SlotwiseSum = []model.Subordinate{{Queue: "low.q"}}, c.slotwise
		l.Instances = append(l.Instances, low)
		c.first(l)
		l.submit("-q all.q")
		if got := l.plan(compat.Profiles[compat.Fixed]).Notes; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
