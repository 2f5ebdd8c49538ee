package conformance

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

var usageTime = flag.Duration("usage.time", 100*time.Second, "how `long` a real master divides slots by a share tree, to compare with a forecast")

// TestRealMasterKeepsTheShareTreeAsForecast lets a real execution host run jobs of four users with a share tree and
// a half-life of a tenth of the time. The forecast from a bundle of the begin has to start as many jobs of each user.
func TestRealMasterKeepsTheShareTreeAsForecast(t *testing.T) {
	master.Require(t)
	t.Parallel()
	dir := t.TempDir()
	begin := filepath.Join(dir, "before")
	keptApart(t, dir)
	if *conformanceKeep != "" {
		keep(t, dir, "usage")
	}
	before, after := recorded.OpenBundle(t, begin), recorded.OpenBundle(t, filepath.Join(dir, "after"))
	release, quirks := compat.For(before.Release)
	s := subject.NewSubject(before, release, lastrun.Options{Quirks: quirks})
	predicted := s.Batch.Forecast(forecast.Options{At: before.TakenAt, Latency: next.Latency(before)})
	want := startedAfter(after, before.TakenAt)
	sameUsers(t, ownersOf(before), predicted.Starts, want)
}

// keptApart plays the time, with a bundle of its begin, in which jobs run, and one of its end.
func keptApart(t *testing.T, dir string) {
	m := master.Start(t, master.Options{})
	if err := m.Apply(sharing(*usageTime)); err != nil {
		t.Fatal(err)
	}
	length := max(int((*usageTime / 50).Seconds()), 4)
	for i := range 240 {
		user := sharers[i%len(sharers)]
		seconds := length + i%3*length/2
		job := master.Job{Name: fmt.Sprintf("j%d", i), User: user.name, Runtime: &seconds, Resources: fmt.Sprintf("h_rt=%d", seconds+1)}
		if _, err := m.Submit(job); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.SetSchedConf(master.Object{"schedule_interval": "0:0:2"}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(*usageTime / 10)
	for _, name := range []string{"before", "after"} {
		if name == "after" {
			time.Sleep(*usageTime)
		}
		if err := m.Capture(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

var sharers = []struct {
	name   string
	shares int
}{{"ann", 40}, {"bob", 30}, {"cem", 20}, {"dee", 10}}

// sharing is a host with four slots, and a share tree whose usage is half forgotten in a tenth of the time.
func sharing(length time.Duration) master.Scenario {
	s := master.Scenario{Execd: true, Hosts: []master.Object{{"name": "exec"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "4", "load_thresholds": "NONE"}}}
	tree := "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1,2,3,4\n"
	for i, u := range sharers {
		s.Users = append(s.Users, master.Object{"name": master.Value(u.name)})
		tree += fmt.Sprintf("id=%d\nname=%s\ntype=0\nshares=%d\nchildnodes=NONE\n", i+1, u.name, u.shares)
	}
	s.ShareTree = tree
	half := max(int((length / 10).Minutes()), 1)
	s.SchedConf = master.Object{"weight_tickets_share": "100000", "weight_tickets_functional": "0", "weight_ticket": "1",
		"weight_urgency": "0", "weight_priority": "0", "job_load_adjustments": "NONE",
		"halflife_decay_list": master.Value(fmt.Sprintf("cpu=%d", half)), "flush_finish_sec": "1",
		"usage_weight_list": "cpu=1.000000,mem=0.000000,io=0.000000", "params": "MONITOR=1"}
	return s
}

func ownersOf(s *model.Snapshot) map[uint32]string {
	owners := map[uint32]string{}
	for i := range s.Jobs {
		owners[s.Jobs[i].Number] = s.Jobs[i].Owner
	}
	return owners
}

// sameUsers compares whose jobs start: how many of each user, and the user of each start in turn.
func sameUsers(t *testing.T, owner map[uint32]string, predicted []forecast.Start, actual map[taskName]time.Time) {
	names := make([]taskName, 0, len(actual))
	for id := range actual {
		names = append(names, id)
	}
	slices.SortFunc(names, func(a, b taskName) int { return actual[a].Compare(actual[b]) })
	n := min(len(names), len(predicted))
	if n == 0 {
		t.Fatal("nothing started")
	}
	want, got, same := map[string]int{}, map[string]int{}, 0
	for i := range n {
		a, p := owner[names[i].job], owner[predicted[i].Job]
		want[a]++
		got[p]++
		if a == p {
			same++
		}
	}
	t.Logf("%v, %d starts: of each user %v, forecast %v; %d of the same user in turn", *usageTime, n, want, got, same)
	off := 0
	for _, u := range sharers {
		off += max(want[u.name]-got[u.name], 0)
	}
	if float64(off) > 0.1*float64(n) {
		t.Errorf("%d of %d starts are of other users", off, n)
	}
}

// startedAfter are the starts after a moment, as the accounting file and qstat tell them.
func startedAfter(s *model.Snapshot, moment time.Time) map[taskName]time.Time {
	starts := map[taskName]time.Time{}
	for i := range s.Ended {
		if e := &s.Ended[i]; e.Started.After(moment) {
			starts[taskName{e.Job, e.Task}] = e.Started
		}
	}
	for i := range s.Jobs {
		for _, t := range s.Jobs[i].Tasks {
			if t.Started.After(moment) {
				starts[taskName{s.Jobs[i].Number, t.IDs[0].Min}] = t.Started
			}
		}
	}
	return starts
}
