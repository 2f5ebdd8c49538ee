package act

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"qprism/fixtures/master"
)

// The hosts of a trial, and their slots.
const (
	trialHosts     = 4
	slotsOfAHost   = 8
	carlsMost      = 6 // tasks at once, by rule or quota
	hostOfMPI      = "node04"
	staleness      = 3 * time.Second // what happened so shortly before a start need not be known
	secondsOfATask = 20              // at least
	verifierWaits  = 6 * time.Second // scripts/qprism-jsv
)

var hostsOfBen = []string{"node01", "node02"}

// A triedJob is a job of one side.
type triedJob struct {
	number, user  string
	slots         int
	runtime       int
	came, ready   time.Time // ready: it may start from then on
	ranked        time.Time // it was seen with a -p of its own
	started, gone time.Time // zero while it waits, or runs
	on            map[string]int
}

func (j *triedJob) String() string {
	return fmt.Sprintf("job %s (%s, %d s, %d slots)", j.number, j.user, j.runtime, j.slots)
}

// wantedBefore is the order of a trial: the shortest first.
func (j *triedJob) wantedBefore(o *triedJob) bool {
	return cmp.Or(cmp.Compare(j.runtime, o.runtime), cmp.Compare(len(j.number), len(o.number)),
		cmp.Compare(j.number, o.number)) < 0
}

func (j *triedJob) end() time.Time {
	if j.gone.IsZero() {
		return time.Now().Add(time.Hour)
	}
	return j.gone
}

// A trialSide is one of two masters that get the same jobs at the same time.
type trialSide struct {
	*room
	native, rules bool
	perHost       int // slots of each of the hosts
	chunk         int // so many slots of a large job are on one host at least

	mu       sync.Mutex
	jobs     []*triedJob
	by       map[string]*triedJob
	usage    []used
	priority map[string]int    // -p, of PBS
	born     map[string]string // what qstat -j told of jobs when they came
	broke    map[string]bool
}

// used are the slots in use at a moment.
type used struct {
	at    time.Time
	slots int
}

// newTrialSide is a master with 32 slots and a scheduler that runs every ten seconds. The native side ranks
// jobs by the -p with which they are submitted, and by nothing else; its rules are requests and a quota.
func newTrialSide(t *testing.T, native, rules bool) *trialSide {
	t.Helper()
	m := master.Start(t, master.Options{})
	s := master.Scenario{Queues: []master.Object{{"qname": "all.q", "slots": master.Value(
		strconv.Itoa(slotsOfAHost)), "pe_list": "mpi"}},
		PEs:   []master.Object{{"pe_name": "mpi", "slots": "900", "allocation_rule": "$fill_up"}},
		Users: []master.Object{{"name": "anna"}, {"name": "ben"}, {"name": "carl"}},
		SchedConf: master.Object{"weight_priority": "1", "weight_urgency": "0.1", "weight_ticket": "0.01",
			"max_reservation":   "4",
			"schedule_interval": "1:0:0"}}
	if native {
		s.SchedConf["weight_urgency"] = "0"
		if rules {
			s.RQS = "{\nname carls\ndescription NONE\nenabled TRUE\nlimit users carl to slots=" +
				strconv.Itoa(carlsMost) + "\n}\n"
		}
	}
	for i := range trialHosts {
		s.Hosts = append(s.Hosts, master.Object{"name": master.Value(fmt.Sprintf("node%02d", i+1))})
	}
	must(t, m.Apply(s))
	if rules && !native {
		installVerifier(t, m)
	}
	return &trialSide{room: &room{Master: m}, native: native, rules: rules, perHost: slotsOfAHost, chunk: 1,
		by: map[string]*triedJob{}, born: map[string]string{}, broke: map[string]bool{}}
}

// installVerifier lets new jobs wait for some seconds, as docs/how-to/external-scheduler.md says.
func installVerifier(t *testing.T, m *master.Master) {
	t.Helper()
	text, err := os.ReadFile("../../../scripts/qprism-jsv")
	must(t, err)
	file, err := m.Run("sh", "-c", `printf %s "$SGE_ROOT/$SGE_CELL/common/qprism-jsv"`)
	must(t, err)
	must(t, os.WriteFile(file, text, 0o755))
	must(t, setVerifier(m, "script:"+file, "ac,h,i,e,o,j,M,N,p,w,l_hard,l_soft,R,hold_jid"))
}

// trialRules are what the driven side is told.
const trialRules = `
- {jobs: [user=ben], hosts: [node01, node02]}
- {jobs: [user=carl], at_most: 6}
- {jobs: [pe=mpi], keep_free: 1, hosts: [node04]}
- {jobs: [all], pack: true}
`

// A trialJob is a job that both sides get.
type trialJob struct {
	user           string
	runtime, slots int
}

