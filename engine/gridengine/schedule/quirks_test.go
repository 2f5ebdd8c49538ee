package schedule

import (
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/memory"
	"qprism/engine/model"
	"qprism/engine/model/quirk"
)

// A situation is a cluster, and what becomes of its jobs with a quirk of 8.1.9 and without it.
type situation struct {
	lab           func() *lab
	with, without string
}

// situations show a quirk each, and nothing else.
var situations = map[string]situation{
	"D1": {licences, "1 starts on a; 2 is reserved for on a at 0; 3 starts on b",
		"1 starts on a; 2 is reserved for on b at +90; 3 is reserved for on b at +180"},
	"D2": {func() *lab { // a parallel search leaves slot counts where the time should be
		l := newLab(4, 1).consumable("license", "5", model.ConsumeYes).pe("mpi", "$fill_up", 10)
		l.submit("-pe mpi 5 -R y")
		l.submit("-l license=4,h_rt=90 -R y")
		l.submit("-l license=5,h_rt=90 -R y")
		return l
	}, "1 waits; 2 starts on a; 3 is reserved for on a at 1", "1 waits; 2 starts on a; 3 is reserved for on a at 0"},
	"D3": {func() *lab { // the cluster is full
		l := newLab(1, 1)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		l.submit("-l h_rt=50 -R y")
		l.submit("-l h_rt=60 -R y")
		return l
	}, "2 is reserved for on a at +90; 3 waits", "2 is reserved for on a at +90; 3 is reserved for on a at +140"},
	"D4": {func() *lab { // the first job asks for more than there is
		l := newLab(1, 1).consumable("license", "5", model.ConsumeYes)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		l.submit("-l license=9 -R y")
		l.submit("-l h_rt=60 -R y")
		return l
	}, "2 waits; 3 is reserved for on a at +90", "2 waits; 3 waits"},
	"D5": {func() *lab { // the first start overloads its host
		l := newLab(2, 4)
		l.Policy.LoadAdjustments, l.Policy.LoadAdjustmentDecay =
			[]model.Setting{{Name: "np_load_avg", Value: "1"}}, time.Minute
		for i := range l.Hosts {
			l.Hosts[i].LoadReport = []model.Setting{{Name: "np_load_avg", Value: "1"}}
			l.Instances[i].LoadThresholds = []model.Setting{{Name: "np_load_avg", Value: "1.5"}}
		}
		l.submit("-q all.q@a")
		l.submit("-q all.q@a -R y")
		return l
	}, "1 starts on a; 2 starts on a", "1 starts on a; 2 waits"},
	"D11": {func() *lab { // there is a gap of 40 s before the reservation of job 3
		l := newLab(3, 1).consumable("license", "2", model.ConsumeYes)
		l.runs(10*time.Second, "-l license=1,h_rt=60", "all.q@a")
		l.runs(10*time.Second, "-l h_rt=20", "all.q@b")
		l.submit("-q all.q@a -l license=2,h_rt=100 -R y")
		l.submit("-q all.q@b -l license=1,h_rt=40 -R y")
		return l
	}, "3 is reserved for on a at +50; 4 is reserved for on b at +150",
		"3 is reserved for on a at +50; 4 is reserved for on b at +10"},
	"D13": {func() *lab {
		l := newLab(4, 2).pe("mpi", "$fill_up", 2).pe("mpi2", "$fill_up", 2)
		l.runs(20*time.Second, "-pe mpi 2 -l h_rt=120", "all.q@a=2")
		l.runs(10*time.Second, "-pe mpi2 2 -l h_rt=20", "all.q@b=2")
		l.submit("-pe mpi* 2 -l h_rt=50 -R y")
		return l
	}, "3 is reserved for on c×2 at +100", "3 is reserved for on c×2 at +10"},
	"D14": {ranged, "3 waits", "3 is reserved for on b×2+a×2 at +90"},
	"D16": {func() *lab {
		l := newLab(3, 2).pe("mpi", "$fill_up", 4).pe("mpi2", "$fill_up", 10)
		l.submit("-pe mpi* 2-4")
		l.submit("-pe mpi* 2-4")
		return l
	}, "1 starts on a×2+b×2; 2 waits", "1 starts on a×2+b×2; 2 starts on c×2"},
	"D17": {func() *lab { // bad.q is not for the parallel environment
		l := newLab(1, 4).pe("mpi", "$fill_up", 10)
		bad := l.Instances[0]
		bad.Name, bad.Queue, bad.PEs = "bad.q@a", "bad.q", nil
		l.Instances = append([]model.QueueInstance{bad}, l.Instances...)
		l.submit("-pe mpi 2")
		l.submit("-pe mpi 2")
		return l
	}, "1 starts on a×2; 2 starts on a+bad.q@a", "1 starts on a×2; 2 starts on a×2"},
	"D18": {func() *lab { // two queues on one host
		l := newLab(1, 1).pe("mpi", "$fill_up", 10)
		other := l.Instances[0]
		other.Name, other.Queue, other.SeqNo = "other.q@a", "other.q", 1
		l.Instances = append(l.Instances, other)
		l.submit("-pe mpi 2")
		return l
	}, "1 starts on other.q@a+a", "1 starts on a+other.q@a"},
	"D22": {func() *lab { // job 1 has host a for itself
		l := newLab(1, 2)
		l.Resources = append(l.Resources, model.Resource{Name: "alone", Type: model.TypeBool, Relop: model.Exclusive,
			Requestable: model.RequestYes, Consumable: model.ConsumeYes, Default: "0"})
		l.Hosts[0].Capacity = []model.Setting{{Name: "alone", Value: "TRUE"}}
		l.runs(10*time.Second, "-l h_rt=100,alone=TRUE", "all.q@a")
		l.submit("-l h_rt=10 -R y")
		return l
	}, "2 is reserved for on a at +0", "2 is reserved for on a at +90"},
	"D29": {func() *lab {
		l := newLab(1, 2)
		l.Resources = append(l.Resources, model.Resource{Name: "s_fsize", Type: model.TypeMemory, Relop: model.AtMost,
			Requestable: model.RequestYes, Consumable: model.ConsumeNo})
		l.Instances[0].Limits = append(l.Instances[0].Limits, model.Setting{Name: "s_fsize", Value: "INFINITY"})
		l.Queues = []model.Queue{{Name: "all.q", Attributes: []model.QueueAttribute{{Name: "s_fsize", Default: "INFINITY"},
			{Name: "s_data", Default: "100M"}}}}
		l.submit("-l s_fsize=1G")
		return l
	}, "1 waits", "1 starts on a"},
	"D19": {func() *lab { // what job 2 would like is on host b
		l := newLab(2, 3).pe("mpi", "$fill_up", 10)
		l.Resources = append(l.Resources, model.Resource{Name: "colour", Type: model.TypeString, Relop: model.Equal,
			Requestable: model.RequestYes, Consumable: model.ConsumeNo})
		l.Hosts[1].Capacity = []model.Setting{{Name: "colour", Value: "blue"}}
		l.submit("")
		l.submit("-pe mpi 9 -soft colour=blue")
		l.submit("-l h_rt=5")
		return l
	}, "1 starts on a; 2 waits; 3 starts on b", "1 starts on a; 2 waits; 3 starts on a"},
	"D20": {func() *lab { // a is full but comes first, and both are free at the same time
		l := newLab(3, 1).consumable("license", "1", model.ConsumeYes).pe("mpi", "$pe_slots", 1)
		l.Instances[1].SeqNo, l.Instances[2].SeqNo = 1, 2
		l.runs(10*time.Second, "-l license=1,h_rt=100", "all.q@a")
		l.submit("-q all.q@c -pe mpi 1")
		l.submit("-l license=1,h_rt=10 -R y")
		return l
	}, "2 starts on c; 3 is reserved for on b at +90", "2 starts on c; 3 is reserved for on a at +90"},
	// the parallel job wants a, b, c in this order, the third would like the host with the least load
	"D68": {func() *lab {
		l := newLab(3, 1).pe("mpi", "$fill_up", 3)
		for i, load := range []string{"3", "5", "1"} {
			l.Hosts[i].LoadReport = []model.Setting{{Name: "np_load_avg", Value: load}}
			l.Instances[i].SeqNo = i
		}
		for _, i := range []int{0, 2} {
			other := l.Instances[i]
			other.Name, other.Queue, other.PEs, other.SeqNo = "other.q@"+other.Host, "other.q", nil, 3
			l.Instances = append(l.Instances, other)
		}
		l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
		l.submit("-pe mpi 3 -q all.q -R y")
		l.submit("-l h_rt=10 -q other.q")
		return l
	}, "2 is reserved for on a+b+c at +90; 3 starts on other.q@a",
		"2 is reserved for on a+b+c at +90; 3 starts on other.q@c"},
	"D69": {func() *lab { // the licence is taken on b until +90, but nothing ends on a
		l := newLab(2, 4).consumable("license", "1", model.ConsumeYes).pe("mpi", "$fill_up", 10)
		l.Resources[len(l.Resources)-1].Default = "1"
		l.Policy.MaxReservation = 1
		l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
		l.submit("-pe mpi 1 -q all.q@a -R y")
		l.submit("-l h_rt=10 -R y")
		return l
	}, "2 is reserved for on  at +2145483647; 3 waits", "2 waits; 3 is reserved for on a at +90"},
	"D70": {func() *lab { // the reservation has mpi2
		l := newLab(1, 4).pe("mpi", "$fill_up", 10).pe("mpi2", "$fill_up", 10)
		l.Reserved = []model.AdvanceReservation{{Number: 7, State: "r", Start: noon.Add(-time.Minute),
			Duration: time.Hour, PE: "mpi2",
			Granted: []model.Grant{{Instance: "all.q@a", Slots: 2}}}}
		l.submit("-pe mpi 2 -l h_rt=60").Reservation = 7
		return l
	}, "1 starts on a×2", "1 waits"},
	"D21": {func() *lab {
		return tokenTaken("-pe mpi 2 -l token=1")
	}, "2 starts on b+a; 3 starts on b", "2 starts on b+a; 3 starts on a"},
	// the same, with two numbers of slots that both have a place
	"D72": {func() *lab {
		return tokenTaken("-pe mpi 1-2 -l token=1")
	}, "2 starts on b+a; 3 starts on a", "2 starts on b+a; 3 starts on b"},
	"D23": {func() *lab { // licences of the rule are free at +190, slots at +40
		l := newLab(4, 1).consumable("license", "9", model.ConsumeYes)
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true,
			Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "license", Value: "4"}, {Name: "slots", Value: "2"}}}}}}
		l.runs(10*time.Second, "-l license=4,h_rt=200", "all.q@a")
		l.runs(10*time.Second, "-l h_rt=50", "all.q@b")
		l.submit("-l license=4,h_rt=10 -R y")
		return l
	}, "3 is reserved for on c at +40", "3 is reserved for on c at +190"},
	"D62": {func() *lab { // short.q allows half a minute only, and both queues count in the quota
		l := newLab(1, 4).pe("mpi", "$fill_up", 10).consumable("license", "", model.ConsumeYes)
		short := l.Instances[0]
		short.Name, short.Queue, short.Limits = "short.q@a", "short.q", []model.Setting{{Name: "h_rt", Value: "0:0:30"}}
		l.Instances = append([]model.QueueInstance{short}, l.Instances...)
		l.Queues = []model.Queue{{Name: "short.q", Attributes: []model.QueueAttribute{{Name: "h_rt", Default: "0:0:30"}}}}
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true,
			Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "license", Value: "1"}}}}}}
		l.submit("-pe mpi 2 -l h_rt=60")
		l.submit("-pe mpi 1 -l h_rt=60") // for one slot the cluster queue as a whole is ruled out before
		l.submit("-pe mpi 2")
		return l
	}, "1 waits; 2 starts on a; 3 starts on short.q@a×2", "1 starts on a×2; 2 starts on a; 3 starts on short.q@a×2"},
	"D73": {func() *lab { // all.q@a is denied first, and all.q@b not looked at any more
		l := newLab(2, 4).pe("mpi", "$fill_up", 10)
		l.Policy.MaxReservation = 0
		other := l.Instances[1]
		other.Name, other.Queue, other.SeqNo = "other.q@b", "other.q", 1
		l.runs(10*time.Second, "", "all.q@b")
		l.Instances = append(l.Instances, other)
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true, Rules: []model.QuotaRule{{
			Queues: model.QuotaFilter{Set: true, Include: []string{"all.q"}}, Limits: []model.Setting{{Name: "slots", Value: "1"}}}}}}
		l.submit("-pe mpi 2")
		return l
	}, "2 starts on other.q@b+b", "2 starts on other.q@b×2"},
	"D66": {func() *lab { // the first set has no slot now and two at +90, the second has nine all the time
		l := newLab(1, 4).pe("mpi", "$fill_up", 10)
		l.runs(10*time.Second, "-pe mpi 2 -l h_rt=100", "all.q@a=2")
		for _, slots := range []string{"2", "9"} {
			l.Quotas = append(l.Quotas, model.QuotaSet{Name: "to" + slots, Enabled: true,
				Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "slots", Value: slots}}}}})
		}
		l.submit("-pe mpi 2 -l h_rt=60 -R y")
		return l
	}, "2 waits", "2 is reserved for on a×2 at +90"},
	"D24": {func() *lab {
		l := newLab(1, 4).pe("mpi", "$fill_up", 10)
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true,
			Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "h_rt", Value: "3600"}}}}}}
		l.submit("-pe mpi 2 -l h_rt=60")
		return l
	}, "1 waits", "1 starts on a×2"},
	"D28": {func() *lab { // the queue is closed from +100 to +200, and one of its two slots is taken until +500
		l := newLab(1, 2).pe("mpi", "$fill_up", 10)
		l.runs(10*time.Second, "-l h_rt=510", "all.q@a")
		l.Calendars = []model.Calendar{{Name: "night", Week: []model.WeekEntry{{State: "off",
			Times: []model.Daytime{{From: 3*time.Hour + 35*time.Minute, To: 3*time.Hour + 36*time.Minute + 40*time.Second}}}}}}
		l.Instances[0].Calendar = "night"
		l.submit("-pe mpi 2 -l h_rt=10 -R y")
		return l
	}, "2 is reserved for on a×2 at +200", "2 is reserved for on a×2 at +500"},
	"D38": {func() *lab { // task 1 was rescheduled
		l := newLab(2, 1)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		j := l.submit("-q all.q@a -t 2-3 -l h_rt=10 -R y")
		j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}},
			State: "Rq", Enrolled: true, Slots: 1})
		return l
	}, "2 is reserved for on a at +90; 2 is reserved for on a at +100; 2 is reserved for on a at +110",
		"2 is reserved for on a at +90; 2.2 is reserved for on a at +100; 2.3 is reserved for on a at +110"},
	"D45": {func() *lab { // queue all.q of host a runs more than it has slots
		l := newLab(1, 2).pe("mpi", "$fill_up", 10)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a=3")
		other := l.Instances[0]
		other.Name, other.Queue, other.Slots, other.Used, other.SeqNo = "other.q@a", "other.q", 8, 0, 1
		l.Instances = append(l.Instances, other)
		l.submit("-pe mpi 2 -l h_rt=10 -R y")
		return l
	}, "2 starts on a×2", "2 starts on other.q@a×2"},
}

