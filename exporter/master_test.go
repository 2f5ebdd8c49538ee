package exporter_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
)

// A master stands in for a Grid Engine 8.1.9 master: its qalter, qstat and qconf answer word for word as the real ones did.
type master struct {
	user     string
	managers []string
	jobs     []*job // as submitted
	verify   func(p int) int
	refuses  string // what jsv_allowed_mod makes it say
	down     bool
	runEvery int // after so many listings the scheduler runs; 0 for never

	budget     int  // commands until the connection is cut; negative for no cut
	answerLost bool // the command at the cut is carried out, but its answer is lost
	executions int
	commands   [][]string
	listings   int
	locked     string // who has the lock of its host
	unlockable string // why nobody can take it
}

// A job is one of the master's.
type job struct {
	number  int
	p       int
	owner   string
	state   string
	npprior float64
}

func newMaster(n int) *master {
	m := &master{user: "root", managers: []string{"root", "sgeadmin"}, budget: -1, runEvery: 1}
	for i := range n {
		m.jobs = append(m.jobs, &job{number: i + 1, owner: fmt.Sprintf("user%d", i%5), state: "qw"})
	}
	m.schedule()
	return m
}

// schedule is a scheduler run: it computes posix priorities.
func (m *master) schedule() {
	for _, j := range m.jobs {
		j.npprior = float64(j.p+1024) / 2048
	}
}

func (m *master) job(number string) *job {
	for _, j := range m.jobs {
		if strconv.Itoa(j.number) == number {
			return j
		}
	}
	return nil
}

// order is the order of the last scheduler run.
func (m *master) order() (list []string) {
	jobs := slices.Clone(m.jobs)
	slices.SortFunc(jobs, func(a, b *job) int { return cmp.Or(cmp.Compare(b.npprior, a.npprior), a.number-b.number) })
	for _, j := range jobs {
		if j.state == "qw" {
			list = append(list, strconv.Itoa(j.number))
		}
	}
	return list
}

// priorities are the jobs' -p values.
func (m *master) priorities() map[int]int {
	p := map[int]int{}
	for _, j := range m.jobs {
		p[j.number] = j.p
	}
	return p
}

var errCut = errors.New("connection closed by remote host")

// Run is one remote execution.
func (m *master) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	m.executions++
	for _, argv := range commands {
		if m.budget == 0 {
			if m.answerLost {
				m.command(argv)
			}
			return results, errCut
		}
		m.budget--
		results = append(results, m.command(argv))
	}
	return results, nil
}

func (m *master) command(argv []string) exporter.Result {
	m.commands = append(m.commands, argv)
	switch name := strings.Join(argv[:min(2, len(argv))], " "); {
	case name == "id -un":
		return exporter.Result{Out: m.user + "\n"}
	case argv[0] == "qprism-lock" || argv[0] == "qprism-unlock":
		return m.lock(argv)
	case m.down:
		return exporter.Result{Out: "unable to send message to qmaster using port 6444 on host \"qmaster\": got send error\n",
			Err: "error: commlib error: got select error (Connection refused)\n", Exit: 1}
	case name == "qconf -sm":
		return exporter.Result{Out: strings.Join(m.managers, "\n") + "\n"}
	case name == "qconf -so":
		return exporter.Result{Err: "no operator defined\n", Exit: 1}
	case argv[0] == "qalter":
		return m.qalter(argv[2], strings.Split(argv[3], ","))
	case argv[0] == "qstat":
		return m.qstat()
	}
	return exporter.Result{Err: "command not found\n", Exit: 127}
}

// lock is what the shell of its host does. It knows no two shells: who has the lock has it until somebody gives it back.
func (m *master) lock(argv []string) exporter.Result {
	switch {
	case argv[0] == "qprism-unlock":
		m.locked = ""
	case m.unlockable != "":
		return exporter.Result{Err: m.unlockable, Exit: 1}
	case m.locked != "":
		return exporter.Result{Out: m.locked + "\n", Err: "qprism-lock: " + argv[1] + "/" + argv[2] + ".lock is locked\n", Exit: 75}
	default:
		m.locked = argv[3]
	}
	return exporter.Result{}
}

func (m *master) qalter(text string, jobs []string) exporter.Result {
	p, err := strconv.Atoi(text)
	if err != nil || p < -1023 || p > 1024 {
		return exporter.Result{Err: fmt.Sprintf("qalter: invalid priority %q.  Must be an integer from -1023 to 1024\n", text), Exit: 7}
	}
	var r exporter.Result
	for _, number := range jobs {
		line, ok := m.alter(p, number)
		if r.Out += line + "\n"; !ok {
			r.Exit = 1
		}
	}
	return r
}

