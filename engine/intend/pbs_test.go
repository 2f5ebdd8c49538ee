package intend

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// server is a cluster of PBS with a formula, and two users in its tree.
func server(formula string, jobs ...model.Job) *model.Snapshot {
	conf := model.SchedConfig{Present: true}
	s := &model.Snapshot{System: model.PBSSystem, TakenAt: noon, Jobs: jobs, PBS: &model.PBS{SchedConfig: conf,
		Server:     model.PBSServer{Name: "pbs", Scheduling: true, DefaultQueue: "workq", EligibleTimeEnable: true},
		Schedulers: []model.PBSScheduler{{Name: "default"}},
		Fairshare: model.Fairshare{Policy: model.DefaultFairsharePolicy(), Groups: []model.ResourceGroup{
			{Line: 1, Name: "ann", Group: 10, Parent: "root", Shares: 10}, {Line: 2, Name: "ben", Group: 11, Parent: "root", Shares: 10}},
			Usage: model.FairshareUsage{Version: 2, Records: []model.EntityUsage{{Name: "ann", Usage: 9000}, {Name: "ben", Usage: 1000}}}}}}
	s.Resources = []model.Resource{{Name: "ncpus", Type: model.TypePBSLong, Flags: "hnq", BuiltIn: true},
		{Name: "licence", Type: model.TypePBSLong, Flags: "q"}, {Name: "walltime", Type: model.TypePBSTime, BuiltIn: true}}
	s.Queues = []model.Queue{{Name: "workq", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true}}}
	s.Hosts = []model.Host{{Name: "h", Capacity: []model.Setting{{Name: "ncpus", Value: "8"}}, PBS: &model.PBSHost{State: []string{"free"}}}}
	s.PBS.SetFormula(formula)
	return s
}

func fair(s *model.Snapshot) *model.Snapshot {
	s.PBS.SchedConfig.Prime.FairShare, s.PBS.SchedConfig.NonPrime.FairShare = true, true
	return s
}

// TestSentencesAreHeldAgainstPoliciesOfPBS: verdicts that are right by what the formula is.
func TestSentencesAreHeldAgainstPoliciesOfPBS(t *testing.T) {
	for _, c := range []struct {
		s        *model.Snapshot
		sentence string
		answer   Answer
		jobs     int
	}{
		{server("ncpus"), "within all jobs, slots decide", Holds, 0},
		{server("ncpus"), "within all jobs, waiting decides", Fails, 2},
		{server("eligible_time"), "within all jobs, waiting decides", Holds, 0},
		{server("ncpus + 4*eligible_time/3600"), "1h of waiting is worth 4 slots", Holds, 0},
		{server("ncpus + 3*eligible_time/3600"), "1h of waiting is worth 4 slots", Fails, 0},
		{server("job_priority"), "within each user, -p decides", Holds, 0},
		{server("licence*1000 - ncpus"), "-l licence before all jobs", Holds, 0},
		{server("ncpus"), "user ann before user ann", Unknown, 0},
		{server(""), "user ann before user ben", Fails, 2},
		{fair(server("")), "user ben before user ann", Holds, 0}, // he has used less for as many shares
		{fair(server("")), "user ann before user ben", Fails, 2},
		{server("ncpus"), "urgency before tickets", Unknown, 0},
	} {
		i, err := Parse(c.sentence)
		if err != nil {
			t.Fatal(err)
		}
		v := Check(Input{Snapshot: c.s, At: noon, Most: 20}, []Intention{i})[0]
		jobs := 0
		if v.Against != nil {
			jobs = len(v.Against.Jobs)
		}
		if v.Answer != c.answer || jobs != c.jobs {
			t.Errorf("%s, %s: %s with %d jobs: %s", c.s.PBS.Formula, c.sentence, v.Answer, jobs, v.Why)
		}
	}
}

