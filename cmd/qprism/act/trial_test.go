package act

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

var (
	trialFor = flag.Duration("trial", 0, "try serve beside the native scheduler, on twin masters, "+
		"for so `long` (make trial)")
	trialKind    = flag.String("trial.kind", "order", "order, rules, faults, pbs or pbsfaults")
	trialWaiting = flag.Int("trial.waiting", 50, "so many jobs wait")
	trialSeed    = flag.Uint64("trial.seed", 7, "of the jobs")
	trialKeep    = flag.String("trial.keep", "", "a `folder` for what the masters said, and each job's times")
)

const trialInterval = 10 * time.Second

// A trial is two masters: on one the native scheduler ranks jobs by the -p with which they were submitted,
// and goes by requests and a quota; the other one is driven by qprism serve through sshd and the gate, with
// a program that says the same order, and rules that say the same.
type trial struct {
	native, driven *trialSide
	server         *sshd.Server
	dir, config    string
	serving        *serving
	logs           []string // of servers that have ended
	rng            *rand.Rand
	began, end     time.Time
}

// TestTrial prints the tables of docs/how-to/external-scheduler.md. It fails where rules are broken, something stays held, or a
// request is not as it was.
func TestTrial(t *testing.T) {
	if *trialFor == 0 || strings.HasPrefix(*trialKind, "pbs") {
		t.Skip("make trial runs this for eight minutes")
	}
	sshd.Require(t, "jq")
	if *trialKeep != "" {
		must(t, os.MkdirAll(*trialKeep, 0o700))
	}
	tr := newTrial(t, *trialKind != "order")
	both := []*trialSide{tr.native, tr.driven}
	tr.prepare(t)
	for _, s := range both {
		must(t, onQueues(s.Master, "-e"))
		must(t, s.SetSchedConf(master.Object{"schedule_interval": "0:0:10", "params": monitored()}))
	}
	cpu := map[*trialSide]time.Duration{}
	for _, s := range both {
		cpu[s] = cpuOf(t, s.Master)
	}
	tr.began = time.Now()
	tr.end = tr.began.Add(*trialFor)
	var all sync.WaitGroup
	for _, s := range both {
		all.Go(func() { tr.watch(t, s) })
	}
	all.Go(func() {
		for ; time.Now().Before(tr.end); time.Sleep(500 * time.Millisecond) {
			for n := len(tr.native.waiting()); n < *trialWaiting; n++ {
				tr.feed(t)
			}
		}
	})
	if *trialKind == "faults" {
		tr.playFaults(t)
	}
	all.Wait()
	for name, s := range map[string]*trialSide{"native": tr.native, "driven": tr.driven} {
		f := s.figures(tr.began.Add(trialInterval), tr.end)
		t.Logf("%s: %s; master's processor %.1f %%", name, f.row(), 100*float64(cpuOf(t, s.Master)-cpu[s])/float64(*trialFor))
		for _, why := range f.why {
			t.Logf("%s: passed at %s", name, why)
		}
		for broken := range s.broke {
			if *trialKind == "rules" {
				t.Errorf("%s: %s", name, broken)
			}
		}
	}
	tr.compare(t)
	tr.serving.stop(t)
	tr.steps(t)
	tr.keep(t)
	tr.asSubmitted(t, "given back", func(text string) string { return text })
}

// prepare submits the jobs that wait from the beginning. Nothing starts on either side before all of them
// may, with their places: those whose seconds are over first would start first on one side, and it would
// begin with other jobs than its twin.
func (tr *trial) prepare(t *testing.T) {
	for _, s := range []*trialSide{tr.native, tr.driven} {
		must(t, onQueues(s.Master, "-d"))
	}
	for range *trialWaiting + trialHosts*slotsOfAHost {
		tr.feed(t)
	}
	const done = `msg=done .*task=drive `
	tr.serving = startServe(t, tr.config)
	tr.serving.await(t, done, 1)
	time.Sleep(verifierWaits)
	tr.serving.await(t, done, len(regexp.MustCompile(done).FindAllString(tr.serving.log(), -1))+2)
}

// onQueues disables all queues (-d), or enables them.
func onQueues(m *master.Master, option string) error {
	_, err := m.Run("qmod", option, "*")
	return err
}

