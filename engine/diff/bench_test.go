package diff

import (
	"testing"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// BenchmarkCauses finds a cause for each of a million inversions: of 10,100 jobs that wait, all of one user, the last hundred start.
func BenchmarkCauses(b *testing.B) {
	before, after := overtakers(10_000, 100)
	for b.Loop() {
		r := Compare([]*model.Snapshot{before, after}, Options{})[0]
		if len(r.Pairs) != 1_000_000 {
			b.Fatalf("%d inversions", len(r.Pairs))
		}
	}
}

// overtakers are two snapshots: jobs that ask for a license that nobody has wait in the first, and others behind them have started in
// the second.
func overtakers(late, early int) (before, after *model.Snapshot) {
	at := time.Unix(1_700_000_000, 0).UTC()
	before = cluster(at, make([]int, late+early)...)
	before.Instances[0].Slots = early
	before.Resources = append(before.Resources, model.Resource{Name: "license", Shortcut: "lic", Type: model.TypeInt, Relop: "<=",
		Requestable: "YES", Consumable: model.ConsumeYes, Default: "0", Urgency: "0"})
	before.Hosts[0].Capacity = []model.Setting{{Name: "license", Value: "0"}}
	for i := range before.Jobs {
		j := &before.Jobs[i]
		j.Submitted = at.Add(time.Duration(i-late-early) * time.Second)
		if i < late {
			j.Detailed, j.Hard = true, []model.Request{{Resource: "license", Value: "1", Amount: 1}}
		}
	}
	c := forecast.NewCluster(before)
	start := at.Add(5 * time.Second)
	c.TakenAt = start.Add(time.Second)
	p := &model.Plan{RunAt: start}
	for i := late; i < late+early; i++ {
		p.Decisions = append(p.Decisions, model.Decision{Job: uint32(i + 1), Tasks: []model.Range{{Min: 1, Max: 1, Step: 1}}, Verdict: model.Now,
			Start: start,
			Slots: []model.Grant{{Instance: "all.q@a", Slots: 1}}})
	}
	c.Apply(p)
	return before, c.Snapshot
}

func TestCausesOfManyInversions(t *testing.T) {
	before, after := overtakers(300, 20)
	r := Compare([]*model.Snapshot{before, after}, Options{})[0]
	if len(r.Pairs) != 6000 {
		t.Fatalf("%d inversions", len(r.Pairs))
	}
	for _, p := range r.Pairs {
		if p.Cause.Kind != Request || p.Cause.Detail != "license" {
			t.Fatalf("%+v", p)
		}
	}
}
