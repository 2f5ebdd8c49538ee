package gridengine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/compat"
	"qprism/engine/formula"
	"qprism/engine/migrate"
	"qprism/engine/migrate/gridengine"
	"qprism/engine/model"
	recorded "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

var at = time.Unix(1_800_000_000, 0).UTC()

// cluster is a PBS cluster with a formula and these jobs.
func cluster(text string, jobs ...model.Job) *model.Snapshot {
	s := &model.Snapshot{System: model.PBSSystem, TakenAt: at, PBS: &model.PBS{Formula: text, Schedulers: []model.PBSScheduler{{Name: "default", Scheduling: true}}}}
	s.PBS.Server.Scheduling, s.PBS.Server.EligibleTimeEnable = true, true
	s.PBS.Fairshare.Policy = model.DefaultFairsharePolicy()
	s.PBS.SchedConfig = model.SchedConfig{Present: true, PrimetimePrefix: "p_", NonprimetimePrefix: "np_", DedicatedPrefix: "ded"}
	for _, name := range formula.StandardNames().Numeric {
		s.Resources = append(s.Resources, model.Resource{Name: name, Type: model.TypePBSLong, Flags: "hnq", BuiltIn: true})
	}
	for _, name := range []string{"host", "vnode"} {
		s.Resources = append(s.Resources, model.Resource{Name: name, Type: model.TypePBSString, Flags: "h", BuiltIn: true})
	}
	s.Resources = append(s.Resources, model.Resource{Name: "tok", Type: model.TypePBSLong, Flags: "q"})
	s.Queues = []model.Queue{{Name: "workq", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true}},
		{Name: "fast", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true, Priority: 50}}}
	s.Hosts = []model.Host{{Name: "n1", Capacity: []model.Setting{{Name: "ncpus", Value: "64"}, {Name: "host", Value: "n1"}, {Name: "vnode", Value: "n1"}},
		PBS: &model.PBSHost{State: []string{"free"}, Sharing: "default_shared"}}}
	s.Jobs = jobs
	return s
}

// job waits in workq since a number of seconds.
func job(number uint32, owner string, priority int, waits time.Duration, requests ...model.Request) model.Job {
	return model.Job{Number: number, Owner: owner, Group: "users", PosixPriority: priority, Submitted: at.Add(-waits), Hard: requests,
		PBS: &model.PBSJob{ID: fmt.Sprintf("%d.s", number), State: "Q", Queue: "workq", Server: "s", SchedSelect: "1:ncpus=1", Place: "free", Queued: at.Add(-waits), QueueRank: at.Add(-waits).UnixMicro() + int64(number), AccrueType: 2, EligibleTime: waits}}
}

func request(name string, amount float64) model.Request {
	return model.Request{Resource: name, Value: fmt.Sprint(amount), Amount: amount}
}

