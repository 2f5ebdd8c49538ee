package priority_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// queueOf has so many waiting jobs of 40 users, 8 projects and 16 sorts of request, and a twentieth as many that run, under all three
// ticket policies and urgency.
func queueOf(pending int) *model.Snapshot {
	s := &model.Snapshot{TakenAt: noon, Policy: model.Policy{WeightPriority: 1, WeightUrgency: 0.1, WeightTicket: 0.5,
		WeightWaitingTime: 0.278, WeightDeadline: 3600000, WeightUser: 0.25, WeightProject: 0.25, WeightDepartment: 0.25, WeightJob: 0.25,
		FunctionalTickets: 1000000, ShareTreeTickets: 1000000, ShareFunctionalShares: true, ReportPendingTickets: true,
		MaxFunctionalJobs: 200, MaxPendingTasks: 50, HalfTime: 168 * time.Hour, CompensationFactor: 5, Hierarchy: "OFS",
		UsageWeights: []model.Amount{{Name: "cpu", Value: 1}}},
		Resources: []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: "1000"}, {Name: "gpu", Type: model.TypeInt, Urgency: "250"},
			{Name: "mem", Type: model.TypeMemory, Urgency: "0"}},
		Usersets:  []model.Userset{{Name: "defaultdepartment", Department: true, FunctionalShares: 10}},
		ShareTree: &model.ShareNode{Name: "Root", Shares: 1}}
	for i := range 40 {
		s.Users = append(s.Users, model.User{Name: fmt.Sprintf("user%02d", i), FunctionalShares: uint32(10 + i)})
	}
	for i := range 8 {
		name := fmt.Sprintf("project%d", i)
		s.Projects = append(s.Projects, model.Project{Name: name, FunctionalShares: uint32(100 * (i + 1))})
		s.ShareTree.Children = append(s.ShareTree.Children, &model.ShareNode{Name: name, Shares: uint32(10 + i),
			Children: []*model.ShareNode{{Name: "default", Shares: 10}}})
	}
	s.Jobs = make([]model.Job, 0, pending+pending/20)
	for i := range pending + pending/20 {
		t := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}
		if i < pending/20 {
			t.State, t.Enrolled, t.Started = "r", true, noon.Add(-time.Hour)
		}
		s.Jobs = append(s.Jobs, model.Job{Number: uint32(i + 1), Owner: s.Users[i%40].Name, Project: s.Projects[i/3%8].Name,
			Department: "defaultdepartment", Submitted: noon.Add(time.Duration(i-2*pending) * time.Second), PosixPriority: -(i % 5 * 100),
			Hard:  []model.Request{{Resource: "mem", Value: "1G", Amount: 1 << 30}, {Resource: "gpu", Value: "1", Amount: float64(i % 16)}},
			Tasks: []model.Task{t}})
	}
	return s
}

// processor is the time that the process took of processors.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRank is what the master calls its job-order calculation, from the lists of jobs to their order.
func BenchmarkRank(b *testing.B) {
	for _, n := range []int{10_000, 50_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, q := queueOf(n), compat.Profiles["8.1.9"]
			b.ReportAllocs()
			before := processor(b)
			for b.Loop() {
				priority.Rank(s, split.Jobs(s, noon, q, split.Assumed{Coming: true}), noon, q)
			}
			b.ReportMetric((processor(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}
