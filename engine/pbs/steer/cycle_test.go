package steer

import (
	"slices"
	"testing"

	"qprism/engine/assign"
)

// TestPrioritiesDecideInsideAStageOnly: what is before another job with equal priorities and with reverse
// ones is so whatever the priorities are.
func TestPrioritiesDecideInsideAStageOnly(t *testing.T) {
	for name, c := range map[string]struct {
		even, reverse, wanted, want []uint32
		stages                      int
	}{
		"one list":             {[]uint32{1, 2, 3}, []uint32{3, 2, 1}, []uint32{2, 9, 3}, []uint32{2, 3, 1, 9}, 1},
		"an express job first": {[]uint32{3, 1, 2}, []uint32{3, 2, 1}, []uint32{2, 1, 3}, []uint32{3, 2, 1}, 2},
		"two queues": {[]uint32{1, 3, 2, 4}, []uint32{3, 1, 4, 2}, []uint32{4, 3, 2, 1},
			[]uint32{3, 1, 4, 2}, 2},
		"queues that take turns":   {[]uint32{1, 2, 3, 4}, []uint32{3, 4, 1, 2}, []uint32{4, 1}, []uint32{4, 1, 2, 3}, 1},
		"each alone":               {[]uint32{1, 2}, []uint32{1, 2}, []uint32{2, 1}, []uint32{1, 2}, 2},
		"a job that is named once": {[]uint32{1, 2}, []uint32{2, 1}, []uint32{2, 2, 1}, []uint32{2, 1}, 1},
	} {
		base := stages(c.even, c.reverse, 1<<26)
		var now []assign.Waiting
		for _, job := range c.even {
			now = append(now, assign.Waiting{Job: job, Base: base[job]})
		}
		if got, n := inStages(c.wanted, now, base); !slices.Equal(got, c.want) || n != c.stages {
			t.Errorf("%s: %v in %d stages, want %v in %d", name, got, n, c.want, c.stages)
		}
	}
}
