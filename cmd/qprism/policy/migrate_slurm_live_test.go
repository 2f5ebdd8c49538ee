package policy

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/exporter/report"
	"qprism/fixtures/slurm"
)

var (
	slurmRecordings = flag.Int("slurm.recordings", 2,
		"how many `recordings` are migrated to a real Slurm, those with the most waiting jobs first")
	slurmMore = flag.String("slurm.more", "", "`folders` of more recordings, by commas")
)

// TestRealSlurmOrdersJobsAsAMigrationPromises migrates recordings, installs each by the steps of its report
// alone, submits the jobs that waited in the newest run at their times by qsub.py, and holds the order of
// sprio against Grid Engine's: it agrees as well as promised.
func TestRealSlurmOrdersJobsAsAMigrationPromises(t *testing.T) {
	t.Parallel()
	server := slurm.Start(t)
	jobs, refused, ran := 0, 0, 0
	list := slurmHistories(t)
	waiting := map[string]int{}
	for name, bundles := range list {
		waiting[name] = len(newestRun(t, bundles).Result.Pending)
	}
	longest := slices.SortedFunc(maps.Keys(list), func(a, b string) int {
		return cmp.Or(cmp.Compare(waiting[b], waiting[a]), strings.Compare(a, b))
	})
	for _, name := range longest[:min(*slurmRecordings, len(list))] {
		t.Run(name, func(t *testing.T) {
			n, not := migrateLive(t, server, list[name])
			jobs, refused, ran = jobs+n, refused+not, ran+1
		})
	}
	if jobs < 3*ran || ran == 0 {
		t.Errorf("%d jobs of %d recordings", jobs, ran)
	}
	t.Logf("%d jobs of %d recordings, %d refused as told", jobs, ran, refused)
}

// slurmHistories are the bundles of each recording of 8.1.9 with jobs that wait in its newest run.
func slurmHistories(t *testing.T) map[string][]string {
	list := map[string][]string{}
	for run := range recorded.Recordings(t) {
		name, _, _ := strings.Cut(run, " run ")
		if strings.HasPrefix(name, "8.1.9-") && list[name] == nil {
			list[name] = runsOf(t, name)
		}
	}
	for _, folder := range strings.FieldsFunc(*slurmMore, func(r rune) bool { return r == ',' }) {
		runs, err := filepath.Glob(filepath.Join(folder, "run*", "after"))
		if err != nil || len(runs) == 0 {
			t.Fatalf("%s has no runs (%v)", folder, err)
		}
		list["more-"+filepath.Base(folder)] = runs
	}
	maps.DeleteFunc(list, func(_ string, runs []string) bool {
		return len(runs) == 0 || len(newestRun(t, runs).Result.Pending) < 2
	})
	return list
}

func newestRun(t *testing.T, bundles []string) synthesis.Run {
	t.Helper()
	bundle, closer, err := subject.BundleAt(bundles[len(bundles)-1])
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	s := recorded.Read(t, bundle)
	_, quirks := compat.For(s.Release)
	run, err := synthesis.Look("newest", s, quirks)
	if err != nil {
		return synthesis.Run{}
	}
	return run
}

