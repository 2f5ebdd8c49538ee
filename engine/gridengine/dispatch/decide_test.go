package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// cluster has three hosts of two slots, a long queue on the third, two jobs that run on node01 and node02, and five that wait.
func cluster() *model.Snapshot {
	s := &model.Snapshot{TakenAt: noon, Resources: []model.Resource{{Name: "alone", Relop: model.Exclusive}}}
	for _, name := range []string{"all.q@node01", "all.q@node02", "all.q@node03", "long.q@node03"} {
		queue, host, _ := strings.Cut(name, "@")
		s.Instances = append(s.Instances, model.QueueInstance{Name: name, Queue: queue, Host: host, Slots: 2})
	}
	s.Instances[0].Used, s.Instances[1].Used = 1, 2
	for n, owner := range []string{"anna", "ben", "anna", "anna", "ben", "carl", "mpi"} {
		j := model.Job{Number: uint32(n + 1), Owner: owner, Submitted: noon.Add(-time.Duration(10-n) * time.Hour)}
		t := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw"}
		if n < 2 {
			t.State, t.Started = "r", noon.Add(-time.Minute)
			t.Granted = []model.Grant{{Instance: s.Instances[n].Name, Slots: 1 + n}}
		}
		j.Tasks = []model.Task{t}
		s.Jobs = append(s.Jobs, j)
	}
	s.Jobs[4].Tasks[0].IDs[0].Max = 3 // an array
	return s
}

func (w *Wish) String() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("held", w.Held.String())
	add("hosts", w.Hosts)
	add("queues", w.Queues)
	add("also", w.Also)
	add("first", strings.Join(w.First, " "))
	if w.Reserve {
		parts = append(parts, "reserve")
	}
	if len(w.Why) > 0 {
		parts = append(parts, "because "+strings.Join(w.Why, "; "))
	}
	return strings.Join(parts, ", ")
}