func newTrial(t *testing.T, rules bool) *trial {
	tr := &trial{native: newTrialSide(t, true, rules), driven: newTrialSide(t, false, rules), dir: t.TempDir(),
		rng: rand.New(rand.NewPCG(*trialSeed, 7))}
	script, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	locks := filepath.Join(tr.dir, "locks")
	tr.server = sshTo(t, tr.driven.Master, `restrict,command="`+script+` -d `+locks+` -l `+
		filepath.Join(tr.dir, "gate.log")+` drive"`)
	tr.does(t, "well")
	program := filepath.Join(tr.dir, "decide")
	must(t, os.WriteFile(program, []byte(`#!/bin/sh
case $(cat `+tr.dir+`/mode) in
hangs) exec sleep 1000 ;;
garbage) echo %PDF-1.4; exit ;;
empty) exit ;;
fails) exit 1 ;;
esac
exec `+shortestFirst+`
`), 0o755))
	drive := fmt.Sprintf("    allow: drive\n    drive: {at: '@every %v', own: all, policy: 'external "+
		"%s', watchdog: %v, lock_dir: %s",
		trialInterval, program, 2*trialInterval, locks)
	if rules {
		file := filepath.Join(tr.dir, "rules.yaml")
		must(t, os.WriteFile(file, []byte(trialRules), 0o600))
		drive += ", rules: " + file
	}
	tr.config = configFor(t, tr.server, drive+"}\n")
	return tr
}

// shortestFirst orders jobs by the time that they ask for.
const shortestFirst = `jq -c '[.order as $o | .snapshot.jobs[] | select(.number | IN($o[])) |
	[(.hard[]? | select(.resource == "h_rt" or .resource == "walltime") | .amount), .number]] | sort | map(.[1])'`

// does says how the program behaves from now on.
func (tr *trial) does(t *testing.T, mode string) {
	must(t, os.WriteFile(filepath.Join(tr.dir, "mode"), []byte(mode), 0o600))
}

// feed submits a job to both.
func (tr *trial) feed(t *testing.T) {
	j := randomTrialJob(tr.rng, tr.native.rules)
	var both sync.WaitGroup
	for _, s := range []*trialSide{tr.native, tr.driven} {
		both.Go(func() { s.submit(t, j) })
	}
	both.Wait()
}

// watch looks at a side each second.
func (tr *trial) watch(t *testing.T, s *trialSide) {
	for tick := time.NewTicker(time.Second); time.Now().Before(tr.end); <-tick.C {
		s.look(t)
	}
}

// compare tells how long large jobs waited, and how soon jobs get their place.
func (tr *trial) compare(t *testing.T) {
	native, driven := tr.native.figures(tr.began, tr.end), tr.driven.figures(tr.began, tr.end)
	large, by := largeJobs(native, driven)
	t.Log(large)
	for _, job := range by {
		t.Log(job)
	}
	t.Logf("from submission to a place in the order: half of them %v, nine of ten %v, at most %v",
		quantile(driven.ranked, 0.5), quantile(driven.ranked, 0.9), quantile(driven.ranked, 1))
}

var driveLine = regexp.MustCompile(`msg=(?:done|failed) .*task=drive took=(\S+) .*orders=(\d+)`)

// steps tells how long steps took, and how many orders they gave.
func (tr *trial) steps(t *testing.T) {
	var took []time.Duration
	orders := 0
	for _, m := range driveLine.FindAllStringSubmatch(strings.Join(append(tr.logs, tr.serving.log()), "\n"), -1) {
		d, err := time.ParseDuration(m[1])
		must(t, err)
		n, _ := strconv.Atoi(m[2])
		took, orders = append(took, d), orders+n
	}
	t.Logf("%d steps, half of them in %v, nine of ten in %v; %.1f orders each; serve used %.1f %% of a processor",
		len(took), quantile(took, 0.5),
		quantile(took, 0.9), float64(orders)/float64(max(len(took), 1)),
		100*float64(tr.serving.cmd.ProcessState.UserTime()+tr.serving.cmd.ProcessState.SystemTime())/float64(*trialFor))
}

// asSubmitted fails where something is held, or a job that waits has another request than it came with.
func (tr *trial) asSubmitted(t *testing.T, when string, but func(string) string) {
	t.Helper()
	if held := tr.driven.inState(t, "ho"); len(held) > 0 {
		t.Errorf("%s: held are %v", when, held)
	}
	n, others := tr.others(but)
	for _, text := range others {
		t.Errorf("%s: job %s", when, text)
	}
	t.Logf("%s: of %d jobs that wait %d have other requests than they came with", when, n, len(others))
}