// migrateLive migrates one recording and compares the order.
func migrateLive(t *testing.T, server *slurm.Server, bundles []string) (jobs, refused int) {
	run := newestRun(t, bundles)
	folder, _, r := migrated(t, "slurm", bundles...)
	pending := map[uint32]*model.Job{}
	var order []synthesis.Placed
	for _, j := range run.Result.Pending {
		if pending[j.Job.Number] == nil {
			pending[j.Job.Number] = j.Job
			order = append(order, synthesis.Placed{Job: j.Job.Number, Value: j.Prio})
		}
	}
	queue := slices.SortedFunc(maps.Values(pending), func(a, b *model.Job) int {
		return cmp.Or(a.Submitted.Compare(b.Submitted), cmp.Compare(a.Number, b.Number))
	})
	for _, j := range queue {
		must(t, server.AddUsers(j.Owner))
	}
	for _, i := range run.Snapshot.Instances {
		must(t, server.AddHosts(i.Host))
	}
	c := server.Cluster(t, queue[0].Submitted.Add(-time.Second), "")
	rest := install(t, c, folder, r.Steps)
	operators := map[string]bool{}
	for _, j := range queue {
		if j.PosixPriority > 0 && !operators[j.Owner] { // as in Grid Engine, operators alone may
			_, err := c.Run("sacctmgr", "-i", "modify", "user", "where", "name="+j.Owner, "set", "adminlevel=Operator")
			must(t, err)
			operators[j.Owner] = true
		}
	}
	wrapper, err := c.Share(filepath.Join(folder, "qsub.py"))
	must(t, err)
	numbers := map[uint32]uint32{} // by those of Slurm
	for _, j := range queue {
		must(t, c.FreezeClock(j.Submitted))
		n, err := submitAsBefore(c, wrapper, j)
		if err != nil {
			t.Logf("job %d is refused: %v", j.Number, err)
			refused++
			continue
		}
		numbers[n] = j.Number
	}
	must(t, c.SetClock(queue[len(queue)-1].Submitted))
	must(t, c.KeepAges())
	cutOver(t, c, folder, rest, run.At)
	promised := promise(t, &r)
	got := synthesis.Agree("sprio", run.At, order, liveOrder(t, c, numbers), synthesis.Detail{Tops: []int{1}})
	if refused > 0 && !strings.Contains(r.Scope, fmt.Sprintf(" refuses %d,", refused)) {
		t.Errorf("%d jobs are refused, and the report says: %s", refused, r.Scope)
	}
	if got.Jobs != len(numbers) || got.Jobs != promised.Jobs {
		t.Errorf("%d jobs submitted, %d ordered, %d promised", len(numbers), got.Jobs, promised.Jobs)
	}
	if want := float64(promised.TauB); math.Abs(got.TauB-want) > 1e-9 && !(math.IsNaN(got.TauB) && math.IsNaN(want)) {
		t.Errorf("tau-b is %v, promised was %v", got.TauB, want)
	}
	t.Logf("%d jobs, tau-b %.4f, promised %.4f", got.Jobs, got.TauB, float64(promised.TauB))
	return got.Jobs, refused
}

