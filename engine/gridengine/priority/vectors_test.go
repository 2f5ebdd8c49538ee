package priority_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
	"qprism/engine/model/quirk"
)

// TestVectorsAgreeBitForBit recomputes random scenarios whose doubles the functions of a real 8.1.9 left behind. The
// environment variable QPRISM_VECTORS names another file of that form.
func TestVectorsAgreeBitForBit(t *testing.T) {
	name := os.Getenv("QPRISM_VECTORS")
	if name == "" {
		name = "../../../fixtures/gridengine/8.1.9-vectors.jsonl.gz"
	}
	scenarios, values := 0, 0
	for v := range readVectors(t, name) {
		scenarios++
		values += checkVector(t, v)
	}
	if scenarios == 0 {
		t.Fatalf("%s holds no scenario", name)
	}
	t.Logf("%d scenarios, %d values compared", scenarios, values)
}

// provedElsewhere are quirks that no vector shows, and the test that does.
var provedElsewhere = map[string]string{
	"Q6":  "urgency.TestUrgencyOfASingleNegativeJobIsZero",
	"Q7":  "urgency.TestSubmissionInTheFutureWaitsForEver",
	"Q9":  "urgency.TestUrgency",
	"Q18": "audit.TestNewTasksOfARescheduledJobKeepAnOldPrio",
	"O10": "lastrun.TestNewerReleasesShowNPPriorBeforeTheFirstRun",
	"Q39": "split.TestMaxAjInstancesOfZeroLetsNoTaskStart",
	"Q40": "split.TestLists",
}

// TestEveryQuirkChangesAVector runs the vectors without one quirk after the other: each must be missed.
func TestEveryQuirkChangesAVector(t *testing.T) {
	name := "../../../fixtures/gridengine/8.1.9-vectors.jsonl.gz"
	for _, k := range quirk.Priority {
		if provedElsewhere[k.ID] != "" || !slices.Contains(compat.With(&k), "8.1.9") {
			continue
		}
		missed := false
		for v := range readVectors(t, name) {
			in := v.input()
			with := numbers(priority.Compute(in))
			in = v.input()
			in.Quirks = compat.Without("8.1.9", k.ID)
			if missed = !slices.Equal(with, numbers(priority.Compute(in))); missed {
				break
			}
		}
		if !missed {
			t.Errorf("without %s every vector comes out the same: %s", k.ID, k.What)
		}
	}
}

// A vector is one scenario and the values that the master's functions computed.
type vector struct {
	Seed     int
	Input    vectorInput
	Expected map[string]json.RawMessage
}

type vectorInput struct {
	Now         int64
	Conf        vectorConf
	QueueSlots  int `json:"queue_slots"`
	QueueUsed   int `json:"queue_used"`
	Departments []vectorAccount
	Projects    []vectorAccount
	Users       []vectorAccount
	ShareTree   *vectorNode `json:"share_tree"`
	Running     []vectorJob
	Finished    []vectorJob
	Pending     []vectorJob
}

type vectorConf struct {
	FunctionalTickets uint32  `json:"weight_tickets_functional"`
	ShareTickets      uint32  `json:"weight_tickets_share"`
	Hierarchy         string  `json:"policy_hierarchy"`
	ShareFunctional   int     `json:"share_functional_shares"`
	ShareOverride     int     `json:"share_override_tickets"`
	Compensation      float64 `json:"compensation_factor"`
	MaxFunctional     uint32  `json:"max_functional_jobs_to_schedule"`
	MaxPending        uint32  `json:"max_pending_tasks_per_job"`
	HalfTime          int     `json:"halftime"`
	User              float64 `json:"weight_user"`
	Department        float64 `json:"weight_department"`
	Project           float64 `json:"weight_project"`
	Job               float64 `json:"weight_job"`
	Ticket            float64 `json:"weight_ticket"`
	Urgency           float64 `json:"weight_urgency"`
	Priority          float64 `json:"weight_priority"`
	Waiting           float64 `json:"weight_waiting_time"`
	Deadline          float64 `json:"weight_deadline"`
	UsageWeights      []pair  `json:"usage_weight_list"`
	SlotsUrgency      float64 `json:"slots_urgency"`
}

