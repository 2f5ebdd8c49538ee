package priority_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/compat"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// drawInput draws a small cluster under a random policy.
func drawInput(t *rapid.T) priority.Input {
	users := []string{"u0", "u1", "u2", "u3"}
	s := &model.Snapshot{Policy: drawPolicy(t)}
	s.Resources = []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: fmt.Sprint(rapid.IntRange(-1000, 1000).Draw(t, "slots"))}}
	for _, u := range users {
		s.Users = append(s.Users, model.User{Name: u, FunctionalShares: drawShares(t), OverrideTickets: drawShares(t),
			Usage: model.Usage{At: noon.Add(-time.Hour), Decayed: []model.Amount{{Name: "cpu", Value: rapid.Float64Range(0, 1e6).Draw(t, "cpu")}}}})
	}
	s.Usersets = []model.Userset{{Name: "d0", Department: true, FunctionalShares: drawShares(t)},
		{Name: "d1", Department: true, OverrideTickets: drawShares(t)}}
	if rapid.Bool().Draw(t, "tree") {
		s.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{
			{Name: "g", Shares: 10, Children: []*model.ShareNode{{Name: "u0", Shares: 5}, {Name: "u1", Shares: drawShares(t)},
				{Name: "default", Shares: 10}}},
			{Name: "u2", Shares: 10}}}
	}
	in := priority.Input{Snapshot: s, At: noon, FreeSlots: uint32(rapid.IntRange(0, 5).Draw(t, "free")),
		UsageBooked: rapid.Bool().Draw(t, "booked")}
	_, in.Quirks = compat.For(model.Release{Version: rapid.SampledFrom([]string{"8.1.9", "6.2u5"}).Draw(t, "release")})
	if rapid.Bool().Draw(t, "fixed") {
		in.Quirks = compat.Profiles["fixed"]
	}
	for n := range rapid.IntRange(1, 12).Draw(t, "jobs") {
		j := &model.Job{Number: uint32(10 * (n + 1)), Owner: rapid.SampledFrom(users).Draw(t, "owner"),
			Department:    rapid.SampledFrom([]string{"d0", "d1"}).Draw(t, "department"),
			Submitted:     noon.Add(-time.Duration(rapid.IntRange(0, 5000).Draw(t, "age")) * time.Second),
			PosixPriority: rapid.IntRange(-1023, 1024).Draw(t, "p"),
			JobShare:      drawShares(t), OverrideTickets: drawShares(t)}
		ran := split.Entry{Job: j, Tasks: []split.Task{{Number: 1,
			Usage: []model.Amount{{Name: "cpu", Value: rapid.Float64Range(0, 1e6).Draw(t, "used")}}}}}
		switch rapid.SampledFrom([]string{"running", "running", "pending", "pending", "finished"}).Draw(t, "list") {
		case "running":
			in.Lists.Running = append(in.Lists.Running, ran)
		case "finished":
			in.Lists.Finished = append(in.Lists.Finished, ran)
		default:
			in.Lists.Pending = append(in.Lists.Pending, split.Entry{Job: j,
				Waiting: []model.Range{{Min: 1, Max: uint32(rapid.IntRange(1, 4).Draw(t, "tasks")), Step: 1}}})
		}
	}
	return in
}

func drawShares(t *rapid.T) uint32 {
	return rapid.SampledFrom([]uint32{0, 0, 1, 10, 100, 1000}).Draw(t, "shares")
}

func drawPolicy(t *rapid.T) model.Policy {
	weight := rapid.SampledFrom([]float64{0, 0.01, 0.25, 0.5, 1})
	tickets := rapid.SampledFrom([]uint32{0, 1000, 1000000})
	return model.Policy{
		WeightTicket: weight.Draw(t, "wt"), WeightUrgency: weight.Draw(t, "wu"), WeightPriority: weight.Draw(t, "wp"),
		WeightUser: weight.Draw(t, "user"), WeightProject: weight.Draw(t, "project"), WeightDepartment: weight.Draw(t, "department"),
		WeightJob:         weight.Draw(t, "job"),
		WeightWaitingTime: weight.Draw(t, "waiting"), WeightDeadline: 3600000, FunctionalTickets: tickets.Draw(t, "functional"),
		ShareTreeTickets:     tickets.Draw(t, "share"),
		ShareOverrideTickets: rapid.Bool().Draw(t, "so"), ShareFunctionalShares: rapid.Bool().Draw(t, "sf"),
		MaxFunctionalJobs: uint32(rapid.IntRange(0, 20).Draw(t, "maxf")), MaxPendingTasks: uint32(rapid.IntRange(1, 4).Draw(t, "maxp")),
		Hierarchy: rapid.SampledFrom([]string{"", "O", "F", "S", "OF", "SOF", "OFS", "FSO"}).Draw(t, "hierarchy"), ReportPendingTickets: true,
		CompensationFactor: rapid.SampledFrom([]float64{0, 1.5, 5}).Draw(t, "cf"),
		HalfTime:           time.Duration(rapid.IntRange(0, 200).Draw(t, "half")) * time.Hour,
		UsageWeights:       []model.Amount{{Name: "cpu", Value: 1}},
	}
}

