package priority_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A cluster is a small example, built step by step.
type cluster struct {
	model.Snapshot
	lists split.Lists
	jobs  int
}

var noon = time.Unix(2_000_000, 0)

// newCluster has the installer's weights and the users A, B and C.
func newCluster() *cluster {
	c := &cluster{}
	c.Policy = model.Policy{WeightTicket: 0.01, WeightUrgency: 0.1, WeightPriority: 1, WeightUser: 0.25, WeightProject: 0.25,
		WeightDepartment: 0.25, WeightJob: 0.25, ShareOverrideTickets: true, ShareFunctionalShares: true, MaxFunctionalJobs: 200,
		MaxPendingTasks: 50, ReportPendingTickets: true, Hierarchy: "OFS", CompensationFactor: 5,
		UsageWeights: []model.Amount{{Name: "cpu", Value: 1}}}
	return c
}

func (c *cluster) user(name string, shares uint32, cpu float64) {
	c.Users = append(c.Users, model.User{Name: name, FunctionalShares: shares,
		Usage: model.Usage{Decayed: []model.Amount{{Name: "cpu", Value: cpu}}}})
}

// job adds a job; its submission time follows its number.
func (c *cluster) job(owner string, change ...func(*model.Job)) *model.Job {
	c.jobs++
	j := &model.Job{Number: uint32(c.jobs), Owner: owner, Submitted: noon.Add(time.Duration(c.jobs-1000) * time.Second)}
	for _, f := range change {
		f(j)
	}
	return j
}

func (c *cluster) runs(owner string, change ...func(*model.Job)) {
	c.lists.Running = append(c.lists.Running, split.Entry{Job: c.job(owner, change...), Tasks: []split.Task{{Number: 1}}})
}

func (c *cluster) waits(owner string, change ...func(*model.Job)) { c.array(owner, 1, change...) }

func (c *cluster) array(owner string, tasks uint32, change ...func(*model.Job)) {
	c.lists.Pending = append(c.lists.Pending, split.Entry{Job: c.job(owner, change...), Waiting: []model.Range{{Min: 1, Max: tasks, Step: 1}}})
}

func (c *cluster) compute(quirks string) *priority.Result {
	return priority.Compute(priority.Input{Snapshot: &c.Snapshot, Lists: c.lists, At: noon, FreeSlots: 100, Quirks: compat.Profiles[quirks],
		UsageBooked: true})
}

// tickets prints what each job has of one kind of tickets, cut to integers as qstat does, by job number.
func (c *cluster) tickets(r *priority.Result, kind func(priority.Task) float64) string {
	var list []string
	for n := 1; n <= c.jobs; n++ {
		j := r.Job(uint32(n))
		t := j.Template()
		if len(j.Running) > 0 {
			t = j.Running[0]
		}
		list = append(list, fmt.Sprint(int(kind(t))))
	}
	return strings.Join(list, " ")
}

func functional(t priority.Task) float64 { return t.Function }
func shareTree(t priority.Task) float64  { return t.ShareTree }
func override(t priority.Task) float64   { return t.Override }

// blog is the cluster of the documents: three users of 100 functional shares, two, one and no running jobs.
func blog() *cluster {
	c := newCluster()
	c.Policy.FunctionalTickets = 1_000_000
	for _, u := range []string{"A", "B", "C"} {
		c.user(u, 100, 0)
	}
	c.runs("A")
	c.runs("A")
	c.runs("B")
	c.waits("B")
	c.waits("B")
	c.waits("B")
	c.waits("C")
	c.waits("C")
	return c
}