// others are the jobs that wait and have another request than they came with, of n.
func (tr *trial) others(but func(string) string) (n int, list []string) {
	var jobs []string
	for _, j := range tr.driven.waiting() {
		jobs = append(jobs, j.number)
	}
	for part := range slices.Chunk(jobs, 100) {
		for job, is := range tr.driven.describedNow(part) {
			tr.driven.mu.Lock()
			was := tr.driven.born[job]
			tr.driven.mu.Unlock()
			if was == "" {
				continue
			}
			if n++; but(is) != but(was) {
				list = append(list, fmt.Sprintf("%s was\n%s\nand is\n%s", job, was, is))
			}
		}
	}
	return n, list
}

// cpuOf is how much processor time a master has used.
func cpuOf(t *testing.T, m *master.Master) time.Duration {
	t.Helper()
	text, err := m.Run("sh", "-c", `cat "/proc/$(cat "$SGE_ROOT"/spool/qmaster/qmaster.pid)/stat"`)
	must(t, err)
	f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	user, err := strconv.Atoi(f[11])
	must(t, err)
	system, err := strconv.Atoi(f[12])
	must(t, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// playFaults lets something go wrong in each phase, and sees what becomes of the cluster.
func (tr *trial) playFaults(t *testing.T) {
	phases := []struct {
		name       string
		begin, end func()
		silent     bool
	}{
		{"nothing", func() {}, func() {}, false},
		{"the program hangs", func() { tr.does(t, "hangs") }, func() { tr.does(t, "well") }, false},
		{"it writes garbage", func() { tr.does(t, "garbage") }, func() { tr.does(t, "well") }, false},
		{"it writes nothing", func() { tr.does(t, "empty") }, func() { tr.does(t, "well") }, false},
		{"serve is killed", func() { tr.kill(t) }, func() { tr.serving = startServe(t, tr.config) }, true},
		{"the network is cut", func() { tr.cut(t) }, func() { must(t, tr.server.Start()) }, true},
		{"nothing any more", func() {}, func() {}, false},
	}
	each := *trialFor / time.Duration(len(phases))
	for i, p := range phases {
		from := tr.began.Add(time.Duration(i) * each)
		time.Sleep(time.Until(from))
		if p.silent {
			must(t, tr.driven.Await("something that is held", func() (bool, error) {
				return len(tr.driven.inState(t, "ho")) > 0, nil
			}))
		}
		p.begin()
		back := time.Duration(0)
		if p.silent {
			back = tr.awaitFree(from.Add(each))
			tr.asSubmitted(t, p.name, withoutPriority)
		}
		time.Sleep(time.Until(from.Add(each)))
		p.end()
		share, below := tr.held(from, from.Add(each))
		t.Logf("| %s | %.0f %% of native | below 90 %% for %v at most | given back after %v |",
			p.name, 100*share, below, back)
		if below > 3*trialInterval {
			t.Errorf("%s: usage was below 90 %% of native for %v", p.name, below)
		}
	}
}

func (tr *trial) kill(t *testing.T) {
	must(t, tr.serving.cmd.Process.Kill())
	<-tr.serving.done
	tr.logs = append(tr.logs, tr.serving.log())
}

// cut ends the ssh server and all its connections.
func (tr *trial) cut(t *testing.T) {
	must(t, tr.server.Cut())
	must(t, tr.server.Stop())
}

// awaitFree waits until all that was taken is given back, and says how long that took.
func (tr *trial) awaitFree(until time.Time) time.Duration {
	began := time.Now()
	for time.Now().Before(until.Add(-5 * time.Second)) {
		text, err := tr.driven.Master.Run("qstat", "-u", "*", "-s", "ho")
		if _, others := tr.others(withoutPriority); err == nil && text == "" && len(others) == 0 {
			break
		}
		time.Sleep(time.Second)
	}
	return time.Since(began).Round(time.Second)
}

// held is the share of native's usage that the driven side has in some time, and how long at most it was
// below nine tenths.
func (tr *trial) held(from, to time.Time) (share float64, below time.Duration) {
	at := func(s *trialSide) map[int64]int {
		s.mu.Lock()
		defer s.mu.Unlock()
		list := map[int64]int{}
		for _, u := range s.usage {
			list[u.at.Unix()] = u.slots
		}
		return list
	}
	native, driven, longest, run := at(tr.native), at(tr.driven), 0, 0
	sums := [2]float64{}
	for second := from.Unix(); second < to.Unix(); second++ {
		n, there := native[second]
		d, too := driven[second]
		if !there || !too {
			continue
		}
		sums[0], sums[1] = sums[0]+float64(n), sums[1]+float64(d)
		if run++; float64(d) >= 0.9*float64(n) {
			run = 0
		}
		longest = max(longest, run)
	}
	return sums[1] / max(sums[0], 1), time.Duration(longest) * time.Second
}
