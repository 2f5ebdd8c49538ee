package act

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"qprism/fixtures/needs"
)

var (
	trialPBSNative = flag.String("trial.native", "", "of kind pbs: `words` that run a command as root, on the native side")
	trialPBSDriven = flag.String("trial.driven", "", "of kind pbs: the same of the server that is driven")
	trialPBSUsers  = flag.String("trial.users", "alice,bob,cathy", "of kind pbs: three `users` of both")
)

// A pbsSide is one of two PBS servers, each with four vnodes of four processors.
type pbsSide struct {
	*trialSide
	prefix []string
	users  map[string][]string // what runs a command as each
}

// TestTrialPBS prints a table of docs/how-to/external-scheduler.md: one server has a formula that says the wanted order, the
// other is driven. With kind pbsfaults the program is killed (SIGKILL) after half of the time, and started
// again after three quarters.
func TestTrialPBS(t *testing.T) {
	if *trialFor == 0 || !strings.HasPrefix(*trialKind, "pbs") {
		t.Skip("make trial KIND=pbs runs this")
	}
	needs.Program(t, "jq", "the program that says the order")
	native, driven := newPBSSide(t, *trialPBSNative, true), newPBSSide(t, *trialPBSDriven, false)
	native.must(t, "qmgr", "-c", "set server job_sort_formula = \"-1*walltime\"")
	driven.must(t, "qmgr", "-c", "set server job_sort_formula = job_priority")
	rng := rand.New(rand.NewPCG(*trialSeed, 7))
	feed := func() {
		j := randomPBSJob(rng)
		var both sync.WaitGroup
		for _, s := range []*pbsSide{native, driven} {
			both.Go(func() { s.submit(t, j) })
		}
		both.Wait()
	}
	for range *trialWaiting + trialHosts*processorsOfANode {
		feed()
	}
	dir := t.TempDir()
	drive := driven.drive(t, dir)
	for _, s := range []*pbsSide{native, driven} {
		s.must(t, "qmgr", "-c", "set server scheduling = true")
	}
	began := time.Now()
	end := began.Add(*trialFor)
	var all sync.WaitGroup
	for _, s := range []*pbsSide{native, driven} {
		all.Go(func() {
			for tick := time.NewTicker(time.Second); time.Now().Before(end); <-tick.C {
				s.look(t)
			}
		})
	}
	all.Go(func() {
		for ; time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
			for n := len(native.waiting()); n < *trialWaiting; n++ {
				feed()
			}
		}
	})
	killed, again := end, end
	if *trialKind == "pbsfaults" {
		time.Sleep(*trialFor / 2)
		killed = time.Now()
		must(t, syscall.Kill(-drive.Process.Pid, syscall.SIGKILL))
		_ = drive.Wait()
		time.Sleep(*trialFor / 4)
		again = time.Now()
		drive = driven.drive(t, dir)
	}
	all.Wait()
	for _, part := range []struct {
		name     string
		from, to time.Time
	}{{"in all", began.Add(trialInterval), end}, {"until it is killed", began.Add(trialInterval), killed},
		{"while it is dead", killed, again}, {"then", again, end}} {
		if !part.from.Before(part.to) {
			continue
		}
		natively := native.figures(part.from, part.to)
		t.Logf("%s: native: %s", part.name, natively.row())
		f := driven.figures(part.from, part.to)
		t.Logf("%s: driven: %s; from submission to a place: half of them %v, nine of ten %v",
			part.name, f.row(), quantile(f.ranked, 0.5),
			quantile(f.ranked, 0.9))
		large, _ := largeJobs(natively, f)
		t.Logf("%s: %s", part.name, large)
		for _, why := range f.why {
			t.Logf("%s: passed at %s", part.name, why)
		}
	}
	must(t, syscall.Kill(youngest(drive.Process.Pid), syscall.SIGTERM))
	_ = drive.Wait()
	driven.look(t)
	for _, j := range driven.waiting() {
		if !j.ranked.IsZero() && driven.priority[j.number] != 0 {
			t.Errorf("job %s keeps a -p of %d", j.number, driven.priority[j.number])
		}
	}
}

const processorsOfANode = 4

func newPBSSide(t *testing.T, words string, native bool) *pbsSide {
	t.Helper()
	if words == "" {
		t.Fatal("kind pbs needs -trial.native and -trial.driven, such as \"ssh root@pbs1\"")
	}
	s := &pbsSide{prefix: strings.Fields(words), users: map[string][]string{}, trialSide: &trialSide{native: native,
		perHost: processorsOfANode, chunk: processorsOfANode, by: map[string]*triedJob{}, priority: map[string]int{}}}
	for user := range strings.SplitSeq(*trialPBSUsers, ",") {
		group := strings.TrimSpace(s.must(t, "id", "-g", user))
		s.users[user] = []string{"setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups",
			"env", "USER=" + user, "LOGNAME=" + user}
	}
	s.must(t, "qmgr", "-c", "set server scheduling = false")
	s.must(t, "qmgr", "-c", "set server flatuid = true")
	if jobs := s.must(t, "qselect"); jobs != "" {
		s.must(t, append([]string{"qdel", "-W", "force"}, strings.Fields(jobs)...)...)
	}
	t.Cleanup(func() {
		if jobs := s.must(t, "qselect"); jobs != "" {
			s.must(t, append([]string{"qdel", "-W", "force"}, strings.Fields(jobs)...)...)
		}
	})
	return s
}

