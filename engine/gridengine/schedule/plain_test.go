package schedule

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/model/quirk"
)

// A behaviour is something surprising that all releases do and that is no fault, or that cannot be told apart from
// another quirk: what becomes of the jobs, with 8.1.9 and as promised.
type behaviour struct {
	lab         func() *lab
	want, fixed string // fixed is empty where it is the same
}

// behaviours are the entries of the list of quirks that are no switches.
var behaviours = map[string]behaviour{
	"D8": {lab: func() *lab { // the queue's h_rt of 60 s counts for what runs, for others default_duration does
		l := newLab(2, 1)
		l.Instances[0].Limits[0].Value = "0:1:0"
		l.runs(10*time.Second, "", "all.q@a")
		l.submit("-q all.q@a -R y")
		l.submit("-q all.q@a -R y")
		return l
	}, want: "2 is reserved for on a at +50; 3 is reserved for on a at +1050"},
	"D12": {lab: func() *lab { // the default of mem, which another queue's job takes until +90, is no moment to try
		l := newLab(2, 1).pe("mpi", "$fill_up", 10)
		l.Resources = append(l.Resources, model.Resource{Name: "mem", Type: model.TypeInt,
			Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeYes, Default: "1"})
		l.Hosts[0].Capacity = []model.Setting{{Name: "mem", Value: "2"}}
		other := l.Instances[0]
		other.Name, other.Queue, other.PEs = "other.q@a", "other.q", nil
		l.Instances = append(l.Instances, other)
		l.runs(10*time.Second, "-l h_rt=60", "all.q@a")
		l.runs(10*time.Second, "-l h_rt=100,mem=2", "other.q@a")
		l.submit("-q all.q@a -pe mpi 1 -l h_rt=10 -R y")
		return l
	}, want: "3 waits", fixed: "3 is reserved for on a at +90"},
	"D30": {lab: func() *lab { // each entry that does not name an instance counts
		l := newLab(2, 1)
		l.submit("").SoftQueues = []string{"all.q@b", "other.q", "none.q"}
		return l
	}, want: "1 starts on b"},
	"D31": {lab: func() *lab { // a string is at least any pattern
		l := newLab(1, 1)
		l.Resources = append(l.Resources, model.Resource{Name: "colour", Type: model.TypeString, Relop: model.AtLeast,
			Requestable: model.RequestYes, Consumable: model.ConsumeNo})
		l.Hosts[0].Capacity = []model.Setting{{Name: "colour", Value: "blue"}}
		l.submit("-l colour=red")
		return l
	}, want: "1 starts on a"},
	"D33": {lab: func() *lab { // a slot-wise subordinate queue is closed once its superior is full, and not before
		l := newLab(1, 1)
		low := l.Instances[0]
		low.Name, low.Queue, low.Slots, low.SeqNo = "low.q@a", "low.q", 9, 1
		l.Instances[0].Subordinates = []model.Subordinate{{Queue: "low.q"}}
		l.Instances = append(l.Instances, low)
		l.submit("-q low.q")
		l.submit("-q all.q")
		l.submit("-q low.q -l h_rt=5")
		return l
	}, want: "1 starts on low.q@a; 2 starts on a; 3 waits"},
	"D35": {lab: func() *lab { // what should have ended is expected to end with the next interval, of 15 s
		l := newLab(1, 1)
		l.runs(100*time.Second, "-l h_rt=50", "all.q@a")
		l.submit("-R y")
		return l
	}, want: "2 is reserved for on a at +15"},
	"D39": {lab: func() *lab { // behind a job without end there is no reservation
		l := newLab(2, 1).consumable("license", "1", model.ConsumeYes)
		l.Policy.DefaultDuration = model.Forever
		l.runs(10*time.Second, "-l license=1", "all.q@a")
		l.submit("-l license=1 -R y")
		return l
	}, want: "2 waits"},
	"D39, a category rejected before": {lab: func() *lab { // tries, and does not find a queue instance that is ever free
		l := newLab(2, 1).consumable("license", "1", model.ConsumeYes)
		l.Policy.DefaultDuration = model.Forever
		l.runs(10*time.Second, "-l license=1", "all.q@a")
		l.submit("-l license=1")
		l.submit("-l license=1 -R y")
		return l
	}, want: "2 waits; 3 waits"},
	"D39, with soft requests": {lab: func() *lab { // is reserved for at the end of time
		l := newLab(2, 1).consumable("license", "1", model.ConsumeYes)
		l.Policy.DefaultDuration = model.Forever
		l.runs(10*time.Second, "-l license=1", "all.q@a")
		l.submit("-l license=1 -soft h_rt=60")
		l.submit("-l license=1 -soft h_rt=60 -R y")
		return l
	}, want: "2 waits; 3 is reserved for on b at +4292967295", fixed: "2 waits; 3 waits"},
	// four slots raise a load of 1 by 0.5 each beyond 2.4; what job 1 adds does not count for that
	"D40": {lab: func() *lab {
		l := loaded(1, 8).pe("mpi", "$fill_up", 10)
		l.Instances[0].LoadThresholds[0].Value = "2.4"
		l.submit("")
		l.submit("-pe mpi 3")
		l.submit("-pe mpi 4")
		return l
	}, want: "1 starts on a; 2 starts on a×3; 3 waits"},
	"D43": {lab: func() *lab { // maxujobs counts tasks, a parallel one once
		l := newLab(1, 9).pe("mpi", "$fill_up", 10)
		l.Policy.MaxUserJobs = 2
		l.submit("-pe mpi 4")
		l.submit("-t 1-2")
		return l
	}, want: "1 starts on a×4; 2 starts on a; 2.2 waits"},
	"D44": {lab: func() *lab { // the category of a job that failed is not tried for a start again, even with -R y
		l := newLab(1, 1)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		spare := l.Instances[0]
		spare.Name, spare.Queue, spare.Used = "spare.q@a", "spare.q", 0
		l.Instances = append(l.Instances, spare)
		l.submit("-q all.q -l h_rt=10")
		l.submit("-q all.q -l h_rt=10 -R y")
		return l
	}, want: "2 waits; 3 is reserved for on a at +90"},
	"D48": {lab: func() *lab { // three of four licences are used by others, and so they will be at +90
		l := newLab(2, 1).consumable("license", "4", model.ConsumeYes)
		l.Hosts[2].LoadReport = []model.Setting{{Name: "license", Value: "1"}}
		l.submit("-l license=2 -R y")
		return l
	}, want: "1 waits"},
	"D50": {lab: func() *lab { // the token of a is taken: the master task goes to b, the others may go to a
		l := newLab(2, 2).consumable("token", "", model.ConsumeJob).pe("mpi", "$fill_up", 10)
		for i := range l.Hosts {
			l.Hosts[i].Capacity = []model.Setting{{Name: "token", Value: "1"}}
		}
		l.runs(10*time.Second, "-l token=1,h_rt=100", "all.q@a")
		l.submit("-pe mpi 3 -l token=1")
		return l
	}, want: "2 starts on b×2+a"},
	"D51": {lab: func() *lab { // two reservations are two tasks of one array
		l := newLab(2, 1)
		l.Policy.MaxReservation = 2
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		l.submit("-q all.q@a -t 1-3 -R y -l h_rt=10")
		l.submit("-q all.q@a -R y -l h_rt=5")
		return l
	}, want: "2 is reserved for on a at +90; 2.2 is reserved for on a at +100; 2.3 waits; 3 waits"},
	"D53": {lab: func() *lab { // qsub -now y
		l := newLab(2, 1)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		l.submit("-q all.q@a -R y").Type = model.TypeImmediate
		return l
	}, want: "2 waits"},
	"D55": {lab: func() *lab { // job 2 sees what job 1 has just taken
		l := newLab(2, 1)
		l.submit("-q all.q@a -l h_rt=10 -R y")
		l.submit("-q all.q@a -l h_rt=20 -R y")
		return l
	}, want: "1 starts on a; 2 is reserved for on a at +10"},
	// a consumable is a load threshold: without job_load_adjustments it stops nobody in the same run
	"D59": {lab: func() *lab {
		l := newLab(1, 4).consumable("mem", "", model.ConsumeYes)
		l.Hosts[0].Capacity = []model.Setting{{Name: "mem", Value: "4"}}
		l.Instances[0].LoadThresholds = []model.Setting{{Name: "mem", Value: "3"}}
		l.submit("-l mem=2")
		l.submit("-l mem=1")
		return l
	}, want: "1 starts on a; 2 starts on a"},
	"D59, with load adjustments": {lab: func() *lab {
		l := loaded(1, 4).consumable("mem", "", model.ConsumeYes)
		l.Hosts[0].Capacity = []model.Setting{{Name: "mem", Value: "4"}}
		l.Instances[0].LoadThresholds = []model.Setting{{Name: "mem", Value: "3"}}
		l.submit("-l mem=2")
		l.submit("-l mem=1")
		return l
	}, want: "1 starts on a; 2 waits"},
}

