package synthesis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/compat"
	"qprism/fixtures/generate"
	"qprism/importer/cluster"
)

// busy is a run of a cluster with that many waiting jobs, with functional tickets.
func busy(b *testing.B, jobs int) History {
	b.Helper()
	dir := b.TempDir()
	if err := generate.Bundle(dir, jobs); err != nil {
		b.Fatal(err)
	}
	conf := filepath.Join(dir, "sched_conf.txt")
	policy, err := os.ReadFile(conf)
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Replace(string(policy), "weight_tickets_functional         0",
		"weight_tickets_functional         1000000", 1)
	if text == string(policy) {
		b.Fatal("the policy has no functional tickets to switch on")
	}
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	s, err := cluster.Read(os.DirFS(dir), cluster.Options{})
	if err != nil {
		b.Fatal(err)
	}
	_, q := compat.For(s.Release)
	r, err := Look("busy", s, q)
	if err != nil {
		b.Fatal(err)
	}
	return NewHistory([]Run{r})
}

// BenchmarkProof makes all candidates of a busy cluster and proves them.
func BenchmarkProof(b *testing.B) {
	for _, jobs := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			h := busy(b, jobs)
			for b.Loop() {
				for _, c := range Candidates(h, translated(h), resourcesOf(h)) {
					c.Prove(h, len(h), translated(h))
				}
			}
		})
	}
}