// TestTermsBecomeWeights says what becomes of formulas, and which part of others is refused.
func TestTermsBecomeWeights(t *testing.T) {
	for text, want := range map[string]string{
		"job_priority":                  "priority 2048 urgency 0 ticket 0 waiting 0",
		"job_priority/4096":             "priority 5 urgency 0 ticket 0 waiting 0", // any number would do: alone, it is scaled to show
		"ncpus":                         "priority 0 urgency 1 ticket 0 waiting 0 slots=1",
		"100*ncpus + 0.5*eligible_time": "priority 0 urgency 1 ticket 0 waiting 5 slots=1000",
		"10*(tok - walltime/100)":       "priority 0 urgency 1 ticket 0 waiting 0 tok=100 h_rt=-1",
		"1024*mem":                      "priority 0 urgency 1 ticket 0 waiting 0 mem_free=1",
		"2*queue_priority":              "priority 0 urgency 1 ticket 0 waiting 0 queue_fast=100",
		"3*fairshare_factor":            "priority 0 urgency 0 ticket 3 waiting 0",
		"-fairshare_tree_usage":         "priority 0 urgency 0 ticket 1 waiting 0",
		"job_priority + 100*ncpus":      "priority 2048 urgency 300 ticket 0 waiting 0 slots=100", // 1 to 4 processors
		"job_priority*0 + ncpus":        "priority 0 urgency 1 ticket 0 waiting 0 slots=1",
		"":                              "priority 0 urgency 0 ticket 0 waiting 0",
		"ncpus*walltime":                `"ncpus * walltime" at column`,
		"job_priority + max(0, eligible_time - 60)": `"max(0, eligible_time - 60)" at column`,
		"1000 if ncpus > 1 else job_priority":       `is a choice`,
		"-job_priority":                             "weight_priority counts for them",
		"-eligible_time":                            "weight_waiting_time puts them ahead",
		"1e300*job_priority + 1e-300*ncpus":         "is taken more often",
		"accrue_type":                               "says what kind of time",
		"nodect":                                    "only PBS has",
		"-fairshare_factor":                         "a share tree puts them behind",
		"fairshare_factor + fairshare_perc":         "a second term of shares",
		"ncpus +":                                   "cannot be read",
		"sqrt(ncpus)":                               "calls a function",
		"ncpus / job_priority":                      "divides by a variable",
	} {
		s := cluster(text, job(1, "a", 0, time.Hour, request("ncpus", 1)), job(2, "b", 5, time.Minute, request("ncpus", 4)))
		tr, err := gridengine.Translate([]*model.Snapshot{s})
		var refused *gridengine.Refusal
		if errors.As(err, &refused) {
			if !strings.Contains(err.Error(), want) || strings.HasPrefix(want, "priority") {
				t.Errorf("%s: refused: %v; want %q", text, err, want)
			}
			continue
		}
		if got := weights(tr); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func weights(tr *gridengine.Translation) string {
	p := &tr.To.Policy
	text := fmt.Sprintf("priority %.6g urgency %.6g ticket %.6g waiting %.6g", p.WeightPriority, p.WeightUrgency, p.WeightTicket, p.WeightWaitingTime)
	for _, r := range tr.To.Resources {
		text += fmt.Sprintf(" %s=%s", r.Name, r.Urgency)
	}
	return text
}

// TestAFormulaOfOnePolicyKeepsItsOrder is exact, whatever the jobs: normalizing one number changes no order.
func TestAFormulaOfOnePolicyKeepsItsOrder(t *testing.T) {
	_, quirks := compat.For(model.Release{Product: "SGE", Version: "8.1.9"})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"job_priority", "job_priority*3 - 7", "100*ncpus", "0.004*eligible_time + 10*ncpus", "7*tok + ncpus/2", "eligible_time - 2*tok",
			"queue_priority + tok", "-ncpus"}).Draw(t, "formula")
		var jobs []model.Job
		for i := range rapid.IntRange(2, 12).Draw(t, "jobs") {
			// apart enough that rounding of six decimals cannot matter
			j := job(uint32(i+1), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "owner"), rapid.IntRange(-1023, 1023).Draw(t, "p"), time.Duration(rapid.IntRange(0, 5000).Draw(t, "waits")*10)*time.Second,
				request("ncpus", float64(rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "ncpus"))), request("tok", float64(rapid.IntRange(0, 20).Draw(t, "tok"))))
			j.PBS.Queue = rapid.SampledFrom([]string{"workq", "fast"}).Draw(t, "queue")
			jobs = append(jobs, j)
		}
		s := cluster(text, jobs...)
		tr, err := gridengine.Translate([]*model.Snapshot{s})
		if err != nil {
			t.Fatal(err)
		}
		a := tr.Prove("x", s, quirks)
		if a.Jobs != len(jobs) {
			t.Fatalf("%d of %d jobs compared", a.Jobs, len(jobs))
		}
		for _, v := range a.Worst {
			if v.Prio[0] != v.Prio[1] { // ties go by arrival in PBS, by submission in Grid Engine
				t.Fatalf("%s: %+v", text, v)
			}
		}
	})
}

