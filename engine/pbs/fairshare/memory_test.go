package fairshare_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// probe is one cycle of the recordings of a scheduler whose memory shows in the values of a formula: a million times
// fairshare_tree_usage of the four users' running jobs.
type probe struct {
	AfterHUP  bool              `json:"after_hup"`
	Formula   map[string]string `json:"formula_value"`
	Pbsfs     string            `json:"pbsfs_p"`
	TreeUsage map[string]string `json:"pbsfs_tree_usage"`
	Decays    int
	Used      string // qstat -f: used and requested walltime of each job, in turns
}

func probes(t *testing.T) (found struct {
	Drift       []probe
	FormulaOnly []probe `json:"fairshare_off_formula_on"`
}) {
	t.Helper()
	if err := json.Unmarshal(files(t)["probes/probes.json"], &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// listed is the usage of a node in what pbsfs -p printed.
func listed(t *testing.T, text, name string) float64 {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			_, usage, _ := strings.Cut(line, "Usage:")
			return float64(integer(t, strings.Fields(usage)[0]))
		}
	}
	t.Fatalf("no %s in\n%s", name, text)
	return 0
}

var users = []string{"bob", "cathy", "suzy", "scott"}

// job is a running job of each user that is charged by the second.
func job(user string, seconds float64) fairshare.Running {
	r := fairshare.Running{Job: "run_" + user, Entity: user}
	if seconds > 0 {
		r.Used = []model.Amount{{Name: "walltime", Value: seconds}}
	}
	return r
}

func jobs(seconds float64) (list []fairshare.Running) {
	for _, u := range users {
		list = append(list, job(u, seconds))
	}
	return list
}

func wallTime(_ string, a []model.Amount) float64 { return amount(a, "walltime") }

// TestMemoryAndFileDriftApartAsRecorded shows quirk P6: both views at once, before and after decays, and after a HUP.
func TestMemoryAndFileDriftApartAsRecorded(t *testing.T) {
	f := grouped(t, "group1 10 root 40", "group2 11 root 60", "bob 12 group1 50", "cathy 13 group1 50",
		"suzy 14 group2 60", "scott 15 group2 40")
	f.Policy.UsageResource, f.Policy.DecayTime = "ncpus*walltime", time.Hour
	f = with(f, model.EntityUsage{Name: "cathy", Usage: 40})
	at := time.Unix(1_800_000_000, 0)
	memory, used, cathy, drifted := fairshare.Start(f, at), 0.0, 40.0, 0
	for i, p := range probes(t).Drift {
		if p.AfterHUP {
			f.Usage = memory.File(memory.LastDecay)
			memory.Reload(f, at)
		}
		at = memory.LastDecay.Add(time.Duration(p.Decays)*f.Policy.DecayTime + time.Second)
		after := listed(t, p.Pbsfs, "cathy") * float64(int(1)<<p.Decays) // usage before the decays: every job used a core
		used, cathy = used+after-cathy, listed(t, p.Pbsfs, "cathy")
		u := memory.Begin(fairshare.Cycle{At: at, FairShare: true, Formula: true, Running: jobs(used), Value: wallTime})
		memory.End(true, jobs(used))
		if u.Decays != p.Decays {
			t.Fatalf("cycle %d: %d decays", i, u.Decays)
		}
		f.Usage = memory.File(memory.LastDecay)
		file := fairshare.Build(f)
		if got := file.List("ncpus*walltime"); got != p.Pbsfs {
			t.Errorf("cycle %d: pbsfs\n%swant\n%s", i, got, p.Pbsfs)
		}
		for _, user := range users {
			if got := fmt.Sprintf("%f", file.Find(user).TreeUsage); got != p.TreeUsage[user] {
				t.Errorf("cycle %d: in the file %s has tree usage %s, want %s", i, user, got, p.TreeUsage[user])
			}
			got := strings.TrimLeft(strings.TrimPrefix(fmt.Sprintf("%f", memory.Find(user).TreeUsage), "0."), "0")
			if got != p.Formula["run_"+user] {
				t.Errorf("cycle %d: in memory %s has tree usage %s, want %s", i, user, got, p.Formula["run_"+user])
			}
		}
		if drifts := driftsOf(memory.Tree, file); len(drifts) > 0 {
			drifted++
		} else if i > 0 && !p.AfterHUP {
			t.Errorf("cycle %d: no drift is listed", i)
		}
	}
	if drifted == 0 {
		t.Error("nothing drifted")
	}
}

// TestAFormulaWithoutFairShareChargesTheSameUsageAgain shows quirk P4.
func TestAFormulaWithoutFairShareChargesTheSameUsageAgain(t *testing.T) {
	cycles := probes(t).FormulaOnly
	wall := make([]float64, len(cycles))
	for i, p := range cycles {
		stamp := strings.Split(p.Used, `"walltime":`)[1]
		wall[i] = clock(t, strings.Split(stamp, `"`)[1]).Seconds()
	}
	f := with(seed(), model.EntityUsage{Name: "Bob", Usage: listed(t, cycles[0].Pbsfs, "bob")})
	memory := fairshare.Start(f, time.Unix(1_800_000_000, 0))
	bob := func(seconds float64) []fairshare.Running {
		r := job("bob", seconds)
		r.Entity = "Bob"
		return []fairshare.Running{r}
	}
	memory.End(true, bob(wall[0]))
	for i, p := range cycles[1:] {
		memory.Begin(fairshare.Cycle{At: memory.LastDecay, Formula: true, Running: bob(wall[i+1]), Value: wallTime})
		memory.End(false, bob(wall[i+1]))
		if got, want := memory.Find("Bob").Usage, listed(t, p.Pbsfs, "bob"); got != want {
			t.Errorf("cycle %d: bob has used %v, want %v", i+1, got, want)
		}
	}
	if len(cycles) < 4 {
		t.Errorf("only %d cycles were compared", len(cycles))
	}
}

