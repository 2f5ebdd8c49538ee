package cycle_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/fairshare"
	"qprism/fixtures/archive"
	"qprism/importer/pbs"
)

// A truth is what the log of a real scheduler says of a scenario: truth.json of the recordings.
type truth struct {
	Steps []struct {
		Step   string // name of a snapshot, or "cycle"
		Epoch  int64
		Note   string
		Cycles []string // times of the cycles that the step caused
	}
	Cycles []cycleTruth
}

// A cycleTruth is one cycle as the log tells it.
type cycleTruth struct {
	Start      string
	Considered []string
	Run        []string
	NotRun     [][2]string `json:"not_run"`
	Topjobs    [][2]string
	Preempted  [][2]string
}

func (c *cycleTruth) at() time.Time {
	at, err := time.Parse("01/02/2006 15:04:05", c.Start)
	if err != nil {
		panic(err)
	}
	return at
}

// A scenario is a recording: snapshots, and what happened between them.
type scenario struct {
	name  string
	files fs.FS
	truth truth
	lines []string // of the accounting file
	snaps map[string]*model.Snapshot
}

// scenarios opens the recordings in fixtures; QPRISM_PBS_RECORDINGS names a folder of more.
func scenarios(t *testing.T) (list []*scenario) {
	t.Helper()
	names, err := filepath.Glob("../../../fixtures/pbs/*.tar.gz")
	if dir := os.Getenv("QPRISM_PBS_RECORDINGS"); dir != "" && err == nil {
		var more []string
		more, err = filepath.Glob(filepath.Join(dir, "*.tar.gz"))
		names = append(names, more...)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if s := openScenario(t, name); s != nil {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		t.Fatal("no recordings")
	}
	return list
}

// openScenario is nil for an archive that holds no recorded cycles.
func openScenario(t *testing.T, name string) *scenario {
	t.Helper()
	short := strings.TrimSuffix(filepath.Base(name), ".tar.gz")
	short = strings.ReplaceAll(short[strings.Index(short, "-")+1:], "-", "_")
	files := unpacked(t, name)
	s := &scenario{name: short, snaps: map[string]*model.Snapshot{}}
	for _, dir := range []string{".", short} {
		if sub, err := fs.Sub(files, dir); err == nil && s.open(sub) {
			return s
		}
	}
	return nil
}

// unpacked are the files of an archive.
func unpacked(t *testing.T, name string) fs.FS {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// eachSnapshot visits the snapshots of all recordings.
func eachSnapshot(t *testing.T, visit func(where string, s *model.Snapshot)) {
	t.Helper()
	for _, sc := range scenarios(t) {
		for _, step := range sc.truth.Steps {
			if s := sc.snapshot(t, step.Step); s != nil {
				visit(sc.name+"/"+step.Step, s)
			}
		}
	}
}

// recorded is one snapshot of a recording.
func recorded(t *testing.T, scenario, step string) *model.Snapshot {
	t.Helper()
	for _, s := range scenarios(t) {
		if s.name == scenario {
			return s.snapshot(t, step)
		}
	}
	t.Fatalf("no recording of %s", scenario)
	return nil
}

func (s *scenario) open(files fs.FS) bool {
	text, err := fs.ReadFile(files, "truth.json")
	if err != nil || json.Unmarshal(text, &s.truth) != nil {
		return false
	}
	if log, err := fs.ReadFile(files, "logs/accounting.txt"); err == nil {
		s.lines = strings.Split(string(log), "\n")
	}
	s.files = files
	return true
}

// snapshot reads one snapshot, nil where there is none.
func (s *scenario) snapshot(t *testing.T, step string) *model.Snapshot {
	t.Helper()
	if snap, done := s.snaps[step]; done {
		return snap
	}
	files, err := fs.Sub(s.files, step)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(files, "date.txt"); err != nil {
		s.snaps[step] = nil
		return nil
	}
	snap, err := pbs.Read(files, pbs.Options{})
	if err != nil {
		t.Fatalf("%s/%s: %v", s.name, step, err)
	}
	s.snaps[step] = snap
	return snap
}

// cycles are the cycles of a time in the log.
func (s *scenario) cycle(start string) *cycleTruth {
	for i := range s.truth.Cycles {
		if s.truth.Cycles[i].Start == start {
			return &s.truth.Cycles[i]
		}
	}
	return nil
}

// told is what a plan or a log tells of a cycle, each as one line.
type told struct {
	considered, run, placed, waits, tops, preempted string
}

var aspects = []string{"considered", "run", "placed", "reasons", "top jobs", "preempted"}

func (x told) list() []string {
	return []string{x.considered, x.run, x.placed, x.waits, x.tops, x.preempted}
}

// told is what log and accounting tell of a cycle, and the next snapshot of top jobs.
func (s *scenario) told(c *cycleTruth, after *model.Snapshot) told {
	waits := slices.DeleteFunc(slices.Clone(c.NotRun), func(p [2]string) bool {
		return strings.HasPrefix(p[1], "Job will run for duration=") // of a job that runs, shortened
	})
	preempted := pairs(c.Preempted)
	slices.Sort(preempted)
	placed := s.placements(c, after)
	return told{line(c.Considered), line(c.Run), line(placed), line(pairs(waits)), line(pairs(c.Topjobs)), line(preempted)}
}

// placements are where jobs were started, by accounting, and where top jobs are to start, by the next snapshot.
func (s *scenario) placements(c *cycleTruth, after *model.Snapshot) (placed []string) {
	for id, record := range s.records(c.at(), c.at().Add(2*time.Second), "S") {
		if _, rest, ok := strings.Cut(record, "exec_vnode="); ok && slices.Contains(c.Run, id) {
			vnodes, _, _ := strings.Cut(rest, " ")
			placed = append(placed, id+" "+vnodes)
		}
	}
	for _, top := range c.Topjobs {
		if after == nil {
			break
		}
		for _, j := range after.Jobs {
			if j.PBS.ID == top[0] && j.PBS.EstimatedStart.Format(logTime) == top[1] {
				placed = append(placed, top[0]+" "+j.PBS.EstimatedVnodes)
			}
		}
	}
	slices.Sort(placed)
	return placed
}

const logTime = "Mon Jan 2 15:04:05 2006"

// onlyOf leaves out the placements of a plan that nothing was recorded of: of resumed jobs, and top jobs
// that were gone.
func (x told) onlyOf(recorded told) told {
	of := func(line string) string { id, _, _ := strings.Cut(line, " "); return id }
	var ids []string
	for _, l := range strings.Split(recorded.placed, "; ") {
		ids = append(ids, of(l))
	}
	x.placed = line(slices.DeleteFunc(strings.Split(x.placed, "; "), func(l string) bool {
		return !slices.Contains(ids, of(l))
	}))
	return x
}

func line(list []string) string { return strings.Join(list, "; ") }

func pairs(list [][2]string) (lines []string) {
	for _, p := range list {
		lines = append(lines, p[0]+" "+p[1])
	}
	return lines
}

// tellPlan tells a plan as the log would.
func tellPlan(p *model.Plan, server string) told {
	l := listsOf(p, server, true)
	slices.Sort(l[2])
	slices.Sort(l[5]) // the hosts answer in an order of their own
	return told{line(l[0]), line(l[1]), line(l[2]), line(l[3]), line(l[4]), line(l[5])}
}

// lists are what a cycle did, aspect by aspect, a line each.
type lists [6][]string

// listsOf are those of a plan; impossible says whether the log tells of jobs that can never run once more.
func listsOf(p *model.Plan, server string, impossible bool) (l lists) {
	for i := range p.Decisions {
		d := &p.Decisions[i]
		job, task := jobID(d.Job, d.Tasks, server, true), jobID(d.Job, d.Tasks, server, false)
		if d.Tried {
			l[0] = append(l[0], job)
		}
		if d.Placed != "" {
			l[2] = append(l[2], task+" "+d.Placed)
		}
		switch d.Verdict {
		case model.Now:
			l[1] = append(l[1], task)
		case model.Later:
			l[4] = append(l[4], task+" "+d.Start.Format(logTime))
		}
		for _, why := range d.Why {
			l[3] = append(l[3], job+" "+why.Text)
			if impossible && why.Never && d.Tried {
				l[3] = append(l[3], job+" Job will never run with the resources currently configured in the complex")
			}
		}
	}
	for _, v := range p.Preempted {
		l[5] = append(l[5], jobID(v.Job, v.Tasks, server, false)+" Job preempted by "+v.Method)
	}
	return l
}

// jobID is the id of a job, or of an array of which the scheduler considers whatever subjob comes next.
func jobID(number uint32, tasks []model.Range, server string, array bool) string {
	switch {
	case len(tasks) == 0:
		return fmt.Sprintf("%d.%s", number, server)
	case array || len(tasks) > 1 || tasks[0].Min != tasks[0].Max:
		return fmt.Sprintf("%d[].%s", number, server)
	}
	return fmt.Sprintf("%d[%d].%s", number, tasks[0].Min, server)
}

// An input is the state of the cluster before a cycle.
type input struct {
	at    time.Time
	snap  *model.Snapshot
	usage *model.FairshareUsage // what the scheduler had charged when the cycle began, nil for as computed
}

// play plans a cycle after those before it, which the scheduler remembers.
func play(history []input, now input) *model.Plan {
	m := &cycle.Memory{}
	for _, h := range append(slices.Clone(history), now) {
		if m.Fairshare != nil && reloaded(history, h) {
			m.Fairshare.Reload(h.snap.PBS.Fairshare, h.at)
		}
		if h.usage != nil && m.Fairshare != nil {
			charge(m.Fairshare, h.usage)
		}
		plan := cycle.Run(h.snap, cycle.Options{At: h.at, Memory: m})
		if h == now {
			return plan
		}
	}
	return nil
}

// charge charges entities up to what a usage file says.
func charge(m *fairshare.Memory, u *model.FairshareUsage) {
	for _, r := range u.Records {
		n := m.Entity(r.Name)
		for by := r.Usage - n.Usage; n != nil; n = n.Parent {
			n.Usage += by
		}
	}
	m.End(true, nil)
}

// reloaded reports whether the scheduler read its files again since the cycle before, because they were changed.
func reloaded(history []input, h input) bool {
	i := slices.Index(history, h)
	if i < 0 {
		i = len(history)
	}
	if i == 0 {
		return false
	}
	was, is := &history[i-1].snap.PBS.SchedConfig, &h.snap.PBS.SchedConfig
	return !slices.Equal(was.Lines, is.Lines)
}

// How the input of a cycle is known.
const (
	fromSnapshot = iota // the snapshot before it is all
	fromRecords         // jobs came and went since, as accounting and the next snapshot tell
	fromNext            // waiting jobs, reservations or the configuration were changed since, as the next snapshot shows
	ways
)

var wayNames = []string{
	"by the snapshot alone", "with jobs that came and went since the snapshot",
	"with jobs, reservations or a configuration changed since the snapshot",
}

// TestPlansWhatARealSchedulerDid recomputes every recorded cycle that follows a snapshot.
func TestPlansWhatARealSchedulerDid(t *testing.T) {
	cycles, same, by := 0, make([]int, len(aspects)), make([]int, ways)
	for _, s := range scenarios(t) {
		var history []input
		for i := range s.truth.Steps {
			step, before, after := &s.truth.Steps[i], s.around(t, i, -1), s.around(t, i, 1)
			if step.Step != "cycle" || before == nil || len(step.Cycles) == 0 {
				continue
			}
			c := s.cycle(step.Cycles[0])
			cycles++
			name := s.name + " " + c.Start[11:]
			way, got, used := s.compute(history, c, before, after)
			history = append(history, used)
			want := s.told(c, after)
			differs := false
			for a := range aspects {
				if want.list()[a] == got.list()[a] {
					same[a]++
				} else if differs = true; causes[name] == "" {
					t.Errorf("%s (%s): %s\nwant %s\ngot  %s", name, step.Note, aspects[a], want.list()[a], got.list()[a])
				}
			}
			switch {
			case !differs && causes[name] != "":
				t.Errorf("%s is the same as recorded, and listed as an exception", name)
			case !differs:
				by[way]++
			default:
				t.Logf("%s (%s): %s", name, step.Note, causes[name])
			}
		}
	}
	for a, name := range aspects {
		t.Logf("%s: the same in %d of %d cycles", name, same[a], cycles)
	}
	for w, name := range wayNames {
		t.Logf("%d cycles the same in everything %s", by[w], name)
	}
}

// around is the nearest snapshot on one side of a step, nil where another cycle comes before it.
func (s *scenario) around(t *testing.T, i, by int) *model.Snapshot {
	for i += by; i >= 0 && i < len(s.truth.Steps); i += by {
		if name := s.truth.Steps[i].Step; name != "cycle" {
			return s.snapshot(t, name)
		} else if by < 0 {
			return nil
		}
	}
	return nil
}

// compute plans a cycle from what is known of its input, in the first way in which it comes out as recorded.
func (s *scenario) compute(history []input, c *cycleTruth, before, after *model.Snapshot) (
	way int, got told, used input) {
	server, want := before.PBS.Server.Name, s.told(c, after)
	for way = fromSnapshot; way < ways; way++ {
		snap := before
		switch {
		case way == fromRecords:
			snap = s.withChanges(before, after, c.at(), false)
		case way == fromNext && after == nil:
			return way, got, used
		case way == fromNext:
			snap = s.withConfiguration(s.withChanges(before, after, c.at(), true), after, before.TakenAt, c.at())
		}
		used = input{at: c.at(), snap: snap}
		if way == fromNext && after.PBS.Fairshare.Usage.Version != 0 {
			used.usage = &after.PBS.Fairshare.Usage
		}
		if got = tellPlan(play(history, used), server).onlyOf(want); got == want {
			return way, got, used
		}
	}
	return way, got, used
}

// withChanges is a snapshot without the jobs that ended since, and with those that came, as the next snapshot has them;
// altered ones that wait as well.
func (s *scenario) withChanges(before, after *model.Snapshot, until time.Time, altered bool) *model.Snapshot {
	gone, came := s.records(before.TakenAt, until, "EAD"), s.records(before.TakenAt, until, "Q")
	rerun, resumed := s.records(before.TakenAt, until, "R"), s.records(before.TakenAt, until, "r")
	later, n := map[string]model.Job{}, *before
	if after != nil {
		for _, j := range after.Jobs {
			later[j.PBS.ID] = earlier(j, after.TakenAt.Sub(before.TakenAt))
		}
	}
	n.Jobs = nil
	for _, j := range before.Jobs {
		now, known := later[j.PBS.ID]
		waits := strings.Contains("QHW", j.PBS.State)
		delete(came, j.PBS.ID)
		switch {
		case gone[j.PBS.ID] != "":
		case altered && rerun[j.PBS.ID] != "" && !waits:
			n.Jobs = append(n.Jobs, waiting(j))
		case altered && resumed[j.PBS.ID] != "" && j.PBS.State == "S":
			p := *j.PBS
			p.Substate, j.PBS = 45, &p // the scheduler is to resume it
			n.Jobs = append(n.Jobs, j)
		case altered && waits && known:
			n.Jobs = append(n.Jobs, waiting(now))
		default:
			n.Jobs = append(n.Jobs, j)
		}
	}
	started := s.records(before.TakenAt, until.Add(-time.Second), "S")
	if after != nil {
		for _, j := range after.Jobs {
			if id := j.PBS.ID; came[id] != "" && gone[id] == "" {
				n.Jobs = append(n.Jobs, running(waiting(later[id]), started[id]))
			}
		}
	}
	n.Hosts = occupied(&n)
	return &n
}

// earlier is a job of a snapshot as it was some time before.
func earlier(j model.Job, by time.Duration) model.Job {
	p := *j.PBS
	if p.AccrueType == 2 {
		p.EligibleTime = max(0, p.EligibleTime-by)
	}
	j.PBS = &p
	return j
}

// records are the jobs or reservations with an accounting record of some types since a moment, and the last
// such record.
func (s *scenario) records(since, until time.Time, types string) map[string]string {
	return records(s.lines, since, until, types)
}

func records(lines []string, since, until time.Time, types string) map[string]string {
	ids := map[string]string{}
	for _, l := range lines {
		f := strings.SplitN(l, ";", 4)
		if len(f) < 4 || !strings.Contains(types, f[1]) {
			continue
		}
		if at, err := time.Parse("01/02/2006 15:04:05", f[0]); err == nil && at.Unix() >= since.Unix() && !at.After(until) {
			ids[f[2]] = l
		}
	}
	return ids
}

// waiting is a job as it was before it started.
func waiting(j model.Job) model.Job {
	p := *j.PBS
	if p.State == "R" {
		p.State, p.ExecVnode, p.ExecHost, p.Started, p.Used, p.Substate = "Q", "", "", time.Time{}, nil, 10
	}
	j.PBS = &p
	return j
}

// running is a job as it was after it started, by the accounting record; unchanged without one.
func running(j model.Job, record string) model.Job {
	_, rest, ok := strings.Cut(record, "exec_vnode=")
	if !ok {
		return j
	}
	p := *j.PBS
	p.ExecVnode, _, _ = strings.Cut(rest, " ")
	p.Started, _ = time.Parse("01/02/2006 15:04:05", record[:19])
	p.State, p.Substate, p.Preempted = "R", 42, time.Time{}
	j.PBS = &p
	return j
}

// occupied are the hosts as their jobs and reservations occupy them.
func occupied(s *model.Snapshot) []model.Host {
	hosts, jobs, sums := slices.Clone(s.Hosts), map[string][]string{}, map[string]map[string]float64{}
	for _, j := range s.Jobs {
		if j.PBS.ExecVnode != "" && strings.Contains("RE", j.PBS.State) && j.PBS.Reservation == "" {
			for _, vnode := range addAll(sums, j.PBS.ExecVnode) {
				jobs[vnode] = append(jobs[vnode], j.PBS.ID)
			}
		}
	}
	for _, r := range s.PBS.Reservations {
		if r.State == "RESV_RUNNING" {
			addAll(sums, r.Nodes)
		}
	}
	for i := range hosts {
		h, p := &hosts[i], *hosts[i].PBS
		p.Jobs, p.Assigned = jobs[h.Name], nil
		for _, name := range slices.Sorted(maps.Keys(sums[h.Name])) {
			p.Assigned = append(p.Assigned, model.Setting{Name: name, Value: amountText(name, sums[h.Name][name])})
		}
		p.State = slices.DeleteFunc(slices.Clone(p.State), func(s string) bool {
			return s == "job-busy" || s == "free" || s == "job-exclusive"
		})
		if total, _ := model.Text(h.Capacity, "ncpus"); len(p.Jobs) > 0 && fmt.Sprint(sums[h.Name]["ncpus"]) == total {
			p.State = append(p.State, "job-busy")
		}
		if len(p.State) == 0 {
			p.State = []string{"free"}
		}
		h.PBS = &p
	}
	return hosts
}

func amountText(resource string, amount float64) string {
	if resource == "mem" {
		return fmt.Sprintf("%.0fkb", amount)
	}
	return fmt.Sprint(amount)
}

// addAll adds what exec_vnode has of vnodes, and lists them.
func addAll(sums map[string]map[string]float64, execVnode string) (vnodes []string) {
	for _, a := range accounting.PerVnode(execVnode) {
		vnodes = append(vnodes, a.Vnode)
		if sums[a.Vnode] == nil {
			sums[a.Vnode] = map[string]float64{}
		}
		for name, amount := range a.Of {
			sums[a.Vnode][name] += amount
		}
	}
	return vnodes
}

// withConfiguration is a snapshot with the configuration, the reservations and the fairshare usage of the next one: the
// scheduler writes the usage file when it has charged what was used until the cycle.
func (s *scenario) withConfiguration(snap, next *model.Snapshot, since, until time.Time) *model.Snapshot {
	n, p := *snap, *snap.PBS
	n.PBS, n.Queues, n.Resources = &p, slices.Clone(next.Queues), next.Resources
	for i := range n.Queues {
		q := *n.Queues[i].PBS
		q.Assigned, n.Queues[i].PBS = nil, &q
	}
	p.Server, p.Schedulers, p.SchedConfig, p.Formula = next.PBS.Server, next.PBS.Schedulers,
		next.PBS.SchedConfig, next.PBS.Formula
	p.Holidays, p.Dedicated = next.PBS.Holidays, next.PBS.Dedicated
	p.Fairshare.Policy, p.Fairshare.Groups = next.PBS.Fairshare.Policy, next.PBS.Fairshare.Groups
	requested := s.records(since, until, "U")
	p.Reservations = slices.Clone(next.PBS.Reservations)
	for i := range p.Reservations {
		if r := &p.Reservations[i]; requested[r.ID] != "" {
			r.State, r.Nodes = "RESV_UNCONFIRMED", ""
		}
	}
	n.Hosts = occupied(&n)
	return &n
}

// causes are those of the cycles that cannot be planned from what their snapshots tell, by scenario and time.
var causes = map[string]string{
	"probes 08:59:50": "the only snapshot is a minute older; all jobs of the cycle came after it " +
		"and were gone before the next one",
	"reservations 08:22:08": "pbs_ralter came after the last snapshot: no command printed the reservation as it was to be",
}