// TestEveryRecordingIsTranslatedOrRefused goes over all recordings of PBS: each line of sched_config and resource_group, and each
// attribute, is in the ledger, and no rule is missing.
func TestEveryRecordingIsTranslatedOrRefused(t *testing.T) {
	_, quirks := compat.For(model.Release{Product: "SGE", Version: "8.1.9"})
	translated, refused := 0, 0
	for name, bundle := range recorded.Bundles() {
		s, err := pbs.Read(bundle, pbs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := gridengine.Translate([]*model.Snapshot{s})
		if err != nil {
			refused++
			continue
		}
		translated++
		checkLedger(t, name, tr)
		if a := tr.Prove(name, s, quirks); a.TauB < -1 || a.TauB > 1 || a.Jobs > len(s.Jobs) {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if translated < 100 {
		t.Errorf("%d translated, %d refused", translated, refused)
	}
}

func checkLedger(t *testing.T, name string, tr *gridengine.Translation) {
	t.Helper()
	lines := map[string]int{}
	for _, e := range tr.Ledger {
		lines[e.File]++
		switch {
		case e.Verdict == migrate.NoRule && e.Concept != "lines that no rule handles":
			t.Errorf("%s: no rule for %s", name, e.Text)
		case e.Verdict == migrate.Lost && e.Note == "", e.Verdict == migrate.Approximate && e.Note == "":
			t.Errorf("%s: %s is %s, and nothing says how", name, e.Text, e.Verdict)
		}
	}
	if lines["sched_config"] != len(tr.From.PBS.SchedConfig.Lines) || lines["resource_group"] != len(tr.From.PBS.Fairshare.Groups) {
		t.Errorf("%s: %v, of %d lines of sched_config and %d of resource_group", name, lines, len(tr.From.PBS.SchedConfig.Lines), len(tr.From.PBS.Fairshare.Groups))
	}
}

// TestAPlantedAttributeIsLoud: what no rule handles is in the ledger, and says so.
func TestAPlantedAttributeIsLoud(t *testing.T) {
	s := cluster("job_priority")
	s.PBS.Server.Attributes = []model.Setting{{Name: "moon_phase", Value: "3"}}
	s.PBS.Schedulers[0].Attributes = []model.Setting{{Name: "tide", Value: "high"}}
	s.PBS.SchedConfig.Lines = []model.SchedLine{{Line: 4, Name: "weight_of_the_moon", Value: "1"}}
	s.Unknown = []model.Unknown{{File: "qmgr_print_queue.txt", Line: 7, Name: "odd", Value: "x", Count: 2}}
	tr, err := gridengine.Translate([]*model.Snapshot{s})
	if err != nil {
		t.Fatal(err)
	}
	var loud []string
	for _, e := range tr.Ledger {
		if e.Verdict == migrate.NoRule {
			loud = append(loud, e.Text)
		}
	}
	if got := strings.Join(loud, "; "); got != "weight_of_the_moon: 1; server moon_phase = 3; sched default tide = high; odd x" {
		t.Errorf("loud are %s", got)
	}
}

// TestShareTreeOfGroups takes the tree of resource_group, its half-life, and unknown users as default.
func TestShareTreeOfGroups(t *testing.T) {
	s := cluster("fairshare_factor")
	f := &s.PBS.Fairshare
	f.Groups = []model.ResourceGroup{{Line: 1, Name: "g1", Group: 10, Parent: "root", Shares: 40}, {Line: 2, Name: "g2", Group: 11, Parent: "root", Shares: 60},
		{Line: 3, Name: "bob", Group: 12, Parent: "g1", Shares: 50}, {Line: 4, Name: "lost", Group: 13, Parent: "nowhere", Shares: 1}}
	f.Policy.UnknownShares, f.Policy.DecayTime, f.Policy.DecayFactor = 5, 2*time.Hour, 0.25
	f.Usage = model.FairshareUsage{Version: 2, Records: []model.EntityUsage{{Name: "bob", Usage: 100}}}
	tr, err := gridengine.Translate([]*model.Snapshot{s})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := outline(tr.To.ShareTree), "Root 1(default 5 g1 40(bob 50) g2 60)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := tr.To.Policy.HalfTime; got != time.Hour {
		t.Errorf("usage that is a quarter after two hours halves in %v", got)
	}
	for _, e := range tr.Ledger {
		if e.Text == "lost 13 nowhere 1" && e.Verdict != migrate.Lost {
			t.Errorf("a node without a parent is %s", e.Verdict)
		}
	}
	for _, u := range tr.To.Users {
		if u.Name == "bob" && len(u.Usage.Decayed) == 1 && u.Usage.Decayed[0].Value == 100 {
			return
		}
	}
	t.Errorf("users are %+v", tr.To.Users)
}

func outline(n *model.ShareNode) string {
	text := fmt.Sprintf("%s %d", n.Name, n.Shares)
	var below []string
	for _, c := range n.Children {
		below = append(below, outline(c))
	}
	if len(below) > 0 {
		text += "(" + strings.Join(below, " ") + ")"
	}
	return text
}

// TestSharesAreOverrideTickets: fairshare_perc is the same whatever a user has used or waits with.
func TestSharesAreOverrideTickets(t *testing.T) {
	_, quirks := compat.For(model.Release{Product: "SGE", Version: "8.1.9"})
	s := cluster("1000*fairshare_perc", job(1, "bob", 0, 90*time.Second), job(2, "amy", 0, 80*time.Second), job(3, "bob", 0, 70*time.Second), job(4, "cat", 0, 60*time.Second), job(5, "amy", 0, 50*time.Second))
	s.PBS.Fairshare.Groups = []model.ResourceGroup{{Line: 1, Name: "bob", Group: 10, Parent: "root", Shares: 20}, {Line: 2, Name: "amy", Group: 11, Parent: "root", Shares: 30}, {Line: 3, Name: "cat", Group: 12, Parent: "root", Shares: 50}}
	tr, err := gridengine.Translate([]*model.Snapshot{s})
	if err != nil {
		t.Fatal(err)
	}
	if a := tr.Prove("x", s, quirks); a.TauB != 1 || tr.To.Policy.ShareOverrideTickets {
		t.Errorf("%+v", a)
	}
}

// TestLimits says what becomes of limits.
func TestLimits(t *testing.T) {
	s := cluster("job_priority")
	limit := func(attribute, resource, kind, entity string, n float64) model.Limit {
		return model.Limit{Attribute: attribute, Resource: resource, Kind: kind, Entity: entity, Value: fmt.Sprint(n), Amount: n}
	}
	s.PBS.Server.Limits = []model.Limit{limit("max_run", "", "u", "PBS_GENERIC", 7), limit("max_run_res", "ncpus", "u", "PBS_GENERIC", 4), limit("max_run_res", "ncpus", "u", "bob", 8),
		limit("max_run_res", "ncpus", "o", "PBS_ALL", 90), limit("max_queued", "", "o", "PBS_ALL", 1000), limit("max_run_res_soft", "ncpus", "u", "PBS_GENERIC", 2)}
	s.Queues[1].PBS.Limits = []model.Limit{limit("max_run_res", "tok", "p", "PBS_GENERIC", 3)}
	tr, err := gridengine.Translate([]*model.Snapshot{s})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range tr.To.Quotas {
		for _, r := range q.Rules {
			got = append(got, q.Name+": "+gridengine.RuleText(r))
		}
	}
	want := "pbs_ncpus_u: users bob to slots=8; pbs_ncpus_u: users {*} to slots=4; pbs_ncpus_o: to slots=90; pbs_tok_p_fast: projects {*} queues fast to tok=3"
	if strings.Join(got, "; ") != want || tr.To.Policy.MaxUserJobs != 7 {
		t.Errorf("got %s, maxujobs %d", strings.Join(got, "; "), tr.To.Policy.MaxUserJobs)
	}
}