// loaded is a lab in which each new job adds a half to a load of 1, up to a threshold of 4.
func loaded(hosts, slots int) *lab {
	l := newLab(hosts, slots)
	l.Policy.LoadAdjustments, l.Policy.LoadAdjustmentDecay = []model.Setting{{Name: "np_load_avg", Value: "0.5"}},
		time.Minute
	for i := range l.Hosts {
		l.Hosts[i].LoadReport = []model.Setting{{Name: "np_load_avg", Value: "1"}}
		l.Instances[i].LoadThresholds = []model.Setting{{Name: "np_load_avg", Value: "4"}}
	}
	return l
}

// elsewhere says of the other entries of the list which quirk they are, which test shows them, or why they
// do not apply.
var elsewhere = map[string]string{
	"D9":  "TestTheInstanceChangedLongestAgoComesFirst",
	"D10": "TestTheParallelEnvironmentChangedLongestAgoComesFirst",
	"D25": "when categories are built anew is the history of a scheduler; a plan builds them from the snapshot",
	"D26": "quirk Q39", "D27": "quirk Q40",
	"D32": "package formula",
	"D34": "TestLoadCorrectionCountsGrants",
	"D36": "TestWithoutReservationsNoLinesAreWritten",
	"D37": "advance reservations are made by the master, outside runs",
	"D41": "the other half of D40: a sequential job has no limit of slots by thresholds, see D5",
	"D42": "TestAQuotaForAllEndsTheSearch",
	"D46": "TestAUsedUpQuotaKeepsHostsFromBeingMarked",
	"D47": "no bundle shows what the master then compares with",
	"D49": "of a release that never came out",
	"D52": "no bundle shows hosts that still clean up after a task",
	"D54": "the master's clock, after the run", "D57": "when runs happen", "D58": "when runs happen",
	"D71": "when runs happen",
	"D56": "moveHost, which TestTheHostJustUsedComesBeforeItsEquals shows",
	"D60": "sorts are stable",
}

