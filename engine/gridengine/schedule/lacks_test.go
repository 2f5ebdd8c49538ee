package schedule

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// said prints reasons in a line each: "G global license: 4 of 3, later".
func said(why []model.Reason) (list []string) {
	for _, r := range why {
		text := strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Level, r.Object, r.Resource))
		if r.Asked+r.Offered != "" {
			text += fmt.Sprintf(": %s of %s", r.Asked, r.Offered)
		}
		if r.Later {
			text += ", later"
		}
		list = append(list, string(r.Kind)+" "+text)
	}
	return list
}

// lastWhy is why the last decision of a plan is no start.
func lastWhy(p *model.Plan) []model.Reason { return p.Decisions[len(p.Decisions)-1].Why }

// endless has jobs without h_rt run for ever.
func (l *lab) endless() *lab {
	l.Policy.DefaultDuration = model.Forever
	return l
}

// TestAParallelJobIsToldWhatItsEnvironmentOffers names the parallel environment with all of the job's
// range, once, and what limits it everywhere.
func TestAParallelJobIsToldWhatItsEnvironmentOffers(t *testing.T) {
	for name, c := range map[string]struct {
		lab  func() *lab
		want []string
	}{
		"two slots together once the licence is back": {func() *lab {
			l := newLab(2, 4).consumable("license", "2", model.ConsumeYes).pe("mpi", "$fill_up", 20)
			l.runs(10*time.Second, "-l license=2,h_rt=100", "all.q@a")
			l.submit("-l license=1 -pe mpi 2-6 -R y")
			return l
		}, []string{"resource G global license: 1 of 0, later", "slots P mpi slots: 2-6 of 2, later"}},
		"a licence for one slot of two": {func() *lab {
			l := newLab(2, 4).consumable("license", "2", model.ConsumeYes).pe("mpi", "$fill_up", 20)
			l.runs(10*time.Second, "-l license=1,h_rt=100", "all.q@a")
			l.submit("-l license=1 -pe mpi 2-6")
			return l
		}, []string{"resource G global license: 2 of 1, later", "slots P mpi slots: 2-6 of 2, later"}},
		"more licences than there are": {func() *lab {
			l := newLab(2, 4).consumable("license", "3", model.ConsumeYes).pe("mpi", "$fill_up", 20)
			l.submit("-l license=2 -pe mpi 2")
			return l
		}, []string{"resource G global license: 4 of 3", "slots P mpi slots: 2 of 1"}},
		"all slots of the environment in use": {func() *lab {
			l := newLab(2, 4).pe("mpi", "$fill_up", 4)
			l.runs(10*time.Second, "-l h_rt=100 -pe mpi 3", "all.q@a=3")
			l.submit("-pe mpi 2")
			return l
		}, []string{"resource P mpi slots: 2 of 1, later", "slots P mpi slots: 2 of 1, later"}},
		"a number that cannot be spread": {func() *lab {
			l := newLab(2, 4).pe("mpi", "2", 4)
			l.submit("-pe mpi 3")
			return l
		}, []string{"slots P mpi slots: 3 of 0"}},
		"more than the hosts have": {func() *lab {
			l := newLab(2, 4).pe("mpi", "$fill_up", 20)
			l.submit("-pe mpi 9")
			return l
		}, []string{"slots P mpi slots: 9 of 8"}},
		"as much as the hosts have, but for a job without end": {func() *lab {
			l := newLab(2, 4).pe("mpi", "$fill_up", 20).endless()
			l.runs(10*time.Second, "", "all.q@a=4")
			l.submit("-pe mpi 8")
			return l
		}, []string{"slots P mpi slots: 8 of 4, later"}},
		"two on each host, where one has room": {func() *lab {
			l := newLab(2, 4).pe("mpi", "2", 20).endless()
			l.runs(10*time.Second, "", "all.q@a=3")
			l.submit("-pe mpi 4")
			return l
		}, []string{"slots P mpi slots: 4 of 2, later"}},
	} {
		if got := said(lastWhy(c.lab().plan(fixed))); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// TestRequestsAreLookedAtInTheOrderOfTheirNames has nothing of two resources: the first by name is said to
// be unknown, and jobs that ask for both in another order are of the same category.
func TestRequestsAreLookedAtInTheOrderOfTheirNames(t *testing.T) {
	l := newLab(1, 2).consumable("tape", "", model.ConsumeYes).consumable("disk", "", model.ConsumeYes)
	l.submit("-l tape=1,disk=1")
	l.submit("-l disk=1,tape=1")
	d := l.plan(fixed).Decisions
	if got := said(d[0].Why); !slices.Equal(got, []string{"unknown resource Q all.q@a disk: 1 of "}) {
		t.Errorf("got %q", got)
	}
	if len(d) != 2 || &d[0].Why[0] != &d[1].Why[0] {
		t.Error("the order of -l options makes another category")
	}
	if j := &l.Jobs[0]; j.Hard[0].Resource != "tape" {
		t.Error("the snapshot was changed")
	}
}

// TestTimeMendsWhatRunningJobsHoldForEver has jobs without end hold all of a resource: the run takes it for
// booked for ever, but jobs do end. A job that asks for more than there is waits for nothing.
func TestTimeMendsWhatRunningJobsHoldForEver(t *testing.T) {
	for _, reservations := range []int{0, 20} {
		for options, want := range map[string]bool{"-l license=5": true, "-l license=6": false,
			"-l disk=2": true, "-l disk=3": false,
			"-pe mpi 4 -l disk=1": true, "-pe mpi 4 -l disk=3": false} {
			l := newLab(1, 9).consumable("license", "5", model.ConsumeYes).consumable(
				"disk", "", model.ConsumeYes).pe("mpi", "$fill_up", 20).endless()
			l.Hosts[0].Capacity = []model.Setting{{Name: "disk", Value: "2"}}
			l.Policy.MaxReservation = reservations
			l.runs(10*time.Second, "-l license=5,disk=2", "all.q@a")
			l.submit(options)
			why := lastWhy(l.plan(fixed))
			if len(why) == 0 || why[0].Kind != model.ReasonResource || why[0].Later != want {
				t.Errorf("%s with max_reservation %d: got %q, later is to be %v", options, reservations, said(why), want)
			}
		}
	}
}

// TestTimeMendsAQuotaThatIsUsedUp tells a quota that somebody uses from one that is too small.
func TestTimeMendsAQuotaThatIsUsedUp(t *testing.T) {
	for options, want := range map[string]string{"": "quota L set/1 /////, later",
		"-pe mpi 2": "quota L set/1 /////, later"} {
		for limit, want := range map[string]string{"1": want, "0": "quota L set/1 /////"} {
			l := newLab(2, 2).pe("mpi", "$fill_up", 20).endless()
			l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true,
				Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "slots", Value: limit}}}}}}
			l.runs(10*time.Second, "", "all.q@a")
			l.submit(options)
			if got := said(lastWhy(l.plan(fixed))); len(got) == 0 || got[0] != want {
				t.Errorf("%q with a limit of %s: got %q, want %q", options, limit, got, want)
			}
		}
	}
}

