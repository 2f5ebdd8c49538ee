package fairshare_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// large is a tree of 100 groups with 50 users each, and 100,000 jobs.
func large() (*fairshare.Tree, []*fairshare.Node) {
	f := model.Fairshare{Policy: model.DefaultFairsharePolicy(), Usage: model.FairshareUsage{Version: 2}}
	r := rand.New(rand.NewSource(1))
	var users []string
	for g := range 100 {
		group := fmt.Sprintf("g%d", g)
		f.Groups = append(f.Groups, model.ResourceGroup{Name: group, Parent: "root", Shares: int32(r.Intn(10))})
		for range 50 {
			user := fmt.Sprintf("u%d", len(users))
			users = append(users, user)
			f.Groups = append(f.Groups, model.ResourceGroup{Name: user, Parent: group, Shares: int32(r.Intn(10))})
			f.Usage.Records = append(f.Usage.Records, model.EntityUsage{Name: user, Usage: float64(r.Intn(1e6))})
		}
	}
	tree := fairshare.Build(f)
	jobs := make([]*fairshare.Node, 100_000)
	for i := range jobs {
		jobs[i] = tree.Find(users[r.Intn(len(users))])
	}
	return tree, jobs
}

func BenchmarkSortingJobsByEntity(b *testing.B) {
	_, jobs := large()
	for b.Loop() {
		fairshare.MergeSort(slices.Clone(jobs), fairshare.Compare)
	}
}

func BenchmarkLookingForIntransitiveEntities(b *testing.B) {
	_, jobs := large()
	for b.Loop() {
		fairshare.Intransitive(jobs)
	}
}