func (s *pbsSide) run(argv ...string) (string, error) {
	argv = append(slices.Clone(s.prefix), argv...)
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	return string(out), err
}

func (s *pbsSide) must(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := s.run(argv...)
	if err != nil {
		t.Errorf("%v: %v", argv, err)
	}
	return out
}

// randomPBSJob makes a job up: one of 25 is large, half of the cluster.
func randomPBSJob(rng *rand.Rand) trialJob {
	users := strings.Split(*trialPBSUsers, ",")
	j := trialJob{user: users[rng.IntN(len(users))], runtime: secondsOfATask + rng.IntN(41), slots: 1}
	if rng.IntN(25) == 0 {
		j.slots = 2 * processorsOfANode
	}
	return j
}

func (s *pbsSide) submit(t *testing.T, j trialJob) {
	chunks := "1:ncpus=1"
	if j.slots > 1 {
		chunks = fmt.Sprintf("%d:ncpus=%d", j.slots/processorsOfANode, processorsOfANode)
	}
	number := strings.TrimSpace(s.must(t, append(slices.Clone(s.users[j.user]), "qsub", "-j",
		"oe", "-o", "/dev/null", "-l",
		"select="+chunks, "-l", "walltime="+strconv.Itoa(j.runtime), "--", "/bin/sleep", strconv.Itoa(j.runtime-1))...))
	s.mu.Lock()
	defer s.mu.Unlock()
	job := &triedJob{number: number, user: j.user, runtime: j.runtime, slots: j.slots, came: time.Now(), ready: time.Now()}
	s.jobs, s.by[number] = append(s.jobs, job), job
}

// drive starts the program that decides.
func (s *pbsSide) drive(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	program := filepath.Join(dir, "decide")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\nexec "+shortestFirst+"\n"), 0o755))
	qprism, err := exec.LookPath("qprism")
	must(t, err)
	argv := append(slices.Clone(s.prefix), qprism, "--store", filepath.Join(dir, "store.db"),
		"drive", "--own", "all", "--policy",
		"external "+program, "--apply", "--interval", trialInterval.String(), "--lock-dir", filepath.Join(dir, "locks"))
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.OpenFile(filepath.Join(dir, "drive.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(t, err)
	cmd.Stdout, cmd.Stderr = log, log
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%.4000s", text)
		}
	})
	return cmd
}

// youngest is the program that others have started, one by one: its own children are shells.
func youngest(pid int) int {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if f := strings.Fields(string(children)); len(f) == 1 &&
		!strings.HasSuffix(strings.Split(string(text), "\x00")[0], "/qprism") {
		if child, err := strconv.Atoi(f[0]); err == nil {
			return youngest(child)
		}
	}
	return pid
}

// look notes what runs, and which jobs that wait have a -p of their own.
func (s *pbsSide) look(t *testing.T) {
	var list struct {
		Jobs map[string]struct {
			State     string `json:"job_state"`
			Start     string `json:"stime"`
			Vnodes    string `json:"exec_vnode"`
			Priority  int
			Resources struct{ NCPUs int } `json:"Resource_List"`
		}
	}
	text, err := s.run("qstat", "-f", "-F", "json")
	if err == nil {
		err = json.Unmarshal([]byte(text), &list)
	}
	if err != nil {
		t.Errorf("qstat: %v", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, used := time.Now(), used{at: time.Now()}
	for _, j := range s.jobs {
		is, there := list.Jobs[j.number]
		switch {
		case !there || is.State == "E" || is.State == "F":
			if !j.started.IsZero() && j.gone.IsZero() {
				j.gone = now
			}
		case is.State == "R":
			used.slots += is.Resources.NCPUs
			if j.started.IsZero() {
				if j.started, err = time.ParseInLocation(time.ANSIC, is.Start, time.Local); err != nil {
					j.started = now
				}
				j.on = vnodesOf(is.Vnodes)
			}
		case is.State == "Q":
			s.priority[j.number] = is.Priority
			if is.Priority != 0 && j.ranked.IsZero() {
				j.ranked = now
			}
		}
	}
	s.usage = append(s.usage, used)
}

// vnodesOf are the processors of a job on each vnode: "(n1:ncpus=4)+(n2:ncpus=4)". They count as the hosts of figures.
func vnodesOf(text string) map[string]int {
	on := map[string]int{}
	for part := range strings.SplitSeq(text, "+") {
		name, rest, _ := strings.Cut(strings.Trim(part, "()"), ":")
		_, amount, _ := strings.Cut(rest, "ncpus=")
		amount, _, _ = strings.Cut(amount, ":")
		n, _ := strconv.Atoi(amount)
		number, _ := strconv.Atoi(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz-"))
		on[fmt.Sprintf("node%02d", number)] += n
	}
	return on
}