type vectorAccount struct {
	Name    string
	Fshare  uint32
	Oticket uint32
	Stamp   int64 `json:"usage_time_stamp"`
	Usage   []pair
	Project []struct {
		Name  string
		Usage []pair
	}
}

type vectorNode struct {
	Name     string
	Shares   uint32
	Children []vectorNode
}

type vectorJob struct {
	ID         uint32
	User       string
	Project    string
	Department string
	Submitted  int64 `json:"submission_time"`
	Priority   int
	JobShare   uint32   `json:"jobshare"`
	Override   uint32   `json:"override_tickets"`
	Deadline   int64    `json:"deadline"`
	Slots      uint32   `json:"pe_slots"`
	Waiting    []uint32 `json:"unenrolled_task_ids"`
	Enrolled   []struct {
		ID    uint32
		Usage []pair
	} `json:"enrolled_tasks"`
}

// A pair is a name and a value in a list of two.
type pair struct {
	name  string
	value float64
}

func (p *pair) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.name, &p.value})
}

func readVectors(t *testing.T, name string) func(func(*vector) bool) {
	return func(yield func(*vector) bool) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(bufio.NewReader(z)); ; {
			var v vector
			if err := d.Decode(&v); err == io.EOF {
				return
			} else if err != nil {
				t.Fatal(err)
			}
			if !yield(&v) {
				return
			}
		}
	}
}

// checkVector recomputes one scenario and compares every value; it returns how many there were.
func checkVector(t *testing.T, v *vector) int {
	r := priority.Compute(v.input())
	c := &comparison{t: t, seed: v.Seed, jobs: map[uint32]*vectorJob{}}
	for i := range v.Input.Pending {
		c.jobs[v.Input.Pending[i].ID] = &v.Input.Pending[i]
	}
	for _, key := range slices.Sorted(keys(v.Expected)) {
		c.compare(r, key, v.Expected[key])
	}
	return c.values
}

func keys(m map[string]json.RawMessage) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

type comparison struct {
	t      *testing.T
	seed   int
	values int
	jobs   map[uint32]*vectorJob
}

func (c *comparison) compare(r *priority.Result, key string, data json.RawMessage) {
	kind, name, _ := strings.Cut(key, " ")
	var job, task uint32
	fmt.Sscanf(name, "%d.%d", &job, &task)
	switch kind {
	case "rtask":
		x := find(r.Job(job).Running, task)
		c.same(key, data, x.Total, x.Override, x.Function, x.ShareTree, x.Share, x.NTckts, x.Prio)
	case "ptask":
		x := find(r.Job(job).Pending(), task)
		c.same(key, data, x.Total, x.Override, x.Function, x.ShareTree, x.Share, x.NTckts, x.Prio)
	case "tref":
		x := find(r.Job(job).Waiting(), task)
		c.same(key, data, x.Total, x.Override, x.Function, x.ShareTree, x.Share)
	case "tmpl":
		j := r.Job(job)
		if in := c.jobs[job]; len(in.Waiting) == 0 || len(in.Enrolled) > 0 {
			c.same(key, data[:], j.Template().Total)
		} else {
			c.same(key, data, j.Template().Total, j.Template().Prio, j.Template().NTckts)
		}
	case "jobv":
		var list []struct {
			ID               uint32 `json:",string"`
			Urg, Nurg, Nppri float64
		}
		c.decode(key, data, &list)
		for _, want := range list {
			j := r.Job(want.ID)
			c.equal(fmt.Sprint(key, " ", want.ID), []float64{want.Urg, want.Nurg, want.Nppri}, []float64{j.Urgency.Total, j.Urgency.Norm, j.NPPrior})
		}
	case "max":
		c.same(key, data, r.Tickets.Maximum)
	case "order":
		var order []float64
		for _, j := range r.Pending {
			order = append(order, float64(j.Job.Number))
		}
		c.same(key, data, order...)
	case "user":
		c.account(key, data, r.Tickets.Users, name)
	case "prj":
		c.account(key, data, r.Tickets.Projects, name)
	case "node":
		c.node(key, data, r.Tickets.Tree, strings.Split(strings.Trim(name, "/"), "/"))
	case "stsent":
		sent := 0.0
		if r.Tickets.SendTree {
			sent = 1
		}
		c.same(key, data, sent)
	default:
		c.t.Errorf("seed %d: unknown expectation %q", c.seed, key)
	}
}

