package usage

import (
	"math"
	"testing"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func ended(job uint32, user, project string, slots int, from, to time.Duration) model.EndedTask {
	return model.EndedTask{Job: job, Task: 1, Owner: user, Project: project, Slots: slots, Started: noon.Add(from), Ended: noon.Add(to)}
}

// halves promises everybody the same.
func halves(by string, active []batch.Party) batch.Due {
	d := batch.Due{Policy: "test", Parts: map[string]float64{}}
	for _, p := range active {
		d.Parts[p.Name(by)] = 1
	}
	return d.Normalized()
}

// TestUsageCountsWhatLiesInThePeriod: a task that began before counts from the period's beginning, one that runs until the snapshot, and
// who only waits is due his part, too.
func TestUsageCountsWhatLiesInThePeriod(t *testing.T) {
	s := &model.Snapshot{TakenAt: noon, Jobs: []model.Job{
		{Number: 3, Owner: "anna", Project: "bio", Tasks: []model.Task{{State: "r", Started: noon.Add(-time.Hour), Slots: 2}}},
		{Number: 4, Owner: "carl", Project: "geo", Tasks: []model.Task{{State: "qw", IDs: []model.Range{{Min: 1, Max: 5, Step: 1}}}}}}}
	list := []model.EndedTask{ended(1, "anna", "bio", 4, -10*time.Hour, -3*time.Hour), ended(2, "ben", "chem", 1, -2*time.Hour, -time.Hour),
		ended(9, "ben", "chem", 1, -20*time.Hour, -19*time.Hour)}
	r := Of(s, list, Query{By: batch.ByProject, From: noon.Add(-4 * time.Hour), To: noon, Steps: 4, Due: halves})
	if len(r.Rows) != 3 || r.Total/3600 != 7 || !r.Known.Equal(noon.Add(-19*time.Hour)) {
		t.Fatalf("%+v", r)
	}
	bio, chem, geo := r.Rows[0], r.Rows[1], r.Rows[2]
	if bio.Used/3600 != 6 || bio.Ended != 1 || bio.Running != 1 || bio.Steps[0] != 4*3600 || bio.Steps[3] != 2*3600 {
		t.Errorf("bio %+v", bio)
	}
	if chem.Used/3600 != 1 || chem.Got != 1.0/7 || math.Abs(chem.Owed/3600-(7.0/3-1)) > 1e-9 {
		t.Errorf("chem %+v", chem)
	}
	if geo.Name != "geo" || geo.Used != 0 || geo.Waiting != 5 || math.Abs(geo.Target-1.0/3) > 1e-9 {
		t.Errorf("geo %+v", geo)
	}
	sum := 0.0
	for _, v := range r.StepTotals() {
		sum += v
	}
	if sum != r.Total {
		t.Errorf("the steps add up to %v, not to %v", sum, r.Total)
	}
}

// TestNobodyIsCountedTwice: two accounting files of a cluster have the same records at their seam.
func TestNobodyIsCountedTwice(t *testing.T) {
	a := []model.EndedTask{ended(1, "anna", "", 1, -3*time.Hour, -2*time.Hour), ended(2, "ben", "", 1, -2*time.Hour, -time.Hour)}
	if got := Joined(a, append(a[:1:1], ended(1, "anna", "", 1, -9*time.Hour, -8*time.Hour))); len(got) != 3 {
		t.Errorf("%d tasks: %+v", len(got), got)
	}
}