// each visits every task's numbers, in a fixed order.
func each(r *priority.Result, visit func(j *priority.Job, t priority.Task)) {
	for _, list := range [][]*priority.Job{r.Running, r.Pending} {
		for _, j := range list {
			for _, tasks := range [][]priority.Task{j.Running, j.Pending(), j.Waiting()} {
				for _, t := range tasks {
					visit(j, t)
				}
			}
		}
	}
}

func TestNormalizedValuesStayBetweenZeroAndOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		each(priority.Compute(drawInput(t)), func(j *priority.Job, task priority.Task) {
			for name, v := range map[string]float64{"nurg": j.Urgency.Norm, "npprior": j.NPPrior, "ntckts": task.NTckts, "share": task.Share} {
				if !(v >= 0 && v <= 1+1e-12) {
					t.Errorf("job %d: %s is %v", j.Job.Number, name, v)
				}
			}
			for name, v := range map[string]float64{"otckt": task.Override, "ftckt": task.Function, "stckt": task.ShareTree} {
				if !(v >= 0) || math.IsInf(v, 0) {
					t.Errorf("job %d: %s is %v", j.Job.Number, name, v)
				}
			}
		})
	})
}

func TestEqualInputGivesEqualOutput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		if a, b := numbers(priority.Compute(in)), numbers(priority.Compute(in)); !slices.Equal(a, b) {
			t.Errorf("first %v, then %v", a, b)
		}
	})
}

// TestUsageBookedByTheRunGivesTheSameNumbers: what the master shows after a run holds what the run booked.
func TestUsageBookedByTheRunGivesTheSameNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.UsageBooked = false
		r := priority.Compute(in)
		after := *in.Snapshot
		after.Users = nil
		for _, u := range r.Tickets.Users {
			after.Users = append(after.Users, model.User{Name: u.Name, FunctionalShares: u.FunctionalShares, OverrideTickets: u.OverrideTickets,
				Usage: u.Usage})
		}
		in.Snapshot, in.UsageBooked = &after, true
		if before, after := numbers(r), numbers(priority.Compute(in)); !slices.Equal(before, after) {
			t.Errorf("in the run %v, from the usage after it %v", before, after)
		}
	})
}

func TestRenamingUsersAndRenumberingJobsInOrderChangesOnlyNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		before := numbers(priority.Compute(in))
		rename(in.Snapshot, in.Lists)
		if after := numbers(priority.Compute(in)); !slices.Equal(before, after) {
			t.Errorf("before %v, after %v", before, after)
		}
	})
}

// rename gives all users other names, in another alphabetical order, and all jobs greater numbers.
func rename(s *model.Snapshot, lists split.Lists) {
	other := map[string]string{"u0": "zoe", "u1": "yan", "u2": "xia", "u3": "wim"}
	for i := range s.Users {
		s.Users[i].Name = other[s.Users[i].Name]
	}
	renameNodes(s.ShareTree, other)
	for _, list := range [][]split.Entry{lists.Running, lists.Finished, lists.Pending} {
		for _, e := range list {
			e.Job.Owner, e.Job.Number = other[e.Job.Owner], e.Job.Number*3+7
		}
	}
}

func renameNodes(n *model.ShareNode, other map[string]string) {
	if n == nil {
		return
	}
	if name, ok := other[n.Name]; ok {
		n.Name = name
	}
	for _, c := range n.Children {
		renameNodes(c, other)
	}
}

// numbers lists every computed number.
func numbers(r *priority.Result) []float64 {
	var list []float64
	each(r, func(j *priority.Job, t priority.Task) {
		list = append(list, j.Urgency.Total, j.Urgency.Norm, j.NPPrior, t.Total, t.Override, t.Function, t.ShareTree, t.Share, t.NTckts, t.Prio)
	})
	return list
}

func TestRunningFunctionalTicketsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		sum, shares := 0.0, false
		p := in.Snapshot.Policy
		for _, e := range in.Lists.Running {
			shares = shares || p.WeightJob > 0 && e.Job.JobShare > 0 || p.WeightUser > 0 &&
				in.Snapshot.Users[e.Job.Owner[1]-'0'].FunctionalShares > 0 ||
				p.WeightDepartment > 0 && e.Job.Department == "d0" && in.Snapshot.Usersets[0].FunctionalShares > 0
		}
		for _, j := range priority.Compute(in).Running {
			for _, task := range j.Running {
				sum += task.Function
			}
		}
		want := 0.0
		if shares {
			want = float64(p.FunctionalTickets)
		}
		if math.Abs(sum-want) > 1e-6*want {
			t.Errorf("running jobs have %v functional tickets, want %v", sum, want)
		}
	})
}