// testedApart are the quirks of dispatching that take more than one run or show in something else, and their tests.
var testedApart = map[string]func(*testing.T){
	"D6":  TestRejectedForGood,
	"D7":  TestShorterOfTwoRunTimeLimitsCounts,
	"D15": TestRangesAreSearchedByExperience,
	"O1":  TestTicketsMoveJobs,
	"O12": TestInfinityEnds,
	"O16": TestTheClusterIsBookedWithEachGrant,
	"O17": TestGrantsOfAHostStandTogether,
	"O18": TestQuotaSetsKeepTheirOrder,
	"D61": TestTasksThatTheirQueueSuspendsRunOnForTheScheduler,
}

func TestEveryQuirkOfDispatchingChangesWhatHappens(t *testing.T) {
	for _, k := range quirk.Dispatch {
		c, ok := situations[k.ID]
		if !ok {
			if testedApart[k.ID] == nil {
				t.Errorf("no test shows %s: %s", k.ID, k.What)
			}
			continue
		}
		expect(t, k.ID, c.lab(), compat.Profiles["8.1.9"], c.with)
		expect(t, "without "+k.ID, c.lab(), without(k.ID), c.without)
	}
}

// ranged has a job that asks for two to four slots, all of which are free at +90.
func ranged() *lab {
	l := newLab(2, 2).pe("mpi", "$fill_up", 10)
	l.runs(10*time.Second, "-l h_rt=100", "all.q@a=2")
	l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
	l.submit("-pe mpi 2-4 -l h_rt=10 -R y")
	return l
}

