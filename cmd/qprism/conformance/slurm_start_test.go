package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/slurm"
)

// TestRealSlurmChargesWhatRan has a real node run jobs one by one, in the order of their priorities, and compares what the usage that they
// leave makes of the priorities of others. Where limits are not enforced, jobs as short as these leave none (M13).
func TestRealSlurmChargesWhatRan(t *testing.T) {
	t.Parallel()
	server := slurm.Start(t)
	for enforce, users := range map[string]int{"associations,limits": 3, "associations": 0} {
		t.Run(enforce, func(t *testing.T) { chargeSlurm(t, server, enforce, users) })
	}
}

func chargeSlurm(t *testing.T, server *slurm.Server, enforce string, users int) {
	k := &slurmCase{users: []string{"u1", "u2", "u3"}, start: time.Unix(1_790_000_000, 0), half: time.Hour, fairTree: true,
		load: "Parent - root\nAccount - a:FairShare=3\nAccount - b:FairShare=2\nParent - a\nUser - u1:FairShare=1\nUser - u2:FairShare=2\nParent - b\nUser - u3:FairShare=1\n"}
	k.lines = "PriorityType=priority/multifactor\nPriorityDecayHalfLife=60\nPriorityMaxAge=60\nPriorityCalcPeriod=0-05:00:00\nPriorityWeightAge=1000\nPriorityWeightFairshare=100000\n" +
		"AccountingStorageEnforce=" + enforce + "\nNodeName=n1 NodeAddr=127.0.0.1 Port=" + strconv.Itoa(slurm.FreePort(t)) +
		" CPUs=1\nPartitionName=all Nodes=ALL Default=YES\n"
	c := server.Cluster(t, k.start, k.lines)
	load(t, server, c, k)
	must(t, c.Start())
	var numbers []string
	for i, nice := range []int{30, 10, 50, 20} {
		n, err := c.Submit(k.users[i%3], "--time=1", fmt.Sprintf("--nice=%d", nice*1000))
		must(t, err)
		numbers = append(numbers, fmt.Sprint(n))
	}
	must(t, c.StartNode("n1"))
	if started, want := awaitStarts(t, c, numbers), []string{numbers[1], numbers[3], numbers[0], numbers[2]}; !slices.Equal(started, want) {
		t.Errorf("jobs start in the order %v, computed %v", started, want)
	}
	run(t, c, "scontrol", "update", "node=n1", "state=drain", "reason=test")
	nodes := map[uint32]int{}
	for _, user := range k.users {
		n, err := c.Submit(user)
		must(t, err)
		nodes[n] = 1
	}
	must(t, c.KeepAges())
	must(t, c.Stop())
	last, err := c.LastPass()
	must(t, err)
	used, err := c.Usage()
	must(t, err)
	if k.usage = usageOf(t, c, used); len(k.usage) != users {
		t.Errorf("%d users have usage, want %d: %v", len(k.usage), users, used)
	}
	must(t, c.SetClock(k.start.Add(30*time.Minute)))
	must(t, c.Start())
	if n := compareSlurm(t, c, k, last, nodes); n.jobs != 3 {
		t.Errorf("%d jobs wait", n.jobs)
	}
}

// usageOf are the associations that used something, of those that a controller saved.
func usageOf(t *testing.T, c *slurm.Cluster, used map[uint32]string) (list []slurmUsage) {
	for _, a := range associations(t, c) {
		id, err := strconv.ParseUint(strings.TrimSpace(a[0]), 10, 32)
		must(t, err)
		if v := used[uint32(id)]; v != "" && float(t, v) > 0 {
			list = append(list, slurmUsage{strings.TrimSpace(a[1]), a[2], v})
		}
	}
	return list
}

// awaitStarts waits until jobs have ended, and returns them in the order of their start.
func awaitStarts(t *testing.T, c *slurm.Cluster, numbers []string) []string {
	t.Helper()
	for range 600 {
		start := map[string]string{}
		for _, j := range records(run(t, c, "scontrol", "-o", "show", "job")) {
			if j["JobState"] == "COMPLETED" {
				start[j["JobId"]] = j["StartTime"]
			}
		}
		if len(start) == len(numbers) {
			return slices.SortedFunc(slices.Values(numbers), func(a, b string) int { return cmp.Compare(start[a], start[b]) })
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("jobs do not end: %s", run(t, c, "squeue"))
	return nil
}
