package conformance

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/slurm/multifactor"
	"qprism/fixtures/slurm"
)

// readSlurm reads a cluster from what its commands print.
func readSlurm(t *testing.T, c *slurm.Cluster, k *slurmCase) *slurmWorld {
	t.Helper()
	w := &slurmWorld{of: map[[2]string]*multifactor.Assoc{}, priority: map[*multifactor.Assoc]float64{}, qos: map[string]float64{},
		parts: map[string]float64{}, totals: map[string]map[string]float64{}}
	w.readPolicy(t, c)
	w.readAssociations(t, c, k)
	var priorities []float64
	for _, q := range rows(run(t, c, "sacctmgr", "-nP", "show", "qos", "format=name,priority"), "|") {
		w.qos[q[0]] = float(t, q[1])
		priorities = append(priorities, w.qos[q[0]])
	}
	normalize(w.qos, slices.Max(priorities))
	factors := []float64{1}
	for _, p := range records(run(t, c, "scontrol", "-o", "show", "part")) {
		name := p["PartitionName"]
		w.parts[name], w.totals[name] = float(t, p["PriorityJobFactor"]), amounts(t, p["TRES"])
		factors = append(factors, w.parts[name])
	}
	normalize(w.parts, slices.Max(factors))
	for _, n := range records(run(t, c, "scontrol", "-o", "show", "node")) {
		w.policy.Nodes++
		w.policy.CPUs += int(float(t, n["CPUTot"]))
	}
	return w
}

func float(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	must(t, err)
	return v
}

func normalize[K comparable](values map[K]float64, greatest float64) {
	for k, v := range values {
		if values[k] = 0; greatest > 0 {
			values[k] = v / greatest
		}
	}
}

// amounts are of resources, in the units of the server: megabytes of memory.
func amounts(t *testing.T, text string) map[string]float64 {
	t.Helper()
	list := map[string]float64{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		unit := 1.0
		if name == "mem" {
			switch value[len(value)-1] {
			case 'G':
				unit = 1024
			case 'T':
				unit = 1024 * 1024
			case 'K':
				t.Fatalf("memory in %s", text)
			}
			value = strings.TrimRight(value, "MGT")
		}
		list[name] = float(t, value) * unit
	}
	return list
}

func (w *slurmWorld) readPolicy(t *testing.T, c *slurm.Cluster) {
	conf := map[string]string{}
	for _, line := range rows(run(t, c, "scontrol", "show", "config"), " = ") {
		if len(line) == 2 {
			conf[strings.TrimSpace(line[0])] = strings.TrimSpace(line[1])
		}
	}
	weight := func(name string) uint32 { return uint32(float(t, conf["PriorityWeight"+name])) }
	p := &w.policy
	p.Age, p.Assoc, p.Fairshare, p.JobSize, p.Partition, p.QOS = weight("Age"), weight("Assoc"), weight("FairShare"), weight("JobSize"),
		weight("Partition"), weight("QOS")
	p.MaxAge, p.FavorSmall, p.FairTree = days(t, conf["PriorityMaxAge"]), conf["PriorityFavorSmall"] == "Yes",
		!strings.Contains(conf["PriorityFlags"], "NO_FAIR_TREE")
	given := conf["PriorityWeightTRES"]
	if given == "(null)" {
		return
	}
	weights := amounts(t, strings.ToLower(given))
	for _, r := range rows(run(t, c, "sacctmgr", "-nP", "show", "tres", "format=id,type,name"), "|") {
		name := r[1]
		if r[2] != "" {
			name += "/" + r[2]
		}
		if v, known := weights[name]; known {
			p.TRES = append(p.TRES, multifactor.Weight{Name: name, Value: v})
		}
	}
	if len(p.TRES) != len(weights) {
		t.Fatalf("weights %s, known %v", given, p.TRES)
	}
}

// days reads 1-02:03:04.
func days(t *testing.T, text string) time.Duration {
	t.Helper()
	day, clock, found := strings.Cut(text, "-")
	if !found {
		day, clock = "0", text
	}
	f := strings.Split(clock, ":")
	if len(f) != 3 {
		t.Fatalf("a time %q", text)
	}
	return time.Duration(((float(t, day)*24+float(t, f[0]))*60+float(t, f[1]))*60+float(t, f[2])) * time.Second
}

// readAssociations reads the tree: the parents of accounts are named, those of users are their accounts.
func (w *slurmWorld) readAssociations(t *testing.T, c *slurm.Cluster, k *slurmCase) {
	list := associations(t, c)
	greatest := 0.0
	for _, a := range list {
		account, user := strings.TrimSpace(a[1]), a[2]
		node := &multifactor.Assoc{Name: cmp.Or(user, account), User: user != "", Parent: a[4] == "parent"}
		if !node.Parent {
			node.Shares = uint32(float(t, a[4]))
		}
		w.of[[2]string{account, user}] = node
		if a[5] != "" {
			w.priority[node] = float(t, a[5])
			greatest = max(greatest, w.priority[node])
		}
		for _, u := range k.usage {
			if u.account == account && u.user == user {
				node.Usage = float(t, u.value)
			}
		}
	}
	normalize(w.priority, greatest)
	for _, a := range list {
		account, user := strings.TrimSpace(a[1]), a[2]
		node, above := w.of[[2]string{account, user}], account
		if user == "" {
			if above = a[3]; above == "" {
				w.root = node
				continue
			}
		}
		parent := w.of[[2]string{above, ""}]
		parent.Children = append(parent.Children, node)
	}
}

// job is one as the model sees it, in one of its partitions.
func (w *slurmWorld) job(t *testing.T, j map[string]string, partition string) *multifactor.Job {
	t.Helper()
	user, _, _ := strings.Cut(j["UserId"], "(")
	a := w.of[[2]string{j["Account"], user}]
	if a == nil {
		t.Fatalf("no association of %v", j)
	}
	number, err := strconv.ParseUint(j["JobId"], 10, 32)
	must(t, err)
	out := &multifactor.Job{Number: uint32(number), CPUs: int(float(t, j["NumCPUs"])), TRES: amounts(t, cmp.Or(j["ReqTRES"], j["TRES"])),
		Total:     w.totals[partition],
		Fairshare: w.fair[a], Assoc: w.priority[a], Partition: w.parts[partition], QOS: w.qos[j["QOS"]], Nice: int64(float(t, j["Nice"]))}
	accrued, err := time.ParseInLocation("2006-01-02T15:04:05", j["AccrueTime"], time.Local)
	if err != nil {
		accrued = w.at // it has no age
	}
	out.Accrued = accrued
	return out
}
