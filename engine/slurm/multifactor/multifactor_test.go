package multifactor_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/slurm/multifactor"
)

func account(name string, shares uint32, children ...*multifactor.Assoc) *multifactor.Assoc {
	return &multifactor.Assoc{Name: name, Shares: shares, Children: children}
}

func user(name string, shares uint32, usage float64) *multifactor.Assoc {
	return &multifactor.Assoc{Name: name, User: true, Shares: shares, Usage: usage}
}

// TestClassicIsTheExampleOfTheDocument: "Classic Fairshare Algorithm", Example: five users in accounts A
// (B, C) and D (E, F). The document's usages are parts of the machine, and sum to 0.7; what is missing is
// that of nobody below the root.
func TestClassicIsTheExampleOfTheDocument(t *testing.T) {
	users := []*multifactor.Assoc{user("1", 1, 0.2), user("2", 1, 0.25), user("3", 1, 0), user("4", 1, 0.25),
		user("5", 1, 0)}
	root := account("root", 1, account("A", 40, account("B", 30, users[0]), account("C", 10, users[1], users[2])),
		account("D", 60, account("E", 25, users[3]), account("F", 35, users[4])))
	root.Usage = 0.3
	factors := multifactor.Classic(root, 1)
	for i, want := range []string{"0.408479", "0.022097", "0.125000", "0.500000", "0.749154"} {
		if got := fmt.Sprintf("%.6f", factors[users[i]]); got != want {
			// the document rounds the effective usage of user 5 to 0.1458 before it goes on
			if i == 4 && math.Abs(factors[users[i]]-0.749154) < 0.0001 {
				continue
			}
			t.Errorf("user %d has %s, want %s", i+1, got, want)
		}
	}
}

// TestFairTree follows "Fair Tree Fairshare Algorithm": all children of an account that is less served come
// first, and the section on ties.
func TestFairTree(t *testing.T) {
	a, b, c, d := user("a", 1, 10), user("b", 1, 0), user("c", 1, 5), user("d", 1, 5)
	factors := multifactor.FairTree(account("root", 1, account("busy", 1, a, b), account("calm", 3, c, d)), 1)
	for u, want := range map[*multifactor.Assoc]float64{c: 1, d: 1, b: 0.5, a: 0.25} {
		if factors[u] != want {
			t.Errorf("%s has %v, want %v", u.Name, factors[u], want)
		}
	}
	e, f, g := user("e", 2, 4), user("f", 1, 1), user("g", 1, 1)
	factors = multifactor.FairTree(account("root", 1, e, account("x", 1, f), account("y", 1, g)), 1)
	// e, 2 of 4 shares and 4 of 6 of the usage: 0.75; x and y, 1/4 over 1/6: 1.5, and g has the rank of the last user of x
	if factors[f] != 1 || factors[g] != 1 || math.Abs(factors[e]-1.0/3) > 1e-15 {
		t.Errorf("e %v f %v g %v", factors[e], factors[f], factors[g])
	}
	h, i := user("h", 1, 1), user("i", 5, 1)
	factors = multifactor.FairTree(account("root", 1, h, account("z", 1, i)), 1)
	if factors[h] != 1 || factors[i] != 1 {
		t.Errorf("a user beside an account of his level fairshare has %v, its first user %v", factors[h], factors[i])
	}
}

// TestParent: users of an account with FairShare=parent all have its factor.
func TestParent(t *testing.T) {
	a, b := user("a", 0, 10), user("b", 0, 0)
	a.Parent, b.Parent = true, true
	c := user("c", 1, 2)
	root := account("root", 1, account("p", 1, a, b), account("q", 1, c))
	for name, factors := range map[string]map[*multifactor.Assoc]float64{"classic": multifactor.Classic(root, 1),
		"fair tree": multifactor.FairTree(root, 1)} {
		if factors[a] != factors[b] || factors[a] >= factors[c] {
			t.Errorf("%s: a %v b %v c %v", name, factors[a], factors[b], factors[c])
		}
	}
}

// TestLaws: factors are between 0 and 1, and of two users who differ in nothing but usage the one with less
// is not behind.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var users []*multifactor.Assoc
		var build func(depth int) *multifactor.Assoc
		build = func(depth int) *multifactor.Assoc {
			n := account("x", uint32(rapid.IntRange(0, 9).Draw(t, "shares")))
			for range rapid.IntRange(1, 4).Draw(t, "children") {
				if depth == 0 || rapid.Bool().Draw(t, "user") {
					u := user("u", uint32(rapid.IntRange(0, 9).Draw(t, "shares")), float64(rapid.IntRange(0, 50).Draw(t, "usage")))
					u.Parent = rapid.IntRange(0, 5).Draw(t, "parent") == 0
					users = append(users, u)
					n.Children = append(n.Children, u)
				} else {
					n.Children = append(n.Children, build(depth-1))
				}
			}
			return n
		}
		root := build(3)
		for _, factors := range []map[*multifactor.Assoc]float64{multifactor.Classic(root, 1),
			multifactor.FairTree(root, 1)} {
			if len(factors) != len(users) {
				t.Fatalf("%d of %d users have a factor", len(factors), len(users))
			}
			for _, u := range users {
				if f := factors[u]; !(f >= 0 && f <= 1) {
					t.Fatalf("a factor is %v", f)
				}
			}
		}
		x, y := user("x", 3, 5), user("y", 3, 4)
		root.Children = append(root.Children, x, y)
		for _, factors := range []map[*multifactor.Assoc]float64{multifactor.Classic(root, 1),
			multifactor.FairTree(root, 1)} {
			if factors[x] > factors[y] {
				t.Fatalf("who used more has %v, who used less %v", factors[x], factors[y])
			}
		}
	})
}

