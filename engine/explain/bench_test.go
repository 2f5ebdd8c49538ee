package explain_test

import (
	"os"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/fixtures/generate"
)

// manyJobs is a snapshot of 100,000 waiting jobs, ordered by urgency, waiting time and functional tickets.
func manyJobs(b *testing.B) *model.Snapshot {
	b.Helper()
	dir := b.TempDir()
	if err := generate.Bundle(dir, 100_000); err != nil {
		b.Fatal(err)
	}
	policy, err := os.ReadFile(dir + "/sched_conf.txt")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Replace(string(policy), "weight_tickets_functional         0", "weight_tickets_functional         1000000", 1)
	if err := os.WriteFile(dir+"/sched_conf.txt", []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	s := read(b, dir, os.DirFS(dir))
	if s.Policy.FunctionalTickets == 0 {
		b.Fatal("no functional tickets")
	}
	return s
}

// BenchmarkExplain makes a scene of a snapshot of 100,000 jobs, and explains one of them.
func BenchmarkExplain(b *testing.B) {
	s := manyJobs(b)
	for b.Loop() {
		sc, err := sceneOf(s)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := sc.Explain("50000"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompare compares two jobs of 100,000 far from each other, with all flip points.
func BenchmarkCompare(b *testing.B) {
	s := manyJobs(b)
	sc, err := sceneOf(s)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c, err := sc.Compare("501", "50000")
		if err != nil || len(c.Flips) == 0 {
			b.Fatal(c, err)
		}
	}
}