// TestShorterOfTwoRunTimeLimitsCounts is quirk D7.
func TestShorterOfTwoRunTimeLimitsCounts(t *testing.T) {
	for q, want := range map[model.Quirks]time.Duration{compat.Profiles["8.1.9"]: 50 * time.Second,
		without("D7"): 100 * time.Second} {
		l := newLab(1, 1)
		l.submit("-l h_rt=100,s_rt=50")
		if got := l.plan(q).Decisions[0].Duration; got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestTicketsMoveJobs is quirk O1: of job 1 a task waits. Where the scheduler does not report tickets of
// waiting tasks, nothing moves.
func TestTicketsMoveJobs(t *testing.T) {
	for _, c := range []struct {
		profile string
		reports bool
		want    uint32
	}{{"8.1.9", true, 1}, {"9.1", true, 2}, {"9.1", false, 1}} {
		l := newLab(2, 1)
		l.Policy.ReportPendingTickets = c.reports
		j := l.runs(20*time.Second, "-t 1-2 -l h_rt=100", "all.q@a")
		j.Tasks = append(j.Tasks, model.Task{IDs: []model.Range{{Min: 2, Max: 2, Step: 1}}, State: "qw", Slots: 1})
		l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
		if got := l.plan(compat.Profiles[c.profile]).Lines[0].Job; got != c.want {
			t.Errorf("%+v: job %d comes first", c, got)
		}
	}
}

// TestInfinityEnds is quirk O12: job 2 waits for the licence that job 1 has, and asks for no run time either.
func TestInfinityEnds(t *testing.T) {
	const reserved = "2 is reserved for on b at +4294967285"
	for profile, want := range map[string]string{"8.1.9": "2 waits", "9.0": reserved, "9.1": reserved} {
		l := newLab(2, 1).consumable("license", "1", model.ConsumeYes)
		l.Policy.DefaultDuration = model.Forever
		l.runs(10*time.Second, "-l license=1", "all.q@a")
		l.submit("-l license=1 -R y")
		expect(t, profile, l, compat.Profiles[profile], want)
	}
}

// TestTheClusterIsBookedWithEachGrant is quirk O16: a job takes a licence on each of two hosts.
func TestTheClusterIsBookedWithEachGrant(t *testing.T) {
	for profile, want := range map[string]string{"8.1.9": "PGQQ", "9.0": "PGQGQ"} {
		l := newLab(2, 1).consumable("license", "2", model.ConsumeYes).pe("mpi", "$round_robin", 10)
		l.submit("-pe mpi 2 -l license=1")
		levels := ""
		for _, line := range l.plan(compat.Profiles[profile]).Lines {
			levels += line.Level
		}
		if levels != want {
			t.Errorf("%s: levels %s, want %s", profile, levels, want)
		}
	}
}

// TestGrantsOfAHostStandTogether is quirk O17: three slots in turn of two hosts, of which a has two queues.
func TestGrantsOfAHostStandTogether(t *testing.T) {
	for profile, want := range map[string]string{"8.1.9": "1 starts on a+b+other.q@a",
		"9.0": "1 starts on a+other.q@a+b"} {
		l := newLab(2, 1).pe("mpi", "$round_robin", 10)
		other := l.Instances[0]
		other.Name, other.Queue, other.SeqNo = "other.q@a", "other.q", 1
		l.Instances = append(l.Instances, other)
		l.submit("-pe mpi 3")
		expect(t, profile, l, compat.Profiles[profile], want)
	}
}

// TestQuotaSetsKeepTheirOrder is quirk O18: the first set counts the job that runs, and so moves behind the second.
func TestQuotaSetsKeepTheirOrder(t *testing.T) {
	for profile, want := range map[string]string{"8.1.9": "second first", "9.0": "first second"} {
		l := newLab(1, 2)
		limit := []model.Setting{{Name: "slots", Value: "5"}}
		first := model.QuotaRule{Limits: limit, Users: model.QuotaFilter{Set: true, Include: []string{"x"}}}
		l.Quotas = []model.QuotaSet{{Name: "first", Enabled: true, Rules: []model.QuotaRule{first, {Limits: limit}}},
			{Name: "second", Enabled: true,
				Rules: []model.QuotaRule{{Limits: limit, Users: model.QuotaFilter{Set: true, Include: []string{"u"}}}}}}
		l.runs(10*time.Second, "-u v", "all.q@a")
		l.submit("")
		var got []string
		for _, line := range l.plan(compat.Profiles[profile]).Lines {
			if line.State == "STARTING" && line.Level == "L" {
				got = append(got, line.Object)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", profile, got, want)
		}
	}
}

// TestRejectedForGood is quirk D6: a licence that is booked for ever is enough for no reservation to be made again.
func TestRejectedForGood(t *testing.T) {
	for q, want := range map[model.Quirks]string{compat.Profiles["8.1.9"]: "2 waits",
		without("D6"): "2 is reserved for on b at +990"} {
		l := newLab(2, 1).consumable("license", "1", model.ConsumeYes)
		l.Policy.DefaultDuration = model.Forever
		l.runs(10*time.Second, "-l license=1", "all.q@a")
		l.submit("-l license=1,h_rt=5 -R y")
		expect(t, "the first run", l, q, "2 waits")
		l.Policy.DefaultDuration = 1000 * time.Second
		expect(t, "the second run", l, q, want)
	}
}

// TestTasksThatTheirQueueSuspendsRunOnForTheScheduler is quirk D61: it shows in the lines of the schedule file.
func TestTasksThatTheirQueueSuspendsRunOnForTheScheduler(t *testing.T) {
	for q, want := range map[model.Quirks]string{compat.Profiles["8.1.9"]: "RUNNING", without("D61"): "SUSPENDED"} {
		l := newLab(1, 2)
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a").Tasks[0].State = "S"
		if p := l.plan(q); len(p.Lines) != 1 || p.Lines[0].State != want {
			t.Errorf("%+v, want %s", p.Lines, want)
		}
	}
}

// TestRangesAreSearchedByExperience is quirk D15: after a search that went wrong the next one begins with few slots.
func TestRangesAreSearchedByExperience(t *testing.T) {
	for q, want := range map[model.Quirks]string{
		compat.Profiles["8.1.9"]: "3 waits; 4 is reserved for on b×2+a×2 at +90",
		without("D15"):           "3 waits; 4 waits",
	} {
		l := ranged()
		l.submit("-pe mpi 2-4 -l h_rt=20 -R y")
		expect(t, "two ranges", l, q, want)
		if want := [3]int{-68, -34, -136}; q == compat.Profiles["8.1.9"] {
			m := memory.Memory{}
			l.Jobs = l.Jobs[:3]
			Run(l.Snapshot, Options{At: noon, Quirks: q, Memory: &m})
			if m.Weights != want {
				t.Errorf("weights %v, want %v", m.Weights, want)
			}
		}
	}
}

// tokenTaken is a cluster of two hosts with a token each, of which that of host a is taken, and a job that
// wants one as well.
func tokenTaken(job string) *lab {
	l := newLab(2, 4).consumable("token", "", model.ConsumeJob).pe("mpi", "$fill_up", 10)
	l.Policy.LoadAdjustments, l.Policy.LoadAdjustmentDecay = []model.Setting{{Name: "np_load_avg", Value: "1"}},
		time.Minute
	for i := range l.Hosts {
		l.Hosts[i].Capacity = []model.Setting{{Name: "token", Value: "1"}}
	}
	l.Instances[1].SeqNo = 1
	l.runs(10*time.Second, "-l token=1,h_rt=100", "all.q@a")
	l.submit(job)
	l.submit("")
	return l
}
