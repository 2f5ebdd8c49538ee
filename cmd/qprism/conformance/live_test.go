package conformance

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/recorded"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

var (
	liveJobs  = flag.Int("live.jobs", 0, "measure a run of a real master with so many waiting `jobs`")
	liveHosts = flag.Int("live.hosts", 200, "on so many simulated `hosts`")
	liveKeep  = flag.String("live.keep", "", "keep the bundles in this `folder`")
	liveFrom  = flag.String("live.from", "", "measure the bundles kept in this `folder` again, without a master")
)

// TestARealRunIsMeasured has a real master start jobs of 40 users and 16 categories on simulated hosts, by functional tickets, a share
// tree, urgency and -p; then once more, with its hosts full. It prints what the master says that its runs took (PROFILE=1) beside what
// ours take of the bundle captured before each, and compares what they start.
func TestARealRunIsMeasured(t *testing.T) {
	if *liveFrom != "" {
		rows := liveTable
		for n := range 2 {
			rows = append(rows, measured(t, liveRun(*liveFrom, n)))
		}
		t.Logf("%s\n%s", strings.Join(rows, "\n"), timedCommands(t, filepath.Join(*liveFrom, "0")))
		return
	}
	if *liveJobs == 0 {
		t.Skip("make bench-live")
	}
	m := master.Start(t, master.Options{})
	s, jobs := liveCluster(*liveJobs, *liveHosts)
	if err := m.Apply(s); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := m.SubmitAll(jobs); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d jobs were submitted in %.0f s", len(jobs), time.Since(begin).Seconds())
	dir := *liveKeep
	if dir == "" {
		dir = t.TempDir()
	}
	var tally dispatchTally
	watch := &watcher{tally: &tally, memory: &schedule.Memory{}}
	rows := liveTable
	for n := range 2 {
		run := liveRun(dir, n)
		err := m.Capture(run.Before)
		if err == nil {
			run.Runs, err = m.Trigger()
		}
		if err == nil {
			err = m.Capture(run.After)
		}
		if err != nil {
			t.Fatal(err)
		}
		watch.planRun(t, run)
		rows = append(rows, measured(t, run))
	}
	t.Logf("%s\n%s", tally.String(), strings.Join(rows, "\n"))
	if tally.runs != 2 || tally.sameTasks != 2 {
		t.Error("other tasks were started than planned")
	}
	t.Logf("whole commands, the middle of %d, least and most:\n%s", commandTimes, timedCommands(t, filepath.Join(dir, "0")))
}

// liveTable is the head of the table of runs.
var liveTable = []string{"| waiting jobs, hosts | starts | job order: master | its sorting | ours | ratio | " +
	"whole run: master | its processor | ours | our processor | ratio |", "|---|---|---|---|---|---|---|---|---|---|---|"}

// liveRun are the bundles around a run.
func liveRun(dir string, n int) master.Run {
	folder := filepath.Join(dir, fmt.Sprint(n))
	return master.Run{Number: n + 1, Before: filepath.Join(folder, "before"), After: filepath.Join(folder, "after")}
}

// commandTimes is how often a command is timed.
const commandTimes = 5

