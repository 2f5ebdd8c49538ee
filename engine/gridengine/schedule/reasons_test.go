package schedule

import (
	"testing"
	"time"

	"qprism/engine/model"
)

// TestReasonsNameWhatIsInTheWay has a job wait for each kind of obstacle.
func TestReasonsNameWhatIsInTheWay(t *testing.T) {
	for want, c := range map[string]struct {
		options string
		change  func(*lab)
	}{
		"resource": {options: "-l license=6"},
		"unknown resource": {options: "-l nowhere=1", change: func(l *lab) {
			l.Resources = append(l.Resources, model.Resource{Name: "nowhere", Type: model.TypeInt, Relop: model.AtMost,
				Requestable: model.RequestYes})
		}},
		"not requestable": {options: "-l license=1", change: func(l *lab) {
			l.Resources[4].Requestable = model.RequestNo
		}},
		"queue list":           {options: "-q other.q"},
		"queue type":           {change: func(l *lab) { l.Instances[0].Type = "INTERACTIVE" }},
		"access":               {change: func(l *lab) { l.Instances[0].ACL = []string{"staff"} }},
		"project":              {change: func(l *lab) { l.Instances[0].Projects = []string{"sea"} }},
		"parallel environment": {options: "-pe none 2"},
		"slots":                {options: "-pe mpi 9"},
		"forced resource":      {change: func(l *lab) { l.Resources[4].Requestable = model.RequestForced }},
		"checkpoint":           {change: func(l *lab) { l.Jobs[0].Checkpoint = "none" }},
		"quota": {change: func(l *lab) {
			l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true,
				Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "slots", Value: "0"}}}}}}
		}},
		"queue state, run ended": {change: func(l *lab) { l.Instances[0].State = "E" }},
		"load threshold, run ended": {change: func(l *lab) {
			l.Instances[0].LoadThresholds = []model.Setting{{Name: "np_load_avg", Value: "1.75"}}
		}},
		"hold":                {change: func(l *lab) { l.Jobs[0].Tasks[0].State = "hqw" }},
		"error state":         {change: func(l *lab) { l.Jobs[0].Tasks[0].State = "Eqw" }},
		"dependency":          {change: func(l *lab) { l.Jobs[0].Predecessors = []uint32{77} }},
		"execution time":      {change: func(l *lab) { l.Jobs[0].ExecutionTime = noon.Add(time.Hour) }},
		"advance reservation": {change: func(l *lab) { l.Jobs[0].Reservation = 5 }},
	} {
		l := newLab(1, 2).consumable("license", "5", model.ConsumeYes).pe("mpi", "$fill_up", 20)
		l.Policy.MaxReservation = 0
		l.submit(c.options)
		if c.change != nil {
			c.change(l)
		}
		p := l.plan(fixed)
		if len(p.Decisions) != 1 || p.Decisions[0].Verdict != model.Never || kinds(p.Decisions[0].Why) != want {
			t.Errorf("%s: got %s, %s", want, story(p), kinds(p.Decisions[0].Why))
		}
	}
}

// TestQueuesThatNobodyMayAskForAreNamed: -q is a request for the resource qname.
func TestQueuesThatNobodyMayAskForAreNamed(t *testing.T) {
	l := newLab(1, 1)
	l.Policy.MaxReservation = 0
	l.Resources = append(l.Resources, model.Resource{Name: "qname", Type: model.TypeString,
		Relop: model.Equal, Requestable: model.RequestNo})
	l.submit("-q all.q")
	if why := l.plan(fixed).Decisions[0].Why; kinds(why) != "not requestable" || why[0].Resource != "qname" {
		t.Errorf("%+v", why)
	}
}

// TestOfFullPlacesThoseThatWouldNeverTakeAJobAreTold: both are full, and b is for staff; whoever may go
// there waits for both.
func TestOfFullPlacesThoseThatWouldNeverTakeAJobAreTold(t *testing.T) {
	l := newLab(2, 1)
	l.Policy.MaxReservation = 0
	l.Instances[1].ACL = []string{"staff"}
	l.Usersets = append(l.Usersets, model.Userset{Name: "staff", ACL: true, Entries: []string{"anna"}})
	l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
	l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
	l.submit("-l h_rt=5")
	l.submit("-l h_rt=5")
	l.Jobs[3].Owner = "anna"
	p := l.plan(fixed)
	want := map[uint32]string{3: "access, full, run ended", 4: "full, run ended"}
	for i := range p.Decisions {
		if d := &p.Decisions[i]; kinds(d.Why) != want[d.Job] {
			t.Errorf("job %d: %s, want %s", d.Job, kinds(d.Why), want[d.Job])
		}
	}
	g := NewGate(l.Snapshot)
	if why, bars := g.Bars(&l.Jobs[2], "all.q@b"); !bars || why.Kind != model.ReasonAccess {
		t.Errorf("job 3 at b: %v, %v", why, bars)
	}
	if why, bars := g.Bars(&l.Jobs[3], "all.q@b"); bars {
		t.Errorf("job 4 at b: %v", why)
	}
}

