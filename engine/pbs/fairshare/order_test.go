package fairshare_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// truth is what the scheduler logged of a recording: jobs as submitted, and the order in which cycles considered them.
type truth struct {
	Submits []struct {
		ID      string `json:"jobid"`
		User    string
		Args    []string // "1:ncpus=2"
		Options struct {
			WallTime float64 `json:"wt"`
		} `json:"opts"`
	}
	Cycles []struct{ Considered, Run []string }
}

// pending is a job that waits.
type pending struct {
	id        string
	place     int // in the order of submission
	entity    *fairshare.Node
	requested []model.Amount
}

// TestJobsAreConsideredInTheRecordedOrder sorts the jobs of plain fairshare cycles anew after each start,
// as the scheduler does. With cput nobody rotates, since no job requests any (P10). Which of them could
// start is taken from the recording.
func TestJobsAreConsideredInTheRecordedOrder(t *testing.T) {
	all, cycles := files(t), 0
	for _, scenario := range []string{"fairshare_tree_cput", "fairshare_tree_ncpus_walltime"} {
		var recorded truth
		if err := json.Unmarshal(all[scenario+"/truth.json"], &recorded); err != nil {
			t.Fatal(err)
		}
		f := known(t, all, scenario+"/before")
		value := values[f.Policy.UsageResource]
		memory := fairshare.Start(f, time.Unix(1_800_000_000, 0))
		for i, after := range []string{"after", "later", "final"} { // the usage file that the cycle wrote
			begin(memory, usage(t, all[scenario+"/"+after+"/usage"]))
			c := recorded.Cycles[i]
			got := consider(recorded.waiting(t, memory, c.Considered), c.Run, value)
			if cycles++; !slices.Equal(got, c.Considered) {
				t.Errorf("%s, cycle %d: considered %v, want %v", scenario, i+1, got, c.Considered)
			}
		}
	}
	if cycles != 6 {
		t.Errorf("%d cycles were compared", cycles)
	}
}

// begin charges every entity for what its record rose to.
func begin(m *fairshare.Memory, file model.FairshareUsage) {
	var before, now []fairshare.Running
	for _, r := range file.Records {
		before = append(before, fairshare.Running{Job: r.Name, Entity: r.Name})
		rise := r.Usage - m.Entity(r.Name).Usage
		now = append(now, fairshare.Running{Job: r.Name, Entity: r.Name,
			Used: []model.Amount{{Name: "walltime", Value: rise}}})
	}
	m.End(true, before)
	m.Begin(fairshare.Cycle{At: m.LastDecay, FairShare: true, Running: now, Value: wallTime})
}

// waiting are jobs of these ids in the order of submission.
func (r truth) waiting(t *testing.T, m *fairshare.Memory, ids []string) (list []pending) {
	for i, s := range r.Submits {
		if slices.Contains(ids, s.ID) {
			_, cpus, _ := strings.Cut(s.Args[0], "ncpus=")
			list = append(list, pending{s.ID, i, m.Entity(s.User),
				[]model.Amount{{Name: "ncpus", Value: float64(integer(t, cpus))}, {Name: "walltime", Value: s.Options.WallTime}}})
		}
	}
	return list
}

// consider takes job after job from the sorted list; a start raises the temporary usage of its entity.
func consider(jobs []pending, runnable []string, value fairshare.Value) (order []string) {
	for len(jobs) > 0 {
		fairshare.MergeSort(jobs, func(a, b pending) int {
			return cmp.Or(fairshare.Compare(a.entity, b.entity), cmp.Compare(a.place, b.place))
		})
		first := jobs[0]
		order, jobs = append(order, first.id), jobs[1:]
		if slices.Contains(runnable, first.id) {
			first.entity.Raise(value(first.id, first.requested))
		}
	}
	return order
}