func find(tasks []priority.Task, number uint32) priority.Task {
	for _, t := range tasks {
		if t.Number == number {
			return t
		}
	}
	return priority.Task{}
}

func (c *comparison) decode(key string, data json.RawMessage, to any) {
	if err := json.Unmarshal(data, to); err != nil {
		c.t.Fatalf("seed %d: %s: %v", c.seed, key, err)
	}
}

// same compares a list of numbers with the first ones of what is expected.
func (c *comparison) same(key string, data json.RawMessage, got ...float64) {
	var want []float64
	c.decode(key, data, &want)
	if len(want) > len(got) && strings.HasPrefix(key, "tmpl") {
		want = want[:len(got)]
	}
	c.equal(key, want, got)
}

func (c *comparison) equal(key string, want, got []float64) {
	c.values += len(want)
	if !slices.Equal(want, got) {
		c.t.Errorf("seed %d: %s: got %v, want %v", c.seed, key, got, want)
	}
}

// account compares the usage of a user or project after the run.
func (c *comparison) account(key string, data json.RawMessage, accounts []ticket.Account, name string) {
	var want map[string]float64
	c.decode(key, data, &want)
	i := slices.IndexFunc(accounts, func(a ticket.Account) bool { return a.Name == name })
	a := accounts[i]
	got := map[string]float64{"ts": 0}
	if !a.Usage.At.IsZero() {
		got["ts"] = float64(a.Usage.At.Unix())
	}
	put := func(prefix string, list []model.Amount) {
		for _, u := range list {
			got[prefix+u.Name] = u.Value
		}
	}
	put("u:", a.Usage.Decayed)
	put("l:", a.Usage.LongTerm)
	for _, p := range a.Projects {
		put("p:"+p.Project+":", p.Decayed)
	}
	for _, b := range a.Booked {
		put(fmt.Sprintf("d:%d:", b.Job), b.Usage)
	}
	for k, v := range want {
		c.values++
		if got[k] != v {
			c.t.Errorf("seed %d: %s: %s: got %v, want %v", c.seed, key, k, got[k], v)
		}
	}
}

// node compares a node of the share tree after the second pass.
func (c *comparison) node(key string, data json.RawMessage, n *ticket.Node, path []string) {
	for _, name := range path[1:] {
		i := slices.IndexFunc(n.Children, func(c *ticket.Node) bool { return c.Name == name })
		if i < 0 {
			c.t.Errorf("seed %d: %s: no such node", c.seed, key)
			return
		}
		n = n.Children[i]
	}
	temporary := 0.0
	if n.Temporary {
		temporary = 1
	}
	c.same(key, data, float64(n.Jobs), n.LevelShare, n.Proportion, n.ShortTerm, n.Usage, temporary)
}