func TestRulesSayWhatJobsShallHave(t *testing.T) {
	for name, c := range map[string]struct {
		rules []Rule
		want  []string
	}{
		"hosts": {[]Rule{{Jobs: []string{"user=anna"}, Hosts: []string{"node03", "node02"}}},
			[]string{"3: hosts (node02|node03), because bound to node03 node02",
				"4: hosts (node02|node03), because bound to node03 node02"}},
		"not on a host": {[]Rule{{Jobs: []string{"6"}, NotHosts: []string{"node01"}}},
			[]string{"6: hosts !(node01), because bound to not node01"}},
		"a queue": {[]Rule{{Jobs: []string{"6"}, Queues: []string{"long.q"}}}, []string{"6: queues (long.q), because bound to long.q"}},
		"two rules about a job": {[]Rule{{Jobs: []string{"6"}, Hosts: []string{"node01", "node02"}},
			{NotHosts: []string{"node01"}, Jobs: []string{"user=carl"}}},
			[]string{"6: hosts (node02), because bound to node01 node02; bound to not node01"}},
		"two that leave nothing": {[]Rule{{Jobs: []string{"6"}, Hosts: []string{"node01"}}, {Jobs: []string{"6"}, Hosts: []string{"node02"}}},
			[]string{"6: held 1, because no host is left for the job; bound to node01; bound to node02"}},
		"unknown ids": {[]Rule{{Jobs: []string{"6,99"}, Hosts: []string{"nowhere", "node03"}},
			{Jobs: []string{"7"}, Hosts: []string{"nowhere"}},
			{Jobs: []string{"7"}, Queues: []string{"no.q"}}},
			[]string{`6: hosts (node03), because bound to nowhere node03`, `there is no job "99"`, `there is no host "nowhere"`,
				`there is no queue "no.q"`}},
		"not now": {[]Rule{{Jobs: []string{"6"}, NotNow: "disk full"}}, []string{"6: held 1, because disk full"}},
		"not before": {[]Rule{{Jobs: []string{"6"}, NotBefore: noon.Add(time.Hour)}},
			[]string{"6: held 1, because not before 2026-11-23 13:00 UTC"}},
		"not before is over": {[]Rule{{Jobs: []string{"6"}, NotBefore: noon}}, nil},
		"at most": {[]Rule{{Jobs: []string{"user=ben,carl"}, AtMost: 3}}, // one runs, job 6 comes first
			[]string{"5: held 2-3, because at most 3 at once of user=ben,carl"}},
		"exclusive": {[]Rule{{Jobs: []string{"6"}, Exclusive: true}}, []string{"6: also alone=true"}},
		"pack":      {[]Rule{{Jobs: []string{"6"}, Pack: true}}, []string{"6: first node01"}}, // node02 is full
		"spread":    {[]Rule{{Jobs: []string{"6"}, Spread: true}}, []string{"6: first node03"}},
		"keep free": {[]Rule{{Jobs: []string{"user=mpi"}, KeepFree: 1}}, []string{
			"3: hosts !(node03), because kept free for user=mpi: node03", "4: hosts !(node03), because kept free for user=mpi: node03",
			"5: hosts !(node03), because kept free for user=mpi: node03", "6: hosts !(node03), because kept free for user=mpi: node03",
			"7: first node03"}}, // and not node01, where others could start
		"keep free, packed": {[]Rule{{Jobs: []string{"user=mpi"}, KeepFree: 1, Hosts: []string{"node03"}}, {Jobs: []string{"7,6"}, Pack: true}},
			[]string{"3: hosts !(node03), because kept free for user=mpi: node03", "4: hosts !(node03), because kept free for user=mpi: node03",
				"5: hosts !(node03), because kept free for user=mpi: node03",
				"6: hosts !(node03), because kept free for user=mpi: node03", "7: first node03"}},
		"keep free one of some": {[]Rule{{Jobs: []string{"user=mpi"}, KeepFree: 1, Hosts: []string{"node01", "node02"}},
			{Jobs: []string{"6"}, Hosts: []string{"node01", "node03"}}},
			[]string{"3: hosts !(node01), because kept free for user=mpi: node01", "4: hosts !(node01), because kept free for user=mpi: node01",
				"5: hosts !(node01), because kept free for user=mpi: node01",
				"6: hosts (node03), because kept free for user=mpi: node01; bound to node01 node03", "7: first node01"}},
		"keep free the one that is named": {[]Rule{{Jobs: []string{"user=mpi"}, KeepFree: 1, Hosts: []string{"node02"}}}, []string{
			"3: hosts !(node02), because kept free for user=mpi: node02", "4: hosts !(node02), because kept free for user=mpi: node02",
			"5: hosts !(node02), because kept free for user=mpi: node02", "6: hosts !(node02), because kept free for user=mpi: node02",
			"7: first node02"}}, // though it is full
		"keep free more than there are": {[]Rule{{Jobs: []string{"user=mpi"}, KeepFree: 2, Hosts: []string{"node02"}}},
			[]string{"keep_free 2: the cluster has only 1 hosts"}},
		"keep free all": {[]Rule{{Jobs: []string{"user=mpi"}, KeepFree: 3}}, []string{"keep_free 3: the cluster has only 3 hosts"}},
		"longest wait": {[]Rule{{Jobs: []string{"user=anna"}, LongestWait: Span(450 * time.Minute)}},
			[]string{"3: reserve", "order 3 7 6 5 4"}},
	} {
		s := cluster()
		s.Policy.MaxReservation = 1
		r, err := Decide(Input{Snapshot: s, Order: []uint32{7, 6, 5, 4, 3}, Rules: c.rules,
			Owned: map[uint32]model.TaskSet{3: {1: true}, 4: {1: true}, 5: {1: true, 2: true, 3: true}, 6: {1: true}, 7: {1: true}}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for job := uint32(3); job <= 7; job++ {
			if w := r.Wishes[job]; w != nil && w.Bound() {
				got = append(got, fmt.Sprintf("%d: %v", job, w))
			}
		}
		got = append(got, r.Notes...)
		if order := strings.Trim(fmt.Sprint(r.Order), "[]"); order != "7 6 5 4 3" {
			got = append(got, "order "+order)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestAHostThatIsKeptFreeStaysTheSame: the one that the jobs use already is kept, whatever runs elsewhere.
func TestAHostThatIsKeptFreeStaysTheSame(t *testing.T) {
	s := cluster()
	s.Jobs[6].Tasks[0].Started, s.Jobs[6].Tasks[0].State = noon, "r"
	s.Jobs[6].Tasks[0].Granted = []model.Grant{{Instance: "all.q@node03", Slots: 1}}
	s.Instances = append(s.Instances, model.QueueInstance{Name: "all.q@node00", Queue: "all.q", Host: "node00", Slots: 2})
	r, err := Decide(Input{Snapshot: s, Order: []uint32{6}, Owned: map[uint32]model.TaskSet{6: {1: true}},
		Rules: []Rule{{Jobs: []string{"user=mpi"}, KeepFree: 1}}})
	if err != nil || r.Wishes[6].Hosts != "!(node03)" {
		t.Error(r.Wishes[6], err)
	}
}

func TestWrongRulesAreRefused(t *testing.T) {
	for _, r := range []Rule{{Pack: true, Spread: true}, {KeepFree: 1}, {AtMost: -1}, {Jobs: []string{"owner=x"}}, {Jobs: []string{""}}} {
		if err := Check([]Rule{{}, r}); err == nil || !strings.HasPrefix(err.Error(), "rule 2: ") {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// TestAJobThatMayStartSoonGetsItsPlaceBefore, but not one that may start tomorrow.
func TestAJobThatMayStartSoonGetsItsPlaceBefore(t *testing.T) {
	s := cluster()
	s.TakenAt = noon
	s.Jobs[0].ExecutionTime, s.Jobs[1].ExecutionTime = noon.Add(6*time.Second), noon.Add(24*time.Hour)
	if l := Lift(s, nil, nil); !l.Jobs[0].ExecutionTime.IsZero() || l.Jobs[1].ExecutionTime.IsZero() || s.Jobs[0].ExecutionTime.IsZero() {
		t.Error(l.Jobs[0].ExecutionTime, l.Jobs[1].ExecutionTime, s.Jobs[0].ExecutionTime)
	}
}