// randomTrialJob makes a job up: one of 25 is large, half of the cluster, and of rules those for MPI are as
// large as a host.
func randomTrialJob(rng *rand.Rand, rules bool) trialJob {
	j := trialJob{user: []string{"anna", "anna", "ben", "carl"}[rng.IntN(4)], runtime: secondsOfATask +
		rng.IntN(41), slots: 1}
	if rng.IntN(25) == 0 {
		j.user, j.slots = "anna", 2*slotsOfAHost
		if rules {
			j.slots = slotsOfAHost
		}
	}
	return j
}

// submit submits a job; large ones reserve. What qstat -j tells of it is noted before any step can know it.
func (s *trialSide) submit(t *testing.T, j trialJob) {
	m := master.Job{User: j.user, Runtime: &j.runtime, Resources: fmt.Sprintf("h_rt=%d", j.runtime)}
	if j.slots > 1 {
		m.PE, m.Reserve = fmt.Sprintf("mpi %d", j.slots), "y"
	}
	if s.native {
		m.Priority = -10 * j.runtime
		if s.rules {
			switch hosts := strings.Join(hostsOfBen, "|"); {
			case j.slots > 1:
			case j.user == "ben":
				m.Resources += ",hostname=(" + hosts + ")"
			default:
				m.Resources += ",hostname=!" + hostOfMPI
			}
		}
	}
	n, err := s.Submit(m)
	if err != nil {
		t.Errorf("submit: %v", err)
		return
	}
	job := &triedJob{number: fmt.Sprint(n), user: j.user, runtime: j.runtime, slots: j.slots,
		came: time.Now(), ready: time.Now()}
	if s.rules && !s.native {
		job.ready = job.ready.Add(verifierWaits)
	}
	born := ""
	if !s.native {
		born = s.describedNow([]string{job.number})[job.number]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.born[job.number] = born
	s.jobs, s.by[job.number] = append(s.jobs, job), job
}

// describedNow is described, of those jobs that are still there.
func (s *trialSide) describedNow(jobs []string) map[string]string {
	text, _ := s.Master.Run("qstat", "-j", strings.Join(jobs, ","))
	list := map[string]string{}
	for _, part := range strings.Split(text, strings.Repeat("=", 62)+"\n") {
		if f := strings.Fields(part); len(f) > 1 && f[0] == "job_number:" {
			list[f[1]] = changing.ReplaceAllString(part+"\n", "")
		}
	}
	return list
}

// waiting are the jobs that wait.
func (s *trialSide) waiting() (list []*triedJob) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if j.started.IsZero() {
			list = append(list, j)
		}
	}
	return list
}

var instanceLine = regexp.MustCompile(`^all\.q@(\S+) `)

// look notes what runs where, and which jobs that wait have a -p of their own.
func (s *trialSide) look(t *testing.T) {
	text, err := s.Master.Run("qstat", "-f", "-u", "*", "-pri")
	if err != nil {
		t.Error(err)
		return
	}
	now, host, running, total := time.Now(), "", map[string]map[string]int{}, 0
	s.keepLook(t, now, text)
	began, priorities := map[string]time.Time{}, map[string]string{}
	for line := range strings.Lines(text) {
		if m := instanceLine.FindStringSubmatch(line); m != nil {
			host = m[1]
			continue
		}
		f := strings.Fields(line) // job, prio, three terms, -p, name, user, state, date, time, slots
		if len(f) < 12 || s.job(f[0]) == nil {
			continue
		}
		if strings.Contains(f[8], "q") {
			priorities[f[0]] = f[5]
			continue
		}
		slots, err := strconv.Atoi(f[11])
		at, bad := time.ParseInLocation("01/02/2006 15:04:05", f[9]+" "+f[10], time.Local)
		if err != nil || bad != nil {
			t.Errorf("%q", line)
			continue
		}
		if running[f[0]] == nil {
			running[f[0]] = map[string]int{}
		}
		running[f[0]][host] += slots
		total += slots
		began[f[0]] = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage = append(s.usage, used{now, total})
	for number, on := range running {
		if j := s.by[number]; j.started.IsZero() {
			j.started, j.on = began[number], on
		}
	}
	for _, j := range s.jobs {
		if !j.started.IsZero() && j.gone.IsZero() && running[j.number] == nil {
			j.gone = now
		}
		if p := priorities[j.number]; p != "" && p != "0" && j.ranked.IsZero() {
			j.ranked = now
		}
	}
	s.holdRules(running)
}

func (s *trialSide) job(number string) *triedJob {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[number]
}

// holdRules notes each rule that what runs breaks.
func (s *trialSide) holdRules(running map[string]map[string]int) {
	if !s.rules {
		return
	}
	carls := 0
	for number, on := range running {
		j := s.by[number]
		if j.user == "carl" && j.slots == 1 {
			carls++
		}
		for host := range on {
			switch {
			case j.slots == 1 && host == hostOfMPI:
				s.broke["job "+number+" runs on the host that is kept for MPI"] = true
			case j.user == "ben" && j.slots == 1 && !slices.Contains(hostsOfBen, host):
				s.broke["job "+number+" of ben runs on "+host] = true
			}
		}
	}
	if carls > carlsMost {
		s.broke[fmt.Sprintf("%d jobs of carl run", carls)] = true
	}
}