func TestBehavioursOfAllReleases(t *testing.T) {
	for id, b := range behaviours {
		expect(t, id, b.lab(), compat.Profiles["8.1.9"], b.want)
		if b.fixed == "" {
			b.fixed = b.want
		}
		expect(t, id+", fixed", b.lab(), fixed, b.fixed)
	}
}

// TestEveryEntryOfTheListIsAccountedFor finds each of the 60 entries in one place.
func TestEveryEntryOfTheListIsAccountedFor(t *testing.T) {
	found := map[string]int{}
	for _, k := range quirk.Dispatch {
		found[k.ID]++
	}
	for id := range behaviours {
		if !strings.Contains(id, ",") {
			found[id]++
		}
	}
	for id := range elsewhere {
		found[id]++
	}
	for n := 1; n <= 60; n++ {
		if id := fmt.Sprintf("D%d", n); found[id] != 1 {
			t.Errorf("%s is accounted for %d times", id, found[id])
		}
	}
}

func TestTheParallelEnvironmentChangedLongestAgoComesFirst(t *testing.T) {
	l := newLab(1, 4).pe("mpi", "$fill_up", 10).pe("mpi2", "$fill_up", 10)
	l.runs(10*time.Second, "-pe mpi 1", "all.q@a")
	l.submit("-pe mpi* 1")
	if got := l.plan(fixed).Decisions[0].PE; got != "mpi2" {
		t.Errorf("got %s", got)
	}
}

// TestLoadCorrectionCountsGrants has a task that started a part of the decay time ago: it counts as much
// less, for a host with each of its slots, for the cluster as a whole with each queue instance that the
// task has.
func TestLoadCorrectionCountsGrants(t *testing.T) {
	for ago, jobs := range map[time.Duration]float64{30 * time.Second: 0.5, 45 * time.Second: 0.25} {
		l := loaded(2, 4).pe("mpi", "$fill_up", 10)
		l.runs(ago, "-pe mpi 5", "all.q@a=4", "all.q@b=1")
		r := newRun(l.Snapshot, split.Jobs(l.Snapshot, noon, fixed, split.Assumed{}), Options{At: noon, Quirks: fixed})
		r.DebitRunning()
		r.CorrectLoad()
		for name, slots := range map[string]float64{"a": 4, "b": 1, model.GlobalHost: 2} {
			if got := r.HostNames[name].Correction; got != jobs*slots {
				t.Errorf("%s, %v ago: %g jobs, want %g", name, ago, got, jobs*slots)
			}
		}
	}
}

func TestWithoutReservationsNoLinesAreWritten(t *testing.T) {
	l := licences()
	l.Policy.MaxReservation = 0
	if p := expect(t, "", l, compat.Profiles["8.1.9"], "1 starts on a; 2 waits; 3 starts on b"); len(p.Lines) != 0 {
		t.Errorf("%d lines", len(p.Lines))
	}
}

// TestAQuotaForAllEndsTheSearch: no other instance is looked at, and none is given as a reason.
func TestAQuotaForAllEndsTheSearch(t *testing.T) {
	l := newLab(3, 1)
	l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true,
		Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "slots", Value: "0"}}}}}}
	l.submit("")
	if why := l.plan(fixed).Decisions[0].Why; len(why) != 1 || why[0].Kind != model.ReasonQuota {
		t.Errorf("got %+v", why)
	}
}

// TestTheHostJustUsedComesBeforeItsEquals: among hosts of equal load.
func TestTheHostJustUsedComesBeforeItsEquals(t *testing.T) {
	r := &cluster.Cluster{}
	for i, load := range []float64{1, 1, 2, 2} {
		r.Hosts = append(r.Hosts, &cluster.Host{Id: i, SortLoad: load})
	}
	h := r.Hosts[0]
	h.SortLoad = 2
	r.MoveHost(h)
	if r.Hosts[1] != h {
		t.Error("it does not")
	}
}