// TestHostsAreNamedThatHaveNoQueueForTheJob has b lack disk, where no queue offers the parallel environment.
func TestHostsAreNamedThatHaveNoQueueForTheJob(t *testing.T) {
	l := newLab(2, 1).consumable("disk", "", model.ConsumeYes).pe("mpi", "$fill_up", 20)
	l.Hosts[0].Capacity = []model.Setting{{Name: "disk", Value: "9"}}
	l.Hosts[1].Capacity = []model.Setting{{Name: "disk", Value: "1"}}
	l.Instances[1].Name, l.Instances[1].Queue, l.Instances[1].PEs = "other.q@b", "other.q", nil
	l.Queues = []model.Queue{{Name: "other.q", Attributes: []model.QueueAttribute{{Name: "pe_list", Default: "NONE"}}}}
	l.submit("-l disk=2 -pe mpi 2")
	got := said(lastWhy(l.plan(fixed)))
	if want := []string{"parallel environment Q other.q: mpi of ", "resource H b disk: 2 of 1",
		"slots P mpi slots: 2 of 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTheRestOfAnArrayIsToldWhatItsFirstTasksMet starts one task on b, because a lacks disk; the other task
// does not look at a again, and says so all the same.
func TestTheRestOfAnArrayIsToldWhatItsFirstTasksMet(t *testing.T) {
	l := newLab(2, 1).consumable("disk", "", model.ConsumeYes)
	l.Policy.MaxReservation = 0
	l.Hosts[0].Capacity = []model.Setting{{Name: "disk", Value: "1"}}
	l.Hosts[1].Capacity = []model.Setting{{Name: "disk", Value: "9"}}
	l.submit("-l disk=2 -t 1-2")
	l.submit("-l disk=2")
	got := said(lastWhy(expect(t, "", l, fixed, "1 starts on b; 1.2 waits; 2 waits")))
	if len(got) == 0 || got[0] != "resource H a disk: 2 of 1" {
		t.Errorf("got %q", got)
	}
}

// TestAHeldJobIsToldAllThatHoldsIt has one with -h and -a.
func TestAHeldJobIsToldAllThatHoldsIt(t *testing.T) {
	l := newLab(1, 1)
	l.submit("")
	l.Jobs[0].Tasks[0].State, l.Jobs[0].ExecutionTime = "hqw", noon.Add(time.Hour)
	if got := kinds(lastWhy(l.plan(fixed))); got != "execution time, hold" {
		t.Errorf("got %s", got)
	}
}
