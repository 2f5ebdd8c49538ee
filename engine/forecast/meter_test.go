package forecast

import (
	"testing"
	"time"

	"qprism/engine/model"
)

// shared is a cluster of two users with equal shares; job 1 of ann runs, and has used an hour of cpu so far.
func shared() *model.Snapshot {
	s := cluster(1)
	s.TakenAt = zero
	s.Policy.ShareTreeTickets = 1000
	s.Policy.UsageWeights = []model.Amount{{Name: "cpu", Value: 1}}
	s.ShareTree = &model.ShareNode{Name: "Root", Children: []*model.ShareNode{{Name: "ann", Shares: 1}, {Name: "bob", Shares: 1}}}
	before := model.Usage{At: zero, Decayed: []model.Amount{{Name: "cpu", Value: 3600}}}
	s.Users = []model.User{{Name: "ann", Usage: before}, {Name: "bob"}}
	running := job(1, "", 30*minute)
	running.Owner = "ann"
	running.Tasks[0] = model.Task{IDs: only(1), State: "r", Started: zero.Add(-time.Hour), Slots: 1,
		Usage: []model.Amount{{Name: "cpu", Value: 1800}, {Name: "maxvmem", Value: 1e9}}}
	s.Jobs = []model.Job{running}
	return s
}

// TestRunningTasksAreChargedAtTheirRate: what a task used before the snapshot is charged already, and is not
// charged again.
func TestRunningTasksAreChargedAtTheirRate(t *testing.T) {
	c := NewCluster(shared())
	m := newMeter(c, model.Quirks{})
	m.end(taskID{1, 1}, zero.Add(10*minute))
	bob := job(2, "", minute)
	bob.Owner, bob.Tasks[0].Started, bob.Tasks[0].State = "bob", zero.Add(10*minute), "r"
	again := job(3, "", minute)
	again.Owner, again.Tasks[0].Started, again.Tasks[0].State = "bob", zero.Add(10*minute), "r"
	c.Come([]*model.Job{&bob, &again})
	m.begin(c.Job(2), 1, zero.Add(10*minute))
	m.begin(c.Job(3), 1, zero.Add(10*minute))
	m.charge(c.Snapshot, zero.Add(20*minute))
	for i, want := range []float64{3600 + 300, 600} { // each task uses half a second of cpu in a second, for ten minutes
		if got := c.Users[i].Usage.Decayed[0].Value; got != want {
			t.Errorf("%s: %v of cpu, not %v", c.Users[i].Name, got, want)
		}
	}
	if len(m.tasks) != 2 {
		t.Errorf("%d tasks are metered", len(m.tasks))
	}
}

func TestWithoutAShareTreeNothingIsCharged(t *testing.T) {
	s := shared()
	s.ShareTree = nil
	c := NewCluster(s)
	m := newMeter(c, model.Quirks{})
	m.charge(c.Snapshot, zero.Add(time.Hour))
	if m != nil || len(c.Jobs[0].Tasks[0].Usage) == 0 {
		t.Error("usage was taken off the task")
	}
}
