package fairshare_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// someTree draws a tree of a few levels with usage, ties and zero shares among them.
func someTree(t *rapid.T) model.Fairshare {
	f := model.Fairshare{Policy: model.DefaultFairsharePolicy(), Usage: model.FairshareUsage{Version: 2}}
	f.Policy.UnknownShares = rapid.Int32Range(0, 3).Draw(t, "unknown shares")
	parents := []string{"root", "unknown"}
	for i := range rapid.IntRange(1, 12).Draw(t, "groups") {
		name := fmt.Sprintf("n%d", i)
		f.Groups = append(f.Groups, model.ResourceGroup{Line: i + 1, Name: name, Group: int32(10 + i),
			Parent: rapid.SampledFrom(parents).Draw(t, "parent"), Shares: rapid.Int32Range(0, 3).Draw(t, "shares")})
		parents = append(parents, name)
	}
	for _, p := range append(parents[2:], "s1", "s2") {
		if rapid.Bool().Draw(t, "used") {
			f.Usage.Records = append(f.Usage.Records,
				model.EntityUsage{Name: p, Usage: float64(rapid.IntRange(0, 4).Draw(t, "usage"))})
		}
	}
	return f
}

func nodes(tree *fairshare.Tree) (all []*fairshare.Node) {
	for n := range tree.All() {
		all = append(all, n)
	}
	return all
}

func TestPercentagesOfSiblingsSumToOneAndFactorsStayBelowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := fairshare.Build(someTree(t))
		sums := map[*fairshare.Node]float64{}
		for _, n := range nodes(tree)[1:] {
			sums[n.Parent] += float64(n.Part)
			if n.Factor() < 0 || n.Factor() > 1 || n.Perc < 0 || n.Perc > 1 {
				t.Fatalf("%s has percentage %v and factor %v", n.Name, n.Perc, n.Factor())
			}
		}
		for parent, sum := range sums {
			if sum != 0 && math.Abs(sum-1) > 1e-5 {
				t.Fatalf("parts below %s sum to %v", parent.Name, sum)
			}
		}
	})
}

func TestComparingIsAntisymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := nodes(fairshare.Build(someTree(t)))
		for _, a := range all {
			for _, b := range all {
				if fairshare.Compare(a, b) != -fairshare.Compare(b, a) {
					t.Fatalf("%s and %s", a.Name, b.Name)
				}
			}
		}
	})
}

func TestIntransitiveFindsWhatComparingEveryPairFinds(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		entities := nodes(fairshare.Build(someTree(t)))
		entities = rapid.SliceOf(rapid.SampledFrom(entities)).Draw(t, "jobs")
		got, want := fairshare.Intransitive(entities), naiveIntransitive(entities)
		found += len(want)
		if !slices.Equal(got, want) {
			t.Fatalf("found %v, want %v", names(got), names(want))
		}
	})
	if found == 0 {
		t.Error("no tree had any")
	}
}

// Where nothing is reported every stable sort agrees.
func TestWithoutIntransitiveEntitiesAnyStableSortGivesTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOf(rapid.SampledFrom(nodes(fairshare.Build(someTree(t))))).Draw(t, "jobs")
		if fairshare.Intransitive(jobs) != nil {
			t.Skip("the order is not unique")
		}
		plain := slices.Clone(jobs)
		slices.SortStableFunc(plain, fairshare.Compare)
		if fairshare.MergeSort(jobs, fairshare.Compare); !slices.Equal(jobs, plain) {
			t.Fatalf("%v and %v", names(jobs), names(plain))
		}
	})
}

func TestUsageNeverDecaysBelowOneAndEveryDecayLowersIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := fairshare.Build(someTree(t))
		factor := float32(rapid.Float64Range(0.01, 0.99).Draw(t, "factor"))
		for _, n := range nodes(tree) {
			n.Usage = rapid.Float64Range(1, 1e9).Draw(t, "usage")
		}
		before := map[string]float64{}
		for _, n := range nodes(tree) {
			before[n.Name] = n.Usage
		}
		tree.Decay(factor, rapid.IntRange(1, 20000).Draw(t, "times"))
		for _, n := range nodes(tree) {
			if n.Usage < 1 || n.Usage > before[n.Name] || before[n.Name] > 1 && n.Usage == before[n.Name] {
				t.Fatalf("%v became %v", before[n.Name], n.Usage)
			}
		}
	})
}