// TestTiedAccountsAreNotMerged: the documents say that accounts of one level fairshare are ranked as one,
// the server (22.05.8) ranks one behind the other; the first of the second has the rank of the last of the
// first.
func TestTiedAccountsAreNotMerged(t *testing.T) {
	a, b, c, d := user("a", 1, 3), user("b", 1, 1), user("c", 1, 3), user("d", 1, 1)
	factors := multifactor.FairTree(account("root", 1, account("x", 1, a, b), account("y", 1, c, d)), 1)
	for u, want := range map[*multifactor.Assoc]float64{b: 1, a: 0.75, d: 0.75, c: 0.25} {
		if factors[u] != want {
			t.Errorf("%s has %v, want %v", u.Name, factors[u], want)
		}
	}
}

// TestDecay: after a half-life there is half of it left, nearly.
func TestDecay(t *testing.T) {
	for _, c := range []struct{ half, elapsed time.Duration }{{time.Hour, time.Hour}, {24 * time.Hour, 24 * time.Hour}} {
		if got := multifactor.Decay(c.half, c.elapsed); math.Abs(got-0.5) > 1e-3 || got == 0.5 {
			t.Errorf("%v", got)
		}
	}
	if multifactor.Decay(0, time.Hour) != 1 || multifactor.Decay(time.Hour, 0) != 1 {
		t.Error("what does not decay is not whole")
	}
}

// TestPriority: jobs of a real 22.05.8, of four nodes with eight CPUs, 1,000 MB and two GPUs.
func TestPriority(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	p := multifactor.Policy{Weights: multifactor.Weights{Age: 1000, Assoc: 500, Fairshare: 100000,
		JobSize: 777, Partition: 1000, QOS: 300,
		TRES: []multifactor.Weight{{"cpu", 1000}, {"mem", 500}, {"gres/gpu", 3000}, {"license/matlab", 100}}},
		MaxAge: time.Hour, Nodes: 4,
		CPUs:  32,
		Total: map[string]float64{"cpu": 32, "mem": 4000, "gres/gpu": 8, "license/matlab": 10}}
	half := map[string]float64{"cpu": 16, "mem": 2000, "gres/gpu": 4, "license/matlab": 10}
	tres := func(cpu, mem, gpu, matlab float64) map[string]float64 {
		return map[string]float64{"cpu": cpu, "mem": mem, "gres/gpu": gpu, "license/matlab": matlab}
	}
	for name, c := range map[string]struct {
		job  multifactor.Job
		want uint32
	}{
		"three CPUs of one node": {multifactor.Job{Nodes: 1, CPUs: 3, TRES: tres(3, 1000, 0, 0),
			Fairshare: 1, Assoc: 1, Partition: 1,
			Nice: 100}, 101752},
		"a partition of half the nodes": {multifactor.Job{Nodes: 2, CPUs: 2, TRES: tres(2, 2000, 2, 0),
			Total: half, Fairshare: 1,
			Partition: 0.5}, 102843},
		"licenses":      {multifactor.Job{Nodes: 1, CPUs: 9, TRES: tres(9, 300, 0, 2), Fairshare: 1, Partition: 1}, 101545},
		"little memory": {multifactor.Job{Nodes: 1, CPUs: 2, TRES: tres(2, 20, 0, 0), Fairshare: 1, Partition: 1}, 101186},
	} {
		if c.job.Accrued = at; p.Priority(&c.job, at) != c.want {
			t.Errorf("%s: got %d, want %d: %+v", name, p.Priority(&c.job, at), c.want, p.Parts(&c.job, at))
		}
	}
	p = multifactor.Policy{Weights: multifactor.Weights{Age: 1000, JobSize: 500}, MaxAge: 1000 * time.Second,
		FavorSmall: true, Nodes: 10,
		CPUs: 20}
	for name, c := range map[string]struct {
		job  multifactor.Job
		want uint32
	}{
		"nothing is at least 1":            {multifactor.Job{Accrued: at, Nice: 5000}, 1},
		"age counts up to the maximum":     {multifactor.Job{Accrued: at.Add(-time.Hour), Nodes: 10, CPUs: 20}, 1000},
		"half the maximum is half the age": {multifactor.Job{Accrued: at.Add(-500 * time.Second), Nodes: 10, CPUs: 20}, 500},
		"negative nice adds":               {multifactor.Job{Accrued: at, Nodes: 10, CPUs: 20, Nice: -7}, 7},
		"a submission in the future":       {multifactor.Job{Accrued: at.Add(time.Hour), Nodes: 5, CPUs: 10}, 250},
		"small jobs are favoured":          {multifactor.Job{Accrued: at, Nodes: 1, CPUs: 1}, 462},
	} {
		if got := p.Priority(&c.job, at); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
	list := p.Order([]multifactor.Job{{Number: 3, Accrued: at}, {Number: 2, Accrued: at},
		{Number: 4, Accrued: at, Nice: 1},
		{Number: 1, Accrued: at, Nice: -1}}, at)
	if list[0].Number != 1 || list[1].Number != 2 || list[2].Number != 3 || list[3].Number != 4 {
		t.Errorf("the order is %v %v %v %v", list[0].Number, list[1].Number, list[2].Number, list[3].Number)
	}
}