// TestAFormulaIsFoundThatKeepsSentences, and shares of the tree; each holds when everything is checked anew.
func TestAFormulaIsFoundThatKeepsSentences(t *testing.T) {
	for _, c := range []struct {
		s     *model.Snapshot
		words []string
		key   string
	}{
		{server("ncpus"), []string{"1h of waiting is worth 4 slots"}, formulaKey},
		// they exclude each other
		{server("ncpus + job_priority"), []string{"within all jobs, -p decides", "within each user, waiting decides"}, ""},
		{server("ncpus"), []string{"within all jobs, -p decides"}, formulaKey},
		{server(""), []string{"-l licence before all jobs"}, formulaKey},
		{fair(server("")), []string{"user ann before user ben"}, nodeKey + "/ann"},
	} {
		var list []Intention
		for _, w := range c.words {
			i, err := Parse(w)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, i)
		}
		in := Input{Snapshot: c.s, At: noon, Most: 10}
		found := Solve(in, list)
		if c.key == "" {
			if found.Found || found.Exclude[0] == found.Exclude[1] && len(found.Never) == 0 {
				t.Errorf("%v: %+v", c.words, found)
			}
			continue
		}
		if !found.Found || len(found.Changes) != 1 || found.Changes[0].Key != c.key {
			t.Errorf("%v: %+v", c.words, found)
			continue
		}
		in.Snapshot = with(c.s, found.Changes)
		for _, v := range Check(in, list) {
			if v.Answer != Holds {
				t.Errorf("with %s: %s: %s", found.Changes[0].String(), v.Text, v.Why)
			}
		}
	}
}

// TestPolicyOfPBSByBruteForce: under random formulas that are sums a sentence breaks where, and only where, two jobs of those that can be
// made up break it by arithmetic.
func TestPolicyOfPBSByBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		cpus, wait, posix := float64(r.IntN(4)), float64(r.IntN(3))/100, float64(r.IntN(3))
		s := server(fmt.Sprintf("%g*ncpus + %g*eligible_time + %g*job_priority", cpus, wait, posix))
		for _, by := range []string{bySlots, byWaiting, byPosix} {
			i, _ := Parse("within all jobs, " + by + " decides")
			if by == bySlots {
				i, _ = Parse("within all jobs, slots decide")
			}
			got := Check(Input{Snapshot: s, At: noon, Most: 5}, []Intention{i})[0]
			want := Holds
			if breaksByArithmetic(by, cpus, wait, posix) {
				want = Fails
			}
			if got.Answer != want {
				t.Errorf("%s under %s: %s, %s; want %s", i.Text, s.PBS.Formula, got.Answer, got.Why, want)
			}
		}
	}
}

// breaksByArithmetic tries all pairs of jobs of one or two processors, -p 0 or -100, fresh or after a day, in both orders of submission.
func breaksByArithmetic(by string, cpus, wait, posix float64) bool {
	type job struct{ slots, age, p float64 }
	var all []job
	for _, slots := range []float64{1, 2} {
		for _, age := range []float64{0, longWait.Seconds()} {
			for _, p := range []float64{0, -100} {
				if slots == 1 || p == 0 { // nobody makes up both at once
					all = append(all, job{slots, age, p})
				}
			}
		}
	}
	worth := func(j job) float32 { return float32(cpus*j.slots + wait*j.age + posix*j.p) }
	speaks := func(j job) float64 {
		return map[string]float64{bySlots: j.slots, byWaiting: j.age, byPosix: j.p}[by]
	}
	for _, a := range all {
		for _, b := range all {
			if speaks(a) <= speaks(b) {
				continue
			}
			// b comes before a: by its value, or as an equal that was queued before it
			if worth(b) > worth(a) || worth(b) == worth(a) && b.age >= a.age {
				return true
			}
		}
	}
	return false
}

// TestALineOfPBSIsOneThatPBSTakes.
func TestALineOfPBSIsOneThatPBSTakes(t *testing.T) {
	licence := []model.Request{{Resource: "licence", Value: "1", Amount: 1}}
	k := kind{owner: "ann", shape: shape{slots: 4, posix: -100, hard: licence}, age: time.Hour}
	got := Lines([]*model.Job{k.made(1, noon, server("ncpus"))})[0]
	if want := "10:59:59 ann: qsub -q workq -p -100 -l select=1:ncpus=4 -l licence=1 job.sh"; got != want || strings.Contains(got, "\n") {
		t.Errorf("%s, want %s", got, want)
	}
}