// cutOver follows the rest of the steps at a moment. Where limits are enforced, the first priorities after
// a start know no age yet, and the second ones, a minute later, are those that count.
func cutOver(t *testing.T, c *slurm.Cluster, folder string, steps []report.Step, at time.Time) {
	t.Helper()
	conf, err := os.ReadFile(filepath.Join(folder, "priority.conf"))
	must(t, err)
	limits := bytes.Contains(conf, []byte("limits"))
	if must(t, c.SetClock(at)); limits {
		must(t, c.HurryClock(at.Add(-time.Minute)))
	}
	if install(t, c, folder, steps); !slices.ContainsFunc(steps,
		func(s report.Step) bool { return s.Command == "systemctl start slurmctld" }) {
		must(t, c.Stop()) // no usage is taken over, and priorities are computed at a start all the same
		must(t, c.Start())
	}
	if limits {
		must(t, c.AwaitPass(at.Add(-2*time.Second)))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// install follows the steps of a report until the controller runs, and returns those that are left.
func install(t *testing.T, c *slurm.Cluster, folder string, steps []report.Step) []report.Step {
	t.Helper()
	for i, s := range steps {
		switch s.Command {
		case "systemctl restart slurmctld", "systemctl start slurmctld":
			must(t, c.Stop())
			must(t, c.Start())
			return steps[i+1:]
		case "systemctl stop slurmctld":
			must(t, c.Stop())
		default:
			if strings.Contains(s.Command, "LOGIN") { // an example
				continue
			}
			out, err := c.Run("/bin/sh", "-ec", "cd "+folder+"\n"+s.Command)
			if err != nil {
				t.Fatalf("the step %q: %v", s.What, err)
			}
			t.Logf("%s: %d bytes", s.What, len(out))
		}
	}
	return nil
}

// submitAsBefore submits a job with the options of qsub.
func submitAsBefore(c *slurm.Cluster, wrapper string, j *model.Job) (uint32, error) {
	words := []string{"python3", wrapper, "-b", "y"}
	if j.PosixPriority != 0 {
		words = append(words, "-p", strconv.Itoa(j.PosixPriority))
	}
	if j.Project != "" {
		words = append(words, "-P", j.Project)
	}
	if j.PE != "" && len(j.PERange) > 0 {
		words = append(words, "-pe", j.PE, fmt.Sprintf("%d-%d", j.PERange[0].Min, j.PERange[0].Max))
	}
	for _, r := range j.Hard {
		words = append(words, "-l", r.Resource+"="+r.Value)
	}
	out, err := c.As(j.Owner, append(words, "sleep", "1")...)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimSpace(out), 10, 32)
	return uint32(n), err
}

// promise is how well the report says that the newest run agrees.
func promise(t *testing.T, r *report.Report) report.Run {
	t.Helper()
	c := r.Chosen()
	if c == nil || len(c.Runs) == 0 {
		t.Fatal("nothing is promised")
	}
	return c.Runs[len(c.Runs)-1]
}

// liveOrder is the order in which Slurm considers jobs, by the numbers that they had.
func liveOrder(t *testing.T, c *slurm.Cluster, numbers map[uint32]uint32) (list []synthesis.Placed) {
	t.Helper()
	out, err := c.Run("squeue", "-h", "-o", "%i %Q") // as sprio, but never more than there is room for
	must(t, err)
	type placed struct{ number, priority uint64 }
	var jobs []placed
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		n, err1 := strconv.ParseUint(f[0], 10, 32)
		v, err2 := strconv.ParseUint(f[1], 10, 64)
		must(t, cmp.Or(err1, err2))
		jobs = append(jobs, placed{n, v})
	}
	slices.SortFunc(jobs, func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.number, b.number))
	})
	for _, j := range jobs {
		list = append(list, synthesis.Placed{Job: numbers[uint32(j.number)], Value: float64(j.priority)})
	}
	return list
}

// TestRealSlurmTakesEveryLineOfTheTable submits each option of submit.txt twice, by qsub.py and in the
// words of the table: both jobs are the same, and what the option stands for.
func TestRealSlurmTakesEveryLineOfTheTable(t *testing.T) {
	t.Parallel()
	server := slurm.Start(t)
	bundles := runsOf(t, "8.1.9-prio-2")
	folder, _, r := migrated(t, "slurm", bundles...)
	c := server.Cluster(t, newestRun(t, bundles).At, "")
	must(t, server.AddUsers("usr1"))
	install(t, c, folder, r.Steps)
	wrapper, err := c.Share(filepath.Join(folder, "qsub.py"))
	must(t, err)
	run := func(words ...string) map[string]string {
		out, err := c.As("usr1", words...)
		must(t, err)
		out, err = c.Run("scontrol", "-o", "show", "job", strings.TrimSpace(out))
		must(t, err)
		job := map[string]string{}
		for _, f := range strings.Fields(out) {
			name, value, _ := strings.Cut(f, "=")
			job[name] = value
		}
		return job
	}
	table, err := os.ReadFile(filepath.Join(folder, "submit.txt"))
	must(t, err)
	same := []string{"Account", "Nice", "NumTasks", "NumCPUs", "TimeLimit", "Licenses", "JobName",
		"StdOut", "StdErr", "WorkDir", "Requeue",
		"ArrayTaskId", "ArrayTaskThrottle", "Dependency", "MailType", "SiteFactor"}
	for _, line := range slurmTable {
		if !strings.Contains(string(table), "\n"+line.row) {
			t.Errorf("submit.txt has no line %q", line.row)
		}
		from := run(append(append([]string{"python3", wrapper}, strings.Fields(line.qsub)...), "-b", "y", "true")...)
		to := run(append(append([]string{"sbatch", "--parsable"}, strings.Fields(line.sbatch)...), "--wrap", "true")...)
		for _, name := range same {
			a, b := from[name], to[name]
			if strings.HasPrefix(name, "Std") { // there is the number in it
				a, b = strings.Replace(a, from["JobId"], "N", 1), strings.Replace(b, to["JobId"], "N", 1)
			}
			if a != b {
				t.Errorf("%s: %s is %s by qsub.py, %s by %s", line.qsub, name, a, b, line.sbatch)
			}
		}
		if got := to[line.shows]; got != line.as {
			t.Errorf("%s: %s is %q, want %q", line.sbatch, line.shows, got, line.as)
		}
	}
	tried := len(slurmTable)
	for row := range strings.Lines(string(table)) {
		if strings.HasPrefix(row, "-") && !strings.Contains(row, "not translated") &&
			!strings.Contains(row, "no priority rises") &&
			!strings.HasPrefix(row, "-R y") &&
			!slices.ContainsFunc(slurmTable, func(l slurmLine) bool {
				return strings.HasPrefix(row, l.row)
			}) && !strings.HasPrefix(row, "-sync") &&
			!strings.HasPrefix(row, "-b y") {
			t.Errorf("nobody tries %s", row)
		}
	}
	t.Logf("%d lines of the table", tried)
}