func TestUsageIsChargedInTheseCases(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	cycle := func(fairShare, formula bool, running ...fairshare.Running) fairshare.Cycle {
		return fairshare.Cycle{At: start, FairShare: fairShare, Formula: formula, Running: running, Value: wallTime}
	}
	for name, c := range map[string]struct {
		then, now []fairshare.Running
		cycle     fairshare.Cycle
		fairShare bool // in the cycle before
		want      float64
	}{
		"a job is charged for the time between two cycles": {then: list(job("Bob", 10)),
			now: list(job("Bob", 25)), cycle: cycle(true, false), fairShare: true, want: 115},
		"its first usage is all that is charged": {then: list(job("Bob", 0)), now: list(job("Bob", 25)),
			cycle: cycle(true, false), fairShare: true, want: 125},
		"usage that shrank costs nothing": {then: list(job("Bob", 30)), now: list(job("Bob", 25)), cycle: cycle(true, false),
			fairShare: true, want: 100},
		"a job that ended is free since the last cycle (P8)": {then: list(job("Bob", 10)),
			cycle: cycle(true, false), fairShare: true, want: 100},
		"a job that was not seen before is free so far (P8)": {now: list(job("Bob", 25)),
			cycle: cycle(true, false), fairShare: true, want: 100},
		"a job that a host has not started yet is free": {then: list(job("Bob", 10)), now: list(starting(job("Bob", 25))),
			cycle: cycle(true, false), fairShare: true, want: 100},
		"a formula alone charges whom fair_share knew (P4)": {then: list(job("Bob", 10)),
			now: list(job("Bob", 25)), cycle: cycle(false, true), fairShare: true, want: 115},
		"a formula alone charges nobody otherwise (P5)": {then: list(job("Bob", 10)), now: list(job("Bob", 25)),
			cycle: cycle(false, true), want: 100},
		"without both nothing is charged": {then: list(job("Bob", 10)), now: list(job("Bob", 25)), cycle: cycle(false, false),
			fairShare: true, want: 100},
	} {
		memory := fairshare.Start(seed(), start)
		memory.End(c.fairShare, c.then)
		c.cycle.Running = c.now
		u := memory.Begin(c.cycle)
		root := memory.Root.Usage - 1101 // what others used, and the default
		if got := memory.Find("Bob").Usage; got != c.want || root != c.want {
			t.Errorf("%s: Bob has used %v, the root %v more; want %v", name, got, root, c.want)
		}
		if active := c.cycle.FairShare || c.cycle.Formula; u.Written != (active && c.fairShare && len(c.then) > 0) {
			t.Errorf("%s: written %t", name, u.Written)
		}
	}
}

func list(r ...fairshare.Running) []fairshare.Running { return r }

func starting(r fairshare.Running) fairshare.Running {
	r.Starting = true
	return r
}

func TestAGroupChargedByItsOwnNameIsChargedInMemoryOnly(t *testing.T) { // P23
	start := time.Unix(1_800_000_000, 0)
	f := seed()
	memory := fairshare.Start(f, start)
	memory.End(true, []fairshare.Running{{Job: "1", Entity: "group1"}})
	memory.Begin(fairshare.Cycle{At: start, FairShare: true, Value: wallTime,
		Running: []fairshare.Running{{Job: "1", Entity: "group1", Used: []model.Amount{{Name: "walltime", Value: 50}}}}})
	f.Usage = memory.File(memory.LastDecay)
	file := fairshare.Build(f)
	if m, p := memory.Find("group1").Usage, file.Find("group1").Usage; m != 251 || p != 201 {
		t.Errorf("group1 has used %v in memory, %v in the file", m, p)
	}
	for _, d := range driftsOf(memory.Tree, file) {
		if name := d.memory.Name; (name == "group1" || name == "TREEROOT") != (d.usage() == 50) {
			t.Errorf("%s drifted by %v", name, d.usage())
		}
	}
	memory.Reread(f.Usage, start)
	if got := memory.Find("group1").Usage; got != 201 {
		t.Errorf("read again, group1 has used %v", got)
	}
}

func TestStartsRaiseTemporaryUsageForTheCycleOnly(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	memory := fairshare.Start(seed(), start)
	bob, suzy := memory.Find("Bob"), memory.Find("Suzy")
	if fairshare.Compare(bob, suzy) >= 0 {
		t.Error("Bob is not first")
	}
	bob.Raise(1000)
	if fairshare.Compare(bob, suzy) <= 0 || bob.Temporary != 1100 || memory.Find("group1").Temporary != 1201 ||
		memory.Root.Temporary != 2201 || bob.Usage != 100 {
		t.Errorf("Bob counts as %v", bob.Temporary)
	}
	memory.Begin(fairshare.Cycle{At: start, FairShare: true})
	if fairshare.Compare(bob, suzy) >= 0 {
		t.Error("the next cycle remembers a start")
	}
}
