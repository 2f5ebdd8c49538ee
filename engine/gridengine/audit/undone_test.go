package audit

import (
	"slices"
	"testing"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// TestWhatWasDoneSinceTheRunIsTakenFromABundleBetween: by qalter, qhold, qrls and qdel.
func TestWhatWasDoneSinceTheRunIsTakenFromABundleBetween(t *testing.T) {
	held := waiting(6, "a", 35*time.Second)
	held.Tasks[0].State = "hqw"
	s := cluster(waiting(1, "a", 100*time.Second), waiting(2, "b", 50*time.Second), waiting(3, "b", 45*time.Second),
		waiting(4, "a", 40*time.Second), array(5, "b", 30*time.Second, 1), held)
	print(s, split.Assumed{})
	before := *s
	before.Jobs = slices.Clone(s.Jobs)
	for i := range before.Jobs {
		before.Jobs[i].Tasks = slices.Clone(s.Jobs[i].Tasks)
	}
	s.TakenAt = s.TakenAt.Add(2 * time.Second)
	for _, c := range []struct {
		name string
		do   func(*model.Snapshot)
	}{
		{"altered", func(s *model.Snapshot) { s.Jobs[0].OverrideTickets, s.Jobs[0].Version = 500, 1 }},
		{"held", func(s *model.Snapshot) { s.Jobs[1].Tasks[0].State = "hqw" }},
		{"released", func(s *model.Snapshot) { s.Jobs[5].Tasks[0].State = "qw" }},
		{"deleted", func(s *model.Snapshot) { s.Jobs = slices.Delete(s.Jobs, 2, 3) }},
		{"waiting tasks deleted", func(s *model.Snapshot) { s.Jobs[4].Tasks = s.Jobs[4].Tasks[1:] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := *s
			now.Jobs = slices.Clone(s.Jobs)
			for i := range now.Jobs {
				now.Jobs[i].Tasks = slices.Clone(s.Jobs[i].Tasks)
			}
			c.do(&now)
			allAgree(t, Run(&now, Options{Options: byRules, Before: &before}))
			if r := run(&now); r.Agrees() && c.name != "released" {
				t.Error("also without the bundle between")
			}
			stale := before
			stale.TakenAt = noon.Add(500 * time.Millisecond)
			if r := Run(&now, Options{Options: byRules, Before: &stale}); r.Agrees() && c.name != "released" {
				t.Error("also with a bundle of the run's second")
			}
		})
	}
}
