package trial

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/intend"
	"qprism/engine/model"
	"qprism/fixtures/master"
	"qprism/importer/cluster"
)

// TestARealMasterBreaksAndKeepsASentence submits the jobs that intend makes up against a policy to a real master with that policy: it puts
// them in the order that breaks the sentence, with the priorities that intend says, and in the other one with the weights that it finds.
func TestARealMasterBreaksAndKeepsASentence(t *testing.T) {
	master.Require(t)
	const lab = "lab:essc,weight_waiting_time=0,urgency/low_priority=0,urgency/high_priority=0" // its own jobs keep the sentence
	s, err := subject.Of(t.Context(), &cli.Deps{}, &subject.Selection{}, []string{lab})
	if err != nil {
		t.Fatal(err)
	}
	sentence, err := intend.Parse("department Privileged before department ClusterGrid")
	if err != nil {
		t.Fatal(err)
	}
	in := intend.Input{Snapshot: s.Snapshot, Quirks: s.Look.Quirks, At: s.TakenAt}
	against := intend.Check(in, []intend.Intention{sentence})[0].Against
	solution := intend.Solve(in, []intend.Intention{sentence})
	if against == nil || !against.Made || !solution.Found || len(solution.Changes) == 0 {
		t.Fatalf("%+v %+v", against, solution)
	}
	weights := master.Object{}
	for _, c := range solution.Changes {
		weights[c.Key] = master.Value(fmt.Sprintf("%.9f", c.Value))
	}
	var jobs []master.Job
	for _, j := range against.Jobs {
		jobs = append(jobs, submission(j))
	}
	no := false
	runs := master.Play(t, master.Scenario{
		Complexes:    []string{"high_priority hp BOOL == YES NO 0 1000", "low_priority lp BOOL == YES NO 0 -1000"},
		GlobalValues: "high_priority=TRUE,low_priority=TRUE",
		Users:        []master.Object{{"name": "pri1"}, {"name": "pri2"}, {"name": "grid1"}, {"name": "grid2"}},
		Usersets: []master.Object{{"name": "Privileged", "type": "DEPT", "fshare": "1000", "entries": "pri1,pri2"},
			{"name": "ClusterGrid", "type": "DEPT", "fshare": "1", "entries": "grid1,grid2"}},
		Hosts:  []master.Object{{"name": "node01"}},
		PEs:    []master.Object{{"pe_name": "smp", "slots": "100"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "4", "pe_list": "smp"}},
		SchedConf: master.Object{"weight_tickets_functional": "1000000", "weight_department": "1", "weight_user": "0", "weight_project": "0",
			"weight_job": "0", "weight_ticket": "0.2", "weight_urgency": "0.1", "weight_priority": "0", "weight_waiting_time": "0"},
		Steps: []master.Step{{Do: "submit", Jobs: jobs}, {Do: "cmd", Args: []string{"qmod", "-d", "all.q"}, Check: true},
			// disabled, so that they stay in the queue
			{Do: "run", Before: &no}, {Do: "sched_conf", Set: weights}, {Do: "run", Before: &no}},
	}, t.TempDir())
	broken, kept := printed(t, runs[0].After), printed(t, runs[1].After)
	first, behind := against.First.Number, against.Behind.Number
	if math.Abs(broken[first]-against.Prio[0]) > 1.1e-5 || math.Abs(broken[behind]-against.Prio[1]) > 1.1e-5 {
		t.Errorf("the master says %v and %v, intend %v", broken[first], broken[behind], against.Prio)
	}
	if kept[behind] <= kept[first] {
		t.Errorf("with %v the master still says %v and %v", weights, kept[first], kept[behind])
	}
}

// submission is a job as it is submitted to a master.
func submission(j *model.Job) master.Job {
	sub := master.Job{User: j.Owner, Priority: j.PosixPriority, Project: j.Project}
	if len(j.PERange) > 0 {
		sub.PE = j.PE + " " + model.SlotsText(j.PERange)
	}
	var requests []string
	for _, r := range j.Hard {
		requests = append(requests, r.Resource+"="+r.Value)
	}
	sub.Resources = strings.Join(requests, ",")
	return sub
}

// printed are the priorities that a master printed of its jobs.
func printed(t *testing.T, dir string) map[uint32]float64 {
	t.Helper()
	s, err := cluster.Read(os.DirFS(dir), cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prio := map[uint32]float64{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; len(j.Tasks) > 0 && j.Tasks[0].Reported != nil {
			prio[j.Number] = j.Tasks[0].Reported.Prio
		}
	}
	return prio
}