// timedCommands are rows of a table: what whole commands take on the bundles before and after a run, from the bundle to the screen.
func timedCommands(t *testing.T, run string) string {
	before, after := filepath.Join(run, "before"), filepath.Join(run, "after")
	program, store := filepath.Join(t.TempDir(), "qprism"), filepath.Join(t.TempDir(), "store.db")
	if out, err := exec.Command("go", "build", "-o", program, "qprism/cmd/qprism").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	job := middleJob(t, before)
	rows := []string{"| command | middle | least | most | memory |", "|---|---|---|---|---|"}
	for _, args := range [][]string{
		{"audit", after},
		{"priorities", before},
		{"plan", before},
		{"lint", before},
		{"why", job, before},
		{"forecast", before},
		{"what-if", before, "--set", "weight_urgency=1"},
		{"import", before, "--store", store},
		{"why", job, "--store", store},
	} {
		var seconds []float64
		most := int64(0)
		for range commandTimes {
			if args[0] == "import" {
				os.Remove(store)
			}
			c := exec.Command(program, args...)
			begin := time.Now()
			if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != 3 { // 3 is a finding
				t.Fatalf("%s: %v\n%s", args, err, out)
			}
			seconds = append(seconds, time.Since(begin).Seconds())
			most = max(most, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
		}
		slices.Sort(seconds)
		name := strings.NewReplacer(before, "BEFORE", after, "AFTER", store, "STORE").Replace(strings.Join(args, " "))
		rows = append(rows, fmt.Sprintf("| %s | %.2f s | %.2f s | %.2f s | %d MB |", name, seconds[commandTimes/2], seconds[0],
			seconds[commandTimes-1], most/1024))
	}
	return strings.Join(rows, "\n")
}

// middleJob is the job in the middle of the list.
func middleJob(t *testing.T, bundle string) string {
	jobs := recorded.OpenBundle(t, bundle).Jobs
	return fmt.Sprint(jobs[len(jobs)/2].Number)
}

// liveCluster is a cluster of hosts with four slots each, and jobs for it.
func liveCluster(jobs, hosts int) (s master.Scenario, list []master.Job) {
	s = master.Scenario{
		Complexes: []string{"lmem lmem MEMORY <= YES YES 0 0.001"},
		Queues:    []master.Object{{"qname": "all.q", "slots": "4"}},
		SchedConf: master.Object{"weight_tickets_functional": "10000", "weight_tickets_share": "10000", "weight_urgency": "0.1",
			"weight_ticket": "0.5", "weight_waiting_time": "0.01", "weight_priority": "1"},
	}
	tree := []string{"id=0\nname=Root\ntype=0\nshares=1\nchildnodes="}
	for i := range 40 {
		name := fmt.Sprintf("live%02d", i)
		s.Users = append(s.Users, master.Object{"name": master.Value(name), "fshare": master.Value(strconv.Itoa(100 * (1 + i%7)))})
		tree[0] += strings.Repeat(",", min(i, 1)) + strconv.Itoa(i+1)
		tree = append(tree, fmt.Sprintf("id=%d\nname=%s\ntype=0\nshares=%d\nchildnodes=NONE", i+1, name, 1+i%5))
	}
	s.ShareTree = strings.Join(tree, "\n") + "\n"
	for i := range hosts {
		s.Hosts = append(s.Hosts, master.Object{"name": master.Value(fmt.Sprintf("sim%04d", i)), "complex_values": "lmem=64G"})
	}
	for i := range jobs {
		list = append(list, master.Job{Name: "live", User: fmt.Sprintf("live%02d", i*i%40), Priority: -(i * 7 % 50),
			Resources: fmt.Sprintf("lmem=%dG,h_rt=%d", 1+i%4, 3600*(1+i/4%4))})
	}
	return s, list
}

// measured is a row of the table. It has what the master says of its run, and the middle of five runs of ours.
// The master says separately how long it computed priorities, and how long it sorted the jobs by them. It does not say how
// long it split the jobs into lists. Our time has all three.
func measured(t *testing.T, run master.Run) string {
	after := recorded.OpenBundle(t, run.After)
	its, known := lastProfile(after)
	if !known {
		t.Fatal("the master does not say how long its run took")
	}
	const times = 5
	var order, whole, cpu []float64
	starts, waiting := 0, 0
	before := recorded.OpenBundle(t, run.Before)
	quirks := quirksOf(before)
	actual, err := next.LastRun(before, after, lastrun.Options{Quirks: quirks})
	if err != nil {
		t.Fatal(err)
	}
	at := actual.At.At
	for range times {
		begin := time.Now()
		lists := split.Jobs(before, at, quirks, split.Assumed{Coming: true})
		ranked := priority.Rank(before, lists, at, quirks)
		order = append(order, time.Since(begin).Seconds())
		waiting = len(ranked.Pending)
		used := processor()
		begin = time.Now()
		plan := schedule.Run(before, schedule.Options{At: at, Quirks: quirks, Brief: true})
		whole, cpu = append(whole, time.Since(begin).Seconds()), append(cpu, processor()-used)
		starts = len(slices.DeleteFunc(plan.Decisions, func(d model.Decision) bool { return d.Verdict != model.Now }))
	}
	for _, list := range [][]float64{order, whole, cpu} {
		slices.Sort(list)
	}
	o, w, c := order[times/2], whole[times/2], cpu[times/2]
	return fmt.Sprintf("| %d, %d | %d | %.3f s | %.3f s | %.3f s | %.1f | %.3f s | %.3f s | %.3f s | %.3f s | %.1f |", waiting, *liveHosts,
		starts, its.order, its.sorting, o, (its.order+its.sorting)/o, its.run, its.scheduled, w, c, its.run/w)
}

// A profile has the seconds that a master with PROFILE=1 says of one run. It sorts no jobs if nothing is free.
type profile struct{ order, sorting, scheduled, run float64 }

// profileLines are the lines that a run writes, in this order.
var profileLines = []struct {
	said *regexp.Regexp
	of   func(*profile) *float64
}{
	{regexp.MustCompile(`PROF: job-order calculation took ([0-9.]+) s`), func(p *profile) *float64 { return &p.order }},
	{regexp.MustCompile(`PROF: job sorting took ([0-9.]+) s`), func(p *profile) *float64 { return &p.sorting }},
	{regexp.MustCompile(`PROF: scheduled in .*= ([0-9.]+)\):`), func(p *profile) *float64 { return &p.scheduled }},
	{regexp.MustCompile(`PROF: schedd run took: ([0-9.]+) s`), func(p *profile) *float64 { return &p.run }},
}

// lastProfile is what the master says of its last run that has ended. known is false if it says nothing.
func lastProfile(s *model.Snapshot) (last profile, known bool) {
	var now profile
	for i := range s.Trace {
		for n, line := range profileLines {
			m := line.said.FindStringSubmatch(s.Trace[i].Text)
			if m == nil {
				continue
			}
			if n == 0 {
				now = profile{}
			}
			if *line.of(&now), _ = strconv.ParseFloat(m[1], 64); n == len(profileLines)-1 {
				last, known = now, true
			}
		}
	}
	return last, known
}

// processor is how many seconds of processor this process has used.
func processor() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
