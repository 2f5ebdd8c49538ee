package conformance

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"qprism/cmd/qprism/recorded"
	"qprism/engine/gridengine"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/fixtures/master"
)

var neverN = flag.Int("never.n", 4, "random `scenarios` whose waiting jobs a real master is asked about")

// TestRealMasterAgreesWhichJobsCanNeverRun fills random clusters of real 8.1.9 masters, and asks of every job that waits whether it can
// ever run: the engine, and the master with qalter -w v. Both say the same, but for faults of the master that are played (D63 to D65):
// then the engine says what the master says when it plays them.
func TestRealMasterAgreesWhichJobsCanNeverRun(t *testing.T) {
	master.Require(t)
	t.Parallel()
	var tally neverTally
	t.Run("scenarios", func(t *testing.T) {
		for i := range *neverN {
			seed := *conformanceSeed*1_000_000 + uint64(i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				runs := master.Play(t, master.Random(rand.New(rand.NewPCG(seed, 3)), master.Verify), dir)
				if !tally.add(t, recorded.OpenBundle(t, runs[len(runs)-1].After), verified(t, dir)) && *conformanceKeep != "" {
					keep(t, dir, fmt.Sprintf("never-%d", seed))
				}
			})
		}
	})
	t.Logf("%d scenarios from seed %d: %d jobs that can never run, %d that wait; %d answers of the master by its faults", *neverN,
		*conformanceSeed, tally.never, tally.waits, tally.faults)
	if tally.never < 5**neverN || tally.waits < 5**neverN {
		t.Errorf("too few jobs: %d can never run, %d wait", tally.never, tally.waits)
	}
}

// TestTheMastersVerdictIsRecordedWithItsFaults is the same on the recording of a full cluster, where jobs wait for exclusive hosts: the
// master says of four, which only wait, that they can never run (D63).
func TestTheMastersVerdictIsRecordedWithItsFaults(t *testing.T) {
	const recording = "../../../fixtures/gridengine/verified-8.1.9.tar.gz"
	s := recorded.OpenBundle(t, recording+"/exotic/after")
	data, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	files, err = fs.Sub(files, "exotic")
	if err != nil {
		t.Fatal(err)
	}
	said, err := master.Verified(files)
	if err != nil {
		t.Fatal(err)
	}
	var tally neverTally
	tally.add(t, s, said)
	if got := [3]int{tally.never, tally.waits, tally.faults}; got != [3]int{5, 21, 4} {
		t.Errorf("%d can never run, %d wait, and of %d the master says otherwise", got[0], got[1], got[2])
	}
}

// A neverTally counts jobs of scenarios that run side by side.
type neverTally struct {
	sync.Mutex
	never, waits, faults int
}

func verified(t *testing.T, dir string) map[uint32]bool {
	t.Helper()
	said, err := master.Verified(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// add compares the verdicts on the jobs of a snapshot, and reports whether all agree.
func (n *neverTally) add(t *testing.T, s *model.Snapshot, said map[uint32]bool) (agree bool) {
	quirks := quirksOf(s)
	ours, masters := gridengine.NewChances(s, quirks), schedule.NewVerified(s, quirks)
	n.Lock()
	defer n.Unlock()
	agree = true
	for i := range s.Jobs {
		j := &s.Jobs[i]
		never, asked := said[j.Number]
		if !asked {
			continue
		}
		a := ours.Of(j)
		if a.Never {
			n.never++
		} else {
			n.waits++
		}
		if len(a.Unknown) > 0 {
			t.Errorf("job %d: unknown for want of %v", j.Number, a.Unknown)
		}
		if a.Never == never {
			continue
		}
		n.faults++
		t.Logf("job %d: the master says never %v, we %v", j.Number, never, a.Never)
		if grants, why := masters.Place(j); (grants == nil) != never {
			agree = false
			t.Errorf("job %d: the master says never %v, we say %v, and with its faults %v: %v", j.Number, never, a.Never, grants == nil, why)
		}
	}
	return agree
}

// TestRealMasterVerifiesWithoutLoad: qalter -w v knows no load that changes (D64), and does not look at load thresholds (D65).
func TestRealMasterVerifiesWithoutLoad(t *testing.T) {
	master.Require(t)
	t.Parallel()
	dir := t.TempDir()
	no := false
	runs := master.Play(t, master.Scenario{
		Execd: true, Users: []master.Object{{"name": "usr0"}}, Complexes: []string{"tape ta INT <= YES YES 0 0"},
		Hosts:  []master.Object{{"name": "exec", "complex_values": "tape=3"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "1"}, {"qname": "tape.q", "slots": "1", "load_thresholds": "tape=5"}},
		Steps: []master.Step{{Do: "submit", Jobs: []master.Job{{Name: "fill", User: "usr0", Queues: "all.q"}}}, {Do: "sleep", Seconds: 5},
			{Do: "run", Before: &no},
			{Do: "submit", Jobs: []master.Job{{Name: "memory", User: "usr0", Resources: "mem_free=1M"},
				{Name: "whole", User: "usr0", Resources: "mem_free=900T"},
				{Name: "closed", User: "usr0", Queues: "tape.q"}, {Name: "waits", User: "usr0", Queues: "all.q"}}}, {Do: "run"}, {Do: "verify"}},
	}, dir)
	s := recorded.OpenBundle(t, runs[len(runs)-1].After)
	said := verified(t, dir)
	quirks := quirksOf(s)
	ours, masters := gridengine.NewChances(s, quirks), schedule.NewVerified(s, quirks)
	want := map[string][2]bool{"memory": {false, true}, "whole": {true, true}, "closed": {true, false}, "waits": {false, false}}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		w, asked := want[j.Name]
		if !asked {
			continue
		}
		delete(want, j.Name)
		grants, _ := masters.Place(j)
		if a := ours.Of(j); a.Never != w[0] || said[j.Number] != w[1] || (grants == nil) != w[1] {
			t.Errorf("%s: we say never %v, the master %v, as the master %v: %+v", j.Name, a.Never, said[j.Number], grants == nil, a)
		}
	}
	if len(want) > 0 {
		t.Errorf("not seen: %v", want)
	}
}
