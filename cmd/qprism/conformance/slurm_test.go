package conformance

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/slurm/multifactor"
	"qprism/fixtures/slurm"
)

var (
	slurmN    = flag.Int("slurm.n", 2, "random `scenarios` of priorities to play on a real Slurm")
	slurmSeed = flag.Uint64("slurm.seed", 1, "`seed` of the random scenarios of Slurm")
)

// TestRealSlurmPrintsThePrioritiesOfTheModel plays random policies with usage on a real Slurm, and compares every digit that sprio prints,
// and the order.
func TestRealSlurmPrintsThePrioritiesOfTheModel(t *testing.T) {
	t.Parallel()
	server := slurm.Start(t)
	jobs, numbers, off := 0, 0, 0
	for i := range *slurmN {
		seed := *slurmSeed*1000 + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			k := playSlurm(t, server, randomSlurm(seed))
			jobs, numbers, off = jobs+k.jobs, numbers+k.numbers, off+k.off
		})
	}
	if jobs < 5**slurmN {
		t.Errorf("%d jobs in %d scenarios", jobs, *slurmN)
	}
	t.Logf("%d scenarios, %d jobs: %d of %d printed numbers agree", *slurmN, jobs, numbers-off, numbers)
}

// load makes users and associations.
func load(t *testing.T, server *slurm.Server, c *slurm.Cluster, k *slurmCase) {
	t.Helper()
	must(t, server.AddUsers(k.users...))
	file := filepath.Join(t.TempDir(), "load.cfg")
	must(t, os.WriteFile(file, []byte(fmt.Sprintf("Cluster - %s\n%s", c.Name, k.load)), 0o644))
	if !strings.Contains(run(t, c, "sacctmgr", "-nP", "show", "qos", "format=name"), "q3") { // all clusters have the same
		run(t, c, "sacctmgr", "-i", "add", "qos", "q1,q2,q3")
	}
	run(t, c, "sacctmgr", "-i", "load", "file="+file)
	for _, command := range k.admin {
		run(t, c, append([]string{"sacctmgr", "-i"}, strings.Fields(strings.ReplaceAll(command, "CLUSTER", c.Name))...)...)
	}
}

// A slurmCount is what was compared.
type slurmCount struct{ jobs, numbers, off int }

// playSlurm plays a scenario: associations, jobs at their times, usage, and a pass of the priorities.
func playSlurm(t *testing.T, server *slurm.Server, k *slurmCase) slurmCount {
	t.Helper()
	c := server.Cluster(t, k.start, k.lines)
	load(t, server, c, k)
	must(t, c.Start())
	now, nodes := k.start, map[uint32]int{}
	for _, j := range k.jobs {
		now = now.Add(j.after)
		must(t, c.SetClock(now))
		number, err := c.Submit(j.user, j.options...)
		if err != nil {
			t.Logf("refused: %v", err)
			continue
		}
		nodes[number] = j.nodes
	}
	must(t, c.KeepAges())
	must(t, c.Stop())
	must(t, c.SetUsage(slurmUsageByID(t, c, k)))
	must(t, c.SetLastPass(now.Add(-time.Minute)))
	must(t, c.SetClock(now.Add(k.since)))
	must(t, c.Start())
	return compareSlurm(t, c, k, now.Add(-time.Minute), nodes)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, c *slurm.Cluster, argv ...string) string {
	t.Helper()
	out, err := c.Run(argv...)
	must(t, err)
	return out
}

// rows are lines of fields.
func rows(text, separator string) (list [][]string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			list = append(list, strings.Split(line, separator))
		}
	}
	return list
}

// associations are what sacctmgr says of a cluster: number, account, user, parent, shares, priority.
func associations(t *testing.T, c *slurm.Cluster) [][]string {
	return rows(run(t, c, "sacctmgr", "-nP", "show", "assoc", "tree", "cluster="+c.Name,
		"format=id,account,user,parentname,fairshare,priority"), "|")
}

func slurmUsageByID(t *testing.T, c *slurm.Cluster, k *slurmCase) map[uint32]string {
	usage := map[uint32]string{}
	for _, a := range associations(t, c) {
		for _, u := range k.usage {
			if strings.TrimSpace(a[1]) == u.account && a[2] == u.user {
				id, err := strconv.ParseUint(strings.TrimSpace(a[0]), 10, 32)
				must(t, err)
				usage[uint32(id)] = u.value
			}
		}
	}
	return usage
}

// A slurmWorld is what our model is told.
type slurmWorld struct {
	policy   multifactor.Policy
	root     *multifactor.Assoc
	of       map[[2]string]*multifactor.Assoc // account, user
	priority map[*multifactor.Assoc]float64
	qos      map[string]float64
	parts    map[string]float64
	totals   map[string]map[string]float64 // of partitions
	fair     map[*multifactor.Assoc]float64
	at       time.Time
}