func TestFunctionalTicketsOfThreeUsers(t *testing.T) {
	c := blog()
	if got, want := c.tickets(c.compute("8.1.9"), functional), "250000 250000 500000 41666 27777 20833 83333 41666"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnusedCategoriesTakeNoWeightInTheFixedProfile(t *testing.T) {
	c := blog()
	if got, want := c.tickets(c.compute("fixed"), functional), "250000 250000 500000 166666 111111 83333 333333 166666"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFunctionalSharesThatAreNotShared(t *testing.T) {
	c := blog()
	c.Policy.ShareFunctionalShares = false
	if got, want := c.tickets(c.compute("8.1.9"), functional), "333333 333333 333333 62500 50000 41666 35714 31250"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTasksBeyondTheFunctionalLimitShareATrial(t *testing.T) {
	c := newCluster()
	c.Policy.FunctionalTickets, c.Policy.MaxFunctionalJobs = 1000, 2
	c.user("A", 100, 0)
	c.user("B", 50, 0)
	for range 3 {
		c.waits("A")
	}
	for range 3 {
		c.waits("B")
	}
	r := c.compute("8.1.9")
	want := []float64{250, 125, 124.9987500125, 124.9987500125, 124.9987500125, 124.9987500125}
	for i, w := range want {
		if got := r.Job(uint32(i + 1)).Template().Function; math.Abs(got-w) > 1e-9 {
			t.Errorf("job %d: got %v, want %v", i+1, got, w)
		}
	}
}

// sharing is a share tree of A and B with these shares and cpu; a job of A runs, and one of each waits.
func sharing(sharesOfA, sharesOfB uint32, cpuOfA, cpuOfB float64) *cluster {
	c := newCluster()
	c.Policy.ShareTreeTickets = 10000
	c.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{
		{Name: "A", Shares: sharesOfA}, {Name: "B", Shares: sharesOfB}}}
	c.user("A", 0, cpuOfA)
	c.user("B", 0, cpuOfB)
	c.runs("A")
	c.waits("A")
	c.waits("B")
	return c
}

func TestShareTreeCompensatesOnce(t *testing.T) {
	c := sharing(10, 90, 100, 100000)
	c.waits("B")
	if got, want := c.tickets(c.compute("8.1.9"), shareTree), "10000 4348 1303 651"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestALaterRunChargesNothingTwice: a bundle shows what a task used, and its user's usage has it already (R33).
func TestALaterRunChargesNothingTwice(t *testing.T) {
	c := sharing(1, 1, 100, 100)
	before := c.tickets(priority.Rank(&c.Snapshot, c.lists, noon, compat.Profiles["8.1.9"]), shareTree)
	c.lists.Running[0].Tasks[0].Usage = []model.Amount{{Name: "cpu", Value: 90}}
	after := c.tickets(priority.Rank(&c.Snapshot, c.lists, noon, compat.Profiles["8.1.9"]), shareTree)
	if before != after {
		t.Errorf("without usage %s, with usage %s", before, after)
	}
}

// deep is a tree of two levels with a parallel job that asks for 4 to 8 slots.
func deep() *cluster {
	c := newCluster()
	c.Policy.ShareTreeTickets, c.Policy.CompensationFactor = 10000, 0
	c.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{
		{Name: "g", Shares: 60, Children: []*model.ShareNode{{Name: "A", Shares: 10}, {Name: "B", Shares: 30}}},
		{Name: "h", Shares: 40, Children: []*model.ShareNode{{Name: "C", Shares: 1}}}}}
	for _, u := range []string{"A", "B", "C"} {
		c.user(u, 0, 0)
	}
	c.waits("A", func(j *model.Job) { j.PE, j.PERange = "x", []model.Range{{Min: 4, Max: 8, Step: 1}} })
	c.waits("A")
	c.waits("B")
	c.waits("C")
	c.runs("B")
	return c
}

// The first job's 0.6/3 of 10000 tickets is a hair below 2000, and qstat cuts it.
func TestParallelJobsDiluteTheirNodeByTheirLeastSlots(t *testing.T) {
	c := deep()
	if got, want := c.tickets(c.compute("8.1.9"), shareTree), "1999 857 3000 4000 10000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOlderReleasesDiluteByTasks is Q52: the waiting jobs of g come behind one running job, and each counts one.
func TestOlderReleasesDiluteByTasks(t *testing.T) {
	c := deep()
	if got, want := c.tickets(c.compute("6.2u5"), shareTree), "1999 1500 3000 4000 10000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTheOldestReleasesDecayUsageForEachWaitingTask is Q53: of a user outside of the tree, a halftime ago.
func TestTheOldestReleasesDecayUsageForEachWaitingTask(t *testing.T) {
	for release, want := range map[string]string{"8.1.9": "100", "6.2u5": "50", "6.1": "50", "9.1": "100"} {
		c := newCluster()
		c.Policy.HalfTime = 168 * time.Hour
		c.user("A", 0, 100)
		c.Users[0].Usage.At = noon.Add(-c.Policy.HalfTime)
		c.array("A", 2)
		r := priority.Compute(priority.Input{Snapshot: &c.Snapshot, Lists: c.lists, At: noon, FreeSlots: 100, Quirks: compat.Profiles[release],
			HalfTimeKept: true})
		if got := fmt.Sprintf("%.0f", r.Tickets.Users[0].Usage.Decayed[0].Value); got != want {
			t.Errorf("%s: got %s, want %s", release, got, want)
		}
	}
}

// TestAChangedHalftimeDecaysEverybodyOnce is Q25: a user without jobs is not touched else.
func TestAChangedHalftimeDecaysEverybodyOnce(t *testing.T) {
	for kept, want := range map[bool]string{true: "100", false: "50"} {
		c := newCluster()
		c.Policy.HalfTime = 168 * time.Hour
		c.user("A", 0, 100)
		c.Users[0].Usage.At = noon.Add(-c.Policy.HalfTime)
		r := priority.Compute(priority.Input{Snapshot: &c.Snapshot, Lists: c.lists, At: noon, Quirks: compat.Profiles["8.1.9"],
			HalfTimeKept: kept})
		if got := fmt.Sprintf("%.0f", r.Tickets.Users[0].Usage.Decayed[0].Value); got != want {
			t.Errorf("halftime as before, %v: got %s, want %s", kept, got, want)
		}
	}
}

// TestTheUsageOfAUserWhoMapsToDefaultCountsFromHisFinishedJob: B has no other job, and without a node of his own his usage
// of 60 is not g's. With it g has 80 against h's 40, so that 50 of 50 shares each weigh 2500/80 and 2500/40.
func TestTheUsageOfAUserWhoMapsToDefaultCountsFromHisFinishedJob(t *testing.T) {
	c := newCluster()
	c.Policy.ShareTreeTickets, c.Policy.CompensationFactor = 12000, 0
	c.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{
		{Name: "g", Shares: 50, Children: []*model.ShareNode{{Name: "A", Shares: 10}, {Name: "default", Shares: 10}}}, {Name: "C", Shares: 50}}}
	c.user("A", 0, 20)
	c.user("B", 0, 60)
	c.user("C", 0, 40)
	c.waits("A")
	c.waits("C")
	if got, want := c.tickets(c.compute("8.1.9"), shareTree), "8000 4000"; got != want {
		t.Errorf("without the finished job: got %s, want %s", got, want)
	}
	c.lists.Finished = []split.Entry{{Job: &model.Job{Number: 9, Owner: "B"}, Tasks: []split.Task{{Number: 1}}}}
	if got, want := c.tickets(c.compute("8.1.9"), shareTree), "4000 8000"; got != want {
		t.Errorf("with it: got %s, want %s", got, want)
	}
}

func TestAnArrayTakesPartWithAsManyTasksAsThereAreFreeSlots(t *testing.T) {
	c := newCluster()
	c.Policy.ShareTreeTickets = 10000
	c.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{{Name: "A", Shares: 10}}}
	c.user("A", 0, 0)
	c.array("A", 4)
	r := priority.Compute(priority.Input{Snapshot: &c.Snapshot, Lists: c.lists, At: noon, FreeSlots: 2, Quirks: compat.Profiles["8.1.9"]})
	var got []string
	for _, task := range r.Job(1).Waiting() {
		got = append(got, fmt.Sprintf("%.2f", task.ShareTree))
	}
	if got, want := strings.Join(got, " "), "10000.00 5000.00 3333.33"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOverrideTicketsAreSharedByJobs(t *testing.T) {
	c := newCluster()
	c.Users = []model.User{{Name: "A", OverrideTickets: 120}}
	c.runs("A")
	c.waits("A")
	c.waits("A")
	c.waits("A", func(j *model.Job) { j.OverrideTickets = 7 })
	if got, want := c.tickets(c.compute("8.1.9"), override), "120 40 30 67"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnOverrideTicketSurvivesZeroShares(t *testing.T) {
	c := newCluster()
	c.waits("nobody", func(j *model.Job) { j.OverrideTickets = 250 })
	if got, want := c.tickets(c.compute("8.1.9"), override), "250"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAllPoliciesOffIs0555(t *testing.T) {
	c := newCluster()
	c.waits("A")
	c.waits("B")
	for _, j := range c.compute("8.1.9").Pending {
		if got, want := fmt.Sprintf("%.5f", j.Prio), "0.55500"; got != want {
			t.Errorf("job %d: got %s, want %s", j.Job.Number, got, want)
		}
	}
}

func TestPosixPriorityIsALadder(t *testing.T) {
	for p, want := 1024, 1.0; p >= -960; p, want = p-64, want-0.03125 {
		if got := priority.Posix(p); got != want {
			t.Errorf("-p %d: got %v, want %v", p, got, want)
		}
	}
	if got := fmt.Sprintf("%.5f", priority.Posix(-1023)); got != "0.00049" {
		t.Errorf("-p -1023: got %s, want 0.00049", got)
	}
}

// TestPoliciesOfNoWeightAreHalfWherePendingJobsAreNotReported: the master does not compute them.
func TestPoliciesOfNoWeightAreHalfWherePendingJobsAreNotReported(t *testing.T) {
	for _, reported := range []bool{true, false} {
		c := newCluster()
		c.user("A", 0, 0)
		c.waits("A", func(j *model.Job) { j.PosixPriority = 512 })
		c.waits("A")
		c.Resources = []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: "1000"}}
		c.Policy.ReportPendingTickets, c.Policy.WeightUrgency, c.Policy.WeightPriority = reported, 0, 0
		j := priority.Rank(&c.Snapshot, c.lists, noon, compat.Profiles["8.1.9"]).Pending[0]
		if want := map[bool]float64{true: 0.75, false: 0.5}[reported]; j.NPPrior != want || j.Urgency.Norm != 0.5 ||
			(j.Urgency.Total == 0) == reported {
			t.Errorf("reported %v: npprior %v, nurg %v", reported, j.NPPrior, j.Urgency.Norm)
		}
	}
}