// Decaying often at once is decaying once and again, also where it is shortened.
func TestManyDecaysAreTheSameAtOnce(t *testing.T) {
	once, again := fairshare.Build(seed()), fairshare.Build(seed())
	once.Root.Usage, again.Root.Usage = 1e300, 1e300
	const factor = 0.999
	once.Decay(factor, 300_000)
	for range 30 {
		again.Decay(factor, 10_000)
	}
	if a, b := once.Root.Usage, again.Root.Usage; math.Abs(a-b) > 1e-9*a || a < 2 {
		t.Errorf("%v at once, %v one by one", a, b)
	}
}

func TestDecayTimesAreCountedAsTheSchedulerDoes(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	for since, want := range map[int]struct{ decays, last int }{
		-5: {0, 0}, 0: {0, 0}, 9: {0, 0}, 10: {0, 0}, 11: {1, 10}, 20: {1, 20}, 21: {2, 20}, 35: {3, 30},
	} {
		f := seed()
		f.Policy.DecayTime = 10 * time.Second
		m := fairshare.Start(f, start)
		u := m.Begin(fairshare.Cycle{At: start.Add(time.Duration(since) * time.Second), FairShare: true})
		if last := int(m.LastDecay.Sub(start) / time.Second); u.Decays != want.decays || last != want.last {
			t.Errorf("after %d s: %d decays, the last at %d s", since, u.Decays, last)
		}
	}
	f := seed()
	f.Policy.DecayTime = 0
	if u := fairshare.Start(f, start).Begin(fairshare.Cycle{At: start.AddDate(1, 0, 0), FairShare: true}); u.Decays != 0 {
		t.Error("usage decays though there is no time for it")
	}
}

// Whatever a cluster's files hold, nothing panics and nothing loops.
func TestAnyFilesMakeATree(t *testing.T) {
	anyName := rapid.OneOf(rapid.SampledFrom([]string{"", "root", "TREEROOT", "unknown", "a", "b", "c"}), rapid.String())
	anyUsage := rapid.OneOf(rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.MaxFloat64}))
	rapid.Check(t, func(t *rapid.T) {
		f := model.Fairshare{Usage: model.FairshareUsage{Version: float64(rapid.IntRange(0, 2).Draw(t, "version"))}}
		f.Policy.DecayFactor = rapid.Float32().Draw(t, "factor")
		f.Policy.DecayTime = time.Duration(rapid.Int64Range(-1e9, 1e9).Draw(t, "decay time"))
		f.Policy.UnknownShares = rapid.Int32().Draw(t, "unknown shares")
		for range rapid.IntRange(0, 10).Draw(t, "lines") {
			f.Groups = append(f.Groups, model.ResourceGroup{Name: anyName.Draw(t, "name"), Parent: anyName.Draw(t, "parent"),
				Shares: rapid.Int32().Draw(t, "shares")})
		}
		for range rapid.IntRange(0, 10).Draw(t, "records") {
			f.Usage.Records = append(f.Usage.Records, model.EntityUsage{Name: anyName.Draw(t, "name"),
				Usage: anyUsage.Draw(t, "usage")})
		}
		m := fairshare.Start(f, time.Unix(rapid.Int64Range(-1e12, 1e12).Draw(t, "start"), 0))
		m.Begin(fairshare.Cycle{At: time.Unix(1_800_000_000, 0), FairShare: true})
		m.End(true, []fairshare.Running{{Job: "1", Entity: anyName.Draw(t, "entity")}})
		m.Begin(fairshare.Cycle{At: time.Unix(1_800_000_100, 0), FairShare: true, Running: []fairshare.Running{{Job: "1"}},
			Value: func(string, []model.Amount) float64 { return anyUsage.Draw(t, "value") }})
		all := nodes(m.Tree)
		for _, n := range all {
			n.Show(f.Policy.UsageResource)
			fairshare.Explain(n, all[0])
			fairshare.Explain(all[len(all)-1], n)
		}
		fairshare.Intransitive(all)
		fairshare.MergeSort(all, fairshare.Compare)
		driftsOf(m.Tree, fairshare.Build(f))
		_, _ = m.List(""), m.Outline()
	})
}

func TestALineThatIsTooDeepIsRejected(t *testing.T) {
	f := model.Fairshare{Groups: []model.ResourceGroup{{Line: 1, Name: "0", Parent: "root", Shares: 1}}}
	for i := range fairshare.MaxDepth {
		f.Groups = append(f.Groups, model.ResourceGroup{Line: i + 2, Name: fmt.Sprint(i + 1),
			Parent: fmt.Sprint(i), Shares: 1})
	}
	tree := fairshare.Build(f)
	if len(tree.Rejected) != 1 || tree.Rejected[0].Line != fairshare.MaxDepth+1 {
		t.Errorf("rejected %v", tree.Rejected)
	}
}