// compareSlurm compares what sprio, the controller and sshare say after a pass with what our model makes of the same.
func compareSlurm(t *testing.T, c *slurm.Cluster, k *slurmCase, last time.Time, nodes map[uint32]int) (n slurmCount) {
	t.Helper()
	w := readSlurm(t, c, k)
	var err error
	w.at, err = c.LastPass()
	must(t, err)
	w.fair = w.policy.Fair(w.root, multifactor.Decay(k.half, w.at.Sub(last)))
	jobs := map[string]map[string]string{}
	for _, j := range records(run(t, c, "scontrol", "-o", "show", "job")) {
		jobs[j["JobId"]] = j
	}
	var got, want []placed
	for _, row := range rows(run(t, c, "sprio", "-h", "-o", "%i|%r|%Y|%A|%B|%F|%J|%P|%Q|%N|%T|%a|%b|%f|%j|%p|%q"), "|") {
		j := jobs[strings.TrimSpace(row[0])]
		job := w.job(t, j, strings.TrimSpace(row[1]))
		job.Nodes = nodes[job.Number]
		parts := w.policy.Parts(job, w.at)
		n.jobs++
		n.row(t, row, w.print(parts), j)
		if !strings.Contains(j["Partition"], ",") { // of several the controller keeps each
			n.compare(t, "job "+row[0]+": the controller's priority", j["Priority"], fmt.Sprint(parts.Priority()))
			got, want = append(got, placed{float(t, j["Priority"]), job.Number}), append(want, placed{float64(parts.Priority()), job.Number})
		}
	}
	if order(got); !slices.Equal(got, order(want)) {
		t.Errorf("the order is %v, computed %v", got, want)
	}
	w.compareShares(t, c, &n)
	return n
}

// row compares a line of sprio.
func (n *slurmCount) row(t *testing.T, row, printed []string, j map[string]string) {
	t.Helper()
	for i, name := range []string{"PRIORITY", "AGE", "ASSOC", "FAIRSHARE", "JOBSIZE", "PARTITION", "QOS", "NICE", "TRES", "age", "assoc",
		"fairshare", "jobsize", "partition", "qos"} {
		n.compare(t, fmt.Sprintf("job %s in %s (%v): %s", row[0], row[1], j, name), strings.TrimSpace(row[i+2]), printed[i])
	}
}

func (n *slurmCount) compare(t *testing.T, what, got, want string) {
	t.Helper()
	if n.numbers++; got != want {
		n.off++
		t.Errorf("%s is %s, computed %s", what, got, want)
	}
}

// A placed job has a priority.
type placed struct {
	priority float64
	number   uint32
}

// order sorts jobs as they are considered.
func order(list []placed) []placed {
	slices.SortFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.number, b.number))
	})
	return list
}

// compareShares compares the factors of sshare.
func (w *slurmWorld) compareShares(t *testing.T, c *slurm.Cluster, n *slurmCount) {
	for _, row := range rows(run(t, c, "sshare", "-a", "-h", "-P", "-o", "Account,User,FairShare"), "|") {
		a := w.of[[2]string{strings.TrimSpace(row[0]), row[1]}]
		if a == nil || row[1] == "" {
			continue
		}
		n.compare(t, "sshare: "+row[1]+" in "+row[0], strings.TrimSpace(row[2]), fmt.Sprintf("%.6f", w.fair[a]))
	}
}

// print prints parts as sprio does. What it is sent was a million times as much on the way.
func (w *slurmWorld) print(p multifactor.Parts) []string {
	sent := func(v float64) float64 { return v * 1000000 / 1000000 }
	whole := func(v float64) string { return strconv.FormatFloat(sent(v), 'f', 0, 64) }
	normal := func(v float64, weight uint32) string {
		if weight == 0 {
			return "0.0000000"
		}
		return strconv.FormatFloat(sent(v)/float64(weight), 'f', 7, 64)
	}
	sum := sent(p.Age) + sent(p.Assoc) + sent(p.Fairshare) + sent(p.JobSize) + sent(p.Partition) + sent(p.QOS) - float64(p.Nice)
	var tres []string
	for i, v := range p.TRES {
		if sent(v) != 0 {
			sum += sent(v)
			tres = append(tres, w.policy.TRES[i].Name+"="+whole(v))
		}
	}
	weights := &w.policy.Weights
	return []string{strconv.FormatInt(int64(max(sum, 1)), 10), whole(p.Age), whole(p.Assoc), whole(p.Fairshare), whole(p.JobSize),
		whole(p.Partition), whole(p.QOS),
		strconv.FormatInt(p.Nice, 10), strings.Join(tres, ","), normal(p.Age, weights.Age), normal(p.Assoc, weights.Assoc),
		normal(p.Fairshare, weights.Fairshare),
		normal(p.JobSize, weights.JobSize), normal(p.Partition, weights.Partition), normal(p.QOS, weights.QOS)}
}

// records are lines of name=value.
func records(text string) (list []map[string]string) {
	for line := range strings.Lines(text) {
		r := map[string]string{}
		for _, word := range strings.Fields(line) {
			if name, value, ok := strings.Cut(word, "="); ok {
				r[name] = value
			}
		}
		list = append(list, r)
	}
	return list
}
