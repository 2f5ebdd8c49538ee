package cycle_test

import (
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/simulate"
)

// TestASubjobThatTheBundleListsStartsOnce has an array whose waiting subjobs qstat -t lists one by one.
func TestASubjobThatTheBundleListsStartsOnce(t *testing.T) {
	s := complex{at: noon, vnodes: 1, ncpus: 8, mem: 8, jobs: []request{{}, {}}}.snapshot()
	array, sub := &s.Jobs[0], &s.Jobs[1]
	array.Array, array.PBS.ID, array.PBS.ArrayRemaining = true, "1[].srv", []model.Range{{Min: 1, Max: 3, Step: 1}}
	sub.Number, sub.PBS.ID, sub.PBS.Array, sub.PBS.Index = 1, "1[2].srv", "1[].srv", 2
	c := simulate.NewCluster(s)
	c.Apply(&model.Plan{RunAt: noon,
		Decisions: []model.Decision{{Job: 1, Tasks: []model.Range{{Min: 2, Max: 2, Step: 1}}, Verdict: model.Now,
			Start: noon, Placed: "(n0000:ncpus=1)"}}})
	if j := c.Job("1[2].srv"); j.PBS.State != "R" || len(c.Jobs) != 2 {
		t.Errorf("%d jobs, the subjob is %s", len(c.Jobs), j.PBS.State)
	}
	if a := c.Job("1[].srv").PBS; a.State != "B" || !slices.Equal(a.ArrayRemaining,
		[]model.Range{{Min: 1, Max: 1, Step: 1}, {Min: 3, Max: 3, Step: 1}}) {
		t.Errorf("the array is %s, %v wait", a.State, a.ArrayRemaining)
	}
	if len(s.Jobs[0].PBS.ArrayRemaining) != 1 || s.Jobs[0].PBS.State != "Q" {
		t.Error("the snapshot changed")
	}
}

// TestAJobThatEndedWhileTheBundleWasMadeFreesNothingTwice has a job that qstat still shows running and its
// vnode does not.
func TestAJobThatEndedWhileTheBundleWasMadeFreesNothingTwice(t *testing.T) {
	s := complex{at: noon, vnodes: 1, ncpus: 4, mem: 8, jobs: []request{{vnode: "(n0000:ncpus=1)"},
		{vnode: "(n0000:ncpus=2)"}}}.snapshot()
	p := s.Hosts[0].PBS
	p.Jobs, p.Assigned = []string{"2.srv/0"}, []model.Setting{{Name: "ncpus", Value: "2"}}
	c := simulate.NewCluster(s)
	c.End("1.srv")
	if used, _ := model.Text(c.Hosts[0].PBS.Assigned, "ncpus"); used != "2" {
		t.Errorf("%s cpus are assigned after the end of a job that held none", used)
	}
	c.End("2.srv")
	if used, _ := model.Text(c.Hosts[0].PBS.Assigned, "ncpus"); used != "0" {
		t.Errorf("%s cpus are assigned after the end of all", used)
	}
}
