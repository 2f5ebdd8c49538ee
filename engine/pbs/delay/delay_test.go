package delay

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"qprism/engine/delay"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/search"
)

// TestVnodesAreJoinedByWhatTheyLack has vnodes with room, with too little free, with too little ever, and
// one that is down.
func TestVnodesAreJoinedByWhatTheyLack(t *testing.T) {
	lack := func(vnode string, later bool, total string) search.Fit {
		return search.Fit{Vnode: vnode, Why: model.Reason{Kind: model.ReasonResource, Level: "H",
			Object: vnode, Resource: "ncpus", Asked: "4", Offered: "1", Later: later, Text: "T: " + total}}
	}
	fits := []search.Fit{{Vnode: "down", Why: model.Reason{Kind: model.ReasonQueueState, Level: "H",
		Object: "down", Offered: "down"}}, lack("small", false, "1"),
		lack("a", true, "4"), lack("tiny", false, "1"), lack("b", true, "8"), {Vnode: "room", Room: true}}
	d := &model.Decision{}
	if got, want := shown(vnodes(fits, d)), []string{"partial true: room", "resource true: a b",
		"resource false: small tiny", "queue state false: down"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	d.Why = []model.Reason{{Kind: model.ReasonReserved}}
	if got := shown(vnodes(fits, d)); got[0] != "kept true: room" {
		t.Errorf("got %q", got)
	}
}

// TestHoldersOfPBSHaveIds has a subjob that runs on a vnode, a top job before the job and one behind it.
func TestHoldersOfPBSHaveIds(t *testing.T) {
	job := func(n uint32, id, state string) model.Job {
		return model.Job{Number: n, Owner: "joe", PBS: &model.PBSJob{ID: id, State: state}}
	}
	subjob := job(2, "2[7].s", "R")
	subjob.PBS.Index, subjob.PBS.Array, subjob.PBS.Started, subjob.PBS.ExecVnode = 7, "2[].s",
		at.Add(-time.Hour), "(a:ncpus=3)"
	subjob.Hard = []model.Request{{Resource: "walltime", Value: "02:00:00"}}
	s := &model.Snapshot{Hosts: []model.Host{{Name: "a", Capacity: []model.Setting{{Name: "ncpus", Value: "4"}}}},
		Jobs: []model.Job{job(1, "1.s", "Q"), subjob, job(3, "3.s", "Q"), job(4, "4.s", "Q")}}
	top := func(n uint32, id string) model.Decision {
		return model.Decision{Job: n, ID: id, Tasks: one(1), Verdict: model.Later, Tried: true,
			Start: at.Add(time.Hour), Duration: time.Hour, Slots: []model.Grant{{Instance: "a", Slots: 4}}}
	}
	p := &model.Plan{RunAt: at, Decisions: []model.Decision{top(3, "3.s"),
		{Job: 3, ID: "3.s", Tried: true, Verdict: model.Never},
		{Job: 1, ID: "1.s", Verdict: model.Never}, top(4, "4.s")}}
	of := delay.Place{Level: "H", Object: "a", Resource: "ncpus"}
	want := []delay.Holder{{Of: of, Job: 2, Task: 7, ID: "2[7].s", Owner: "joe", State: delay.Running,
		Amount: 3, Until: at.Add(time.Hour), Free: 0},
		{Of: of, Job: 3, Task: 1, ID: "3.s", Owner: "joe", State: delay.Reserving, Amount: 4,
			Until: at.Add(2 * time.Hour), Free: 4}}
	fits := []search.Fit{{Vnode: "a", Why: model.Reason{Later: true}}, {Vnode: "b"}}
	if got := holdersPBS(s, p, 2, fits); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	work := &delay.Work{Jobs: 1, Endless: 1, Running: 1}
	if got := workAheadPBS(s, p, 2); !reflect.DeepEqual(got, work) {
		t.Errorf("ahead %+v", got)
	}
	if n := runningSubjobs(s, &model.Job{Array: true, PBS: &model.PBSJob{ID: "2[].s"}}); n != 1 {
		t.Errorf("%d subjobs run", n)
	}
}

// TestWhatNoVnodeMendsHasNoVnodes stops at what keeps the scheduler from looking at the job, or at vnodes.
func TestWhatNoVnodeMendsHasNoVnodes(t *testing.T) {
	s := &model.Snapshot{Jobs: []model.Job{{Number: 1, PBS: &model.PBSJob{ID: "1.s", State: "H"}}}}
	for kind, ahead := range map[model.ReasonKind]bool{model.ReasonJobState: false, model.ReasonShares: true,
		model.ReasonDedicated: true} {
		p := &model.Plan{RunAt: at,
			Decisions: []model.Decision{{Job: 1, ID: "1.s", Verdict: model.Never, Why: []model.Reason{{Kind: kind}}}}}
		if d := Of(s, p, &s.Jobs[0]); d.Hosts != nil || d.Holders != nil || (d.Ahead != nil) != ahead || len(d.General) != 1 {
			t.Errorf("%s: %+v", kind, d)
		}
	}
}

var at = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

func one(task uint32) []model.Range { return []model.Range{{Min: task, Max: task, Step: 1}} }

// shown is groups as text: bar or kind of reason, whether time helps, places.
func shown(groups []delay.Group) (list []string) {
	for _, g := range groups {
		what := string(g.Bar)
		if g.Bar == delay.Refuses {
			what = string(g.Why.Kind)
		}
		list = append(list, fmt.Sprintf("%s %v: %s", what, g.TimeHelps(), strings.Join(g.Places, " ")))
	}
	return list
}