// A slurmLine is a line of submit.txt: how it begins, options of qsub and of sbatch, and what scontrol shows of them.
type slurmLine struct{ row, qsub, sbatch, shows, as string }

var slurmTable = []slurmLine{
	{"-p N", "-p -7", "--nice=7", "Nice", "7"},
	{"-pe NAME N", "-pe smp 3-5", "--ntasks=3", "NumTasks", "3"},
	{"-l h_rt=T", "-l h_rt=1:30:00", "--time=0-01:30:00", "TimeLimit", "01:30:00"},
	{"-P PROJECT", "-P prj0", "--account=grp1", "JobState", "PENDING"},
	{"-t 1-9:2 -tc 3", "-t 1-9:2 -tc 3", "--array=1-9:2%3", "ArrayTaskThrottle", "3"},
	{"-hold_jid 1,2", "-hold_jid 1,2", "--dependency=afterany:1,afterany:2", "JobState", "PENDING"},
	{"-a 202612242300", "-a 203012242300", "--begin=2030-12-24T23:00:00", "StartTime", "2030-12-24T23:00:00"},
	{"-N NAME", "-N named", "--job-name=named", "JobName", "named"},
	{"-o FILE", "-o /tmp/$JOB_ID.o", "--output=/tmp/%j.o", "JobState", "PENDING"},
	{"-e FILE", "-e /tmp/e", "--error=/tmp/e", "StdErr", "/tmp/e"},
	{"-wd DIR", "-wd /var/tmp", "--chdir=/var/tmp", "WorkDir", "/var/tmp"},
	{"-h ", "-h", "--hold", "Priority", "0"},
	{"-r y, -r n", "-r n", "--no-requeue", "Requeue", "0"},
	{"-V, -v NAME=VALUE", "-V -v A=b", "--export=ALL,A=b", "JobState", "PENDING"},
	{"-m be", "-m be", "--mail-type=BEGIN,END", "JobState", "PENDING"},
	{"-l gpu=N", "-pe smp 2 -l gpu=1", "--ntasks=2 --licenses=gpu:2", "Licenses", "gpu:2"},
	{"-l high", "-l high", "--licenses=high:1", "Licenses", "high:1"},
	{"-l low", "-l low=TRUE", "--licenses=low:1", "Licenses", "low:1"},
	{"-l jtok=N", "-pe smp 2 -l jtok=1", "--ntasks=2 --licenses=jtok:1", "Licenses", "jtok:1"},
}
