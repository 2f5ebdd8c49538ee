package next

import (
	"strings"
	"testing"

	"qprism/engine/model"
)

func TestAHeldJobNeedsSomebody(t *testing.T) {
	waits := func(states ...string) model.Job {
		var j model.Job
		for _, s := range states {
			j.Tasks = append(j.Tasks, model.Task{State: s})
		}
		return j
	}
	behind := waits("hqw")
	behind.Predecessors = []uint32{7}
	array := waits("hqw")
	array.ArrayPredecessor = []uint32{7}
	for name, c := range map[string]struct {
		job  model.Job
		want string
	}{
		"held":                             {waits("hqw"), "releases it"},
		"in error":                         {waits("Eqw"), "clears its error"},
		"one task held, one in error":      {waits("hqw", "Eqw"), "clears its error"},
		"one task held, one waits":         {waits("hqw", "qw"), ""},
		"waits":                            {waits("qw"), ""},
		"held by another job":              {behind, ""},
		"held by the tasks of another job": {array, ""},
	} {
		if got := heldUntil(&c.job); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