// TestAJobTriedWhereNothingIsOpenWaitsForWhatIsFull: its like runs, the run reserves, and so the full
// places are looked at; whatever ends the run, each job has reasons of its own, and none names another job.
func TestAJobTriedWhereNothingIsOpenWaitsForWhatIsFull(t *testing.T) {
	for name, quirks := range map[string]model.Quirks{"the run goes on": fixed, "the run ends": {StopWhenFull: true}} {
		l := newLab(2, 1)
		l.Policy.MaxReservation = 3
		l.Instances[1].ACL = []string{"staff"}
		l.Usersets = append(l.Usersets, model.Userset{Name: "staff", ACL: true, Entries: []string{"anna"}})
		l.runs(10*time.Second, "-l h_rt=100", "all.q@a")
		l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
		l.submit("-l h_rt=100")
		l.submit("-l h_rt=100")
		l.submit("-l h_rt=5")
		l.Jobs[4].Owner = "anna"
		p := l.plan(quirks)
		want := map[uint32]string{3: "access, full", 4: "access, full", 5: "full"}
		if quirks.StopWhenFull {
			want[5] = "full, run ended"
		}
		for i := range p.Decisions {
			if d := &p.Decisions[i]; kinds(d.Why) != want[d.Job] {
				t.Errorf("%s: job %d: %s, want %s", name, d.Job, kinds(d.Why), want[d.Job])
			}
		}
		if len(p.Decisions) != 3 {
			t.Errorf("%s: %s", name, story(p))
		}
	}
}

// TestClosedQueueInstancesAreNamedOnceForAllJobs: b is full, c is disabled, d is overloaded.
func TestClosedQueueInstancesAreNamedOnceForAllJobs(t *testing.T) {
	l := newLab(4, 1)
	l.runs(10*time.Second, "-l h_rt=100", "all.q@b")
	l.Instances[2].State = "d"
	l.Instances[3].LoadThresholds = []model.Setting{{Name: "np_load_avg", Value: "1.75"}}
	l.submit("-l h_rt=5")
	p := expect(t, "", l, fixed, "2 starts on a")
	if len(p.Closed) != 3 || kinds(p.Closed) != "full, load threshold, queue state" ||
		p.Closed[0].Object != "all.q@b" || !p.Closed[2].Later {
		t.Errorf("got %+v", p.Closed)
	}
}

// TestReasonsAreSharedInACategory saves memory: a thousand jobs that ask for the same have one list.
func TestReasonsAreSharedInACategory(t *testing.T) {
	l := newLab(1, 1).consumable("license", "5", model.ConsumeYes)
	l.submit("-l license=6")
	l.submit("-l license=6")
	d := l.plan(fixed).Decisions
	if len(d) != 2 || len(d[0].Why) == 0 || &d[0].Why[0] != &d[1].Why[0] {
		t.Errorf("the reasons are not shared: %+v", d)
	}
}

// TestAReservationIsNamedWhereItIsInTheWay says that a licence is free and kept for somebody else.
func TestAReservationIsNamedWhereItIsInTheWay(t *testing.T) {
	l := newLab(3, 1).consumable("license", "5", model.ConsumeYes)
	l.runs(10*time.Second, "-l license=3,h_rt=100", "all.q@a")
	l.submit("-l license=5,h_rt=50 -R y")
	l.submit("-l license=2,h_rt=500")
	d := l.plan(fixed).Decisions
	if why := d[1].Why; d[1].Job != 3 || len(why) != 1 || !why[0].Reserved || !why[0].Later ||
		why[0].Resource != "license" {
		t.Errorf("got %+v", d[1])
	}
}

// TestEqualsAreNamedWhereTheirOrderIsNotKnown lists the queue instances that would have done as well.
func TestEqualsAreNamedWhereTheirOrderIsNotKnown(t *testing.T) {
	l := newLab(3, 1)
	l.submit("")
	if got := l.plan(fixed).Decisions[0].Tied; len(got) != 2 || got[0] != "all.q@b" || got[1] != "all.q@c" {
		t.Errorf("got %v", got)
	}
}

// TestTheInstanceChangedLongestAgoComesFirst starts jobs one a run; a memory knows what it saw start and end.
func TestTheInstanceChangedLongestAgoComesFirst(t *testing.T) {
	l := newLab(3, 1)
	run := func(want string) {
		t.Helper()
		l.submit("-l h_rt=100")
		p := expect(t, "", l, fixed, want)
		d := p.Decisions[len(p.Decisions)-1]
		j := &l.Jobs[len(l.Jobs)-1]
		j.Tasks = []model.Task{{IDs: d.Tasks, State: "r", Enrolled: true, Started: noon.Add(-time.Second),
			Granted: d.Slots, Slots: 1}}
	}
	end := func(job int) {
		l.Jobs[job-1].Tasks = nil
		p := l.plan(fixed) // a run in between sees the end
		if len(p.Decisions) != 0 {
			t.Errorf("got %s", story(p))
		}
	}
	run("1 starts on a")
	run("2 starts on b")
	run("3 starts on c")
	end(1)
	end(3)
	end(2)
	run("4 starts on a")
	run("5 starts on c")
	run("6 starts on b")
}