// input makes the program's own input of a scenario.
func (v *vector) input() priority.Input {
	in := &v.Input
	s := &model.Snapshot{Policy: in.Conf.policy(), ShareTree: in.ShareTree.tree()}
	s.Resources = []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: fmt.Sprint(in.Conf.SlotsUrgency)}}
	for _, d := range in.Departments {
		s.Usersets = append(s.Usersets, model.Userset{Name: d.Name, Department: true, FunctionalShares: d.Fshare, OverrideTickets: d.Oticket})
	}
	for _, p := range in.Projects {
		s.Projects = append(s.Projects, model.Project{Name: p.Name, FunctionalShares: p.Fshare, OverrideTickets: p.Oticket, Usage: p.usage()})
	}
	for _, u := range in.Users {
		user := model.User{Name: u.Name, FunctionalShares: u.Fshare, OverrideTickets: u.Oticket, Usage: u.usage()}
		for _, p := range u.Project {
			user.Projects = append(user.Projects, model.ProjectUsage{Project: p.Name, Decayed: amounts(p.Usage)})
		}
		s.Users = append(s.Users, user)
	}
	jobs := map[uint32]*model.Job{}
	lists := split.Lists{Running: entries(in.Running, jobs), Finished: entries(in.Finished, jobs), Pending: entries(in.Pending, jobs)}
	_, quirks := compat.For(model.Release{Product: "SGE", Version: "8.1.9"})
	return priority.Input{Snapshot: s, Lists: lists, At: time.Unix(in.Now, 0), FreeSlots: uint32(max(0, in.QueueSlots-in.QueueUsed)),
		Quirks: quirks, HalfTimeKept: true}
}

func (c vectorConf) policy() model.Policy {
	return model.Policy{
		FunctionalTickets: c.FunctionalTickets, ShareTreeTickets: c.ShareTickets, Hierarchy: strings.ReplaceAll(c.Hierarchy, "NONE", ""),
		ShareFunctionalShares: c.ShareFunctional != 0, ShareOverrideTickets: c.ShareOverride != 0,
		CompensationFactor: c.Compensation, MaxFunctionalJobs: c.MaxFunctional, MaxPendingTasks: c.MaxPending,
		HalfTime:   time.Duration(c.HalfTime) * time.Hour,
		WeightUser: c.User, WeightDepartment: c.Department, WeightProject: c.Project, WeightJob: c.Job,
		WeightTicket: c.Ticket, WeightUrgency: c.Urgency, WeightPriority: c.Priority,
		WeightWaitingTime: c.Waiting, WeightDeadline: c.Deadline, UsageWeights: amounts(c.UsageWeights),
		ReportPendingTickets: true,
	}
}

func (n *vectorNode) tree() *model.ShareNode {
	if n == nil {
		return nil
	}
	t := &model.ShareNode{Name: n.Name, Shares: n.Shares}
	for i := range n.Children {
		t.Children = append(t.Children, n.Children[i].tree())
	}
	return t
}

func (a vectorAccount) usage() model.Usage {
	u := model.Usage{Decayed: amounts(a.Usage)}
	if a.Stamp != 0 {
		u.At = time.Unix(a.Stamp, 0)
	}
	return u
}

func amounts(pairs []pair) []model.Amount {
	var list []model.Amount
	for _, p := range pairs {
		list = append(list, model.Amount{Name: p.name, Value: p.value})
	}
	return list
}

// entries makes a list of a run; a job that is in two lists is one job.
func entries(list []vectorJob, jobs map[uint32]*model.Job) []split.Entry {
	var out []split.Entry
	for _, v := range list {
		j := jobs[v.ID]
		if j == nil {
			j = &model.Job{Number: v.ID, Owner: v.User, Project: v.Project, Department: v.Department,
				Submitted: time.Unix(v.Submitted, 0), PosixPriority: v.Priority, JobShare: v.JobShare, OverrideTickets: v.Override}
			if v.Deadline != 0 {
				j.Deadline = time.Unix(v.Deadline, 0)
			}
			if v.Slots > 0 {
				j.PE, j.PERange = "pe", []model.Range{{Min: v.Slots, Max: v.Slots, Step: 1}}
			}
			jobs[v.ID] = j
		}
		e := split.Entry{Job: j}
		for _, t := range v.Enrolled {
			e.Tasks = append(e.Tasks, split.Task{Number: t.ID, Usage: amounts(t.Usage)})
		}
		for _, id := range v.Waiting {
			e.Waiting = append(e.Waiting, model.Range{Min: id, Max: id, Step: 1})
		}
		out = append(out, e)
	}
	return out
}