func (m *master) alter(p int, number string) (line string, ok bool) {
	j := m.job(number)
	manager := slices.Contains(m.managers, m.user)
	switch {
	case m.refuses != "":
		return m.refuses, false
	case j == nil:
		return fmt.Sprintf("denied: job %q does not exist", number), false
	case !manager && j.owner != m.user:
		return fmt.Sprintf("denied: %q must be at least owner of job %s to change job attributes", m.user, number), false
	case !manager && p > j.p:
		return fmt.Sprintf("denied: %q must be operator to increase job priority", m.user), false
	}
	j.p = p
	if m.verify != nil {
		j.p = m.verify(p)
	}
	return fmt.Sprintf("%s@qmaster sets scheduling priority of job %s to %d", m.user, number, p), true
}

func (m *master) qstat() exporter.Result {
	if m.listings++; m.runEvery > 0 && m.listings%m.runEvery == 0 {
		m.schedule()
	}
	var b strings.Builder
	b.WriteString("<?xml version='1.0'?>\n<job_info  xmlns:xsd=\"http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/qstat.xsd\">\n  <queue_info>\n")
	for _, j := range m.jobs {
		if j.state == "r" {
			m.list(&b, j)
		}
	}
	b.WriteString("  </queue_info>\n  <job_info>\n")
	for _, number := range m.order() {
		m.list(&b, m.job(number))
	}
	b.WriteString("  </job_info>\n</job_info>\n")
	return exporter.Result{Out: b.String()}
}

func (m *master) list(b *strings.Builder, j *job) {
	fmt.Fprintf(b, "    <job_list state=\"pending\">\n      <JB_job_number>%d</JB_job_number>\n      <JAT_prio>%.5f</JAT_prio>\n      <JB_nppri>%.5f</JB_nppri>\n"+
		"      <JB_priority>%d</JB_priority>\n      <JB_name>a &amp; $(b) '\x01</JB_name>\n      <state>%s</state>\n    </job_list>\n", j.number,
		j.npprior, j.npprior, j.p, j.state)
}

// altered are the calls of qalter that came.
func (m *master) altered() (list []string) {
	for _, argv := range m.commands {
		if argv[0] == "qalter" {
			list = append(list, strings.Join(argv, " "))
		}
	}
	return list
}

// A journal keeps pushes in memory, and copies what it is given as a store does.
type journal struct {
	pushes []*model.Push
	drives []model.Drive // that are open
	locks  map[string]string
	budget int // writes until the disk is full; negative for never
}

func newJournal() *journal { return &journal{locks: map[string]string{}, budget: -1} }

var errFull = errors.New("no space left on device")

func (j *journal) write() error {
	if j.budget == 0 {
		return errFull
	}
	j.budget--
	return nil
}

func (j *journal) BeginPush(_ context.Context, p *model.Push) (int64, error) {
	if err := j.write(); err != nil {
		return 0, err
	}
	kept := *p
	kept.ID, kept.Orders = int64(len(j.pushes)+1), slices.Clone(p.Orders)
	j.pushes = append(j.pushes, &kept)
	return kept.ID, nil
}

func (j *journal) RecordOrders(_ context.Context, push int64, orders map[int]model.Order) error {
	if err := j.write(); err != nil {
		return err
	}
	for i, o := range orders {
		j.pushes[push-1].Orders[i] = o
	}
	return nil
}

func (j *journal) EndPush(_ context.Context, push int64, at time.Time, outcome string) error {
	if err := j.write(); err != nil {
		return err
	}
	j.pushes[push-1].Ended, j.pushes[push-1].Outcome = at, outcome
	return nil
}

func (j *journal) Push(_ context.Context, id int64) (*model.Push, error) {
	if id < 1 || id > int64(len(j.pushes)) {
		return nil, model.ErrNoPush
	}
	p := *j.pushes[id-1]
	p.Orders = slices.Clone(p.Orders)
	return &p, nil
}

func (j *journal) LastPush(ctx context.Context, cluster string) (*model.Push, error) {
	for i := len(j.pushes); i > 0; i-- {
		if j.pushes[i-1].Cluster == cluster {
			return j.Push(ctx, int64(i))
		}
	}
	return nil, model.ErrNoPush
}

func (j *journal) OpenDrives(context.Context, string) ([]model.Drive, error) { return j.drives, nil }

func (j *journal) Lock(_ context.Context, cluster, holder string) (release func(), other string, err error) {
	if other := j.locks[cluster]; other != "" {
		return nil, other, nil
	}
	j.locks[cluster] = holder
	return func() { delete(j.locks, cluster) }, "", nil
}
