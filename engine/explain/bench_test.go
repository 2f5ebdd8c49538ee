package explain_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/fixtures/generate"
	recorded "qprism/fixtures/pbs"
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

// manyPBSJobs is the server of a recording with 100,000 queued jobs, ordered by a formula.
func manyPBSJobs(b *testing.B) *model.Snapshot {
	b.Helper()
	scenario, err := recorded.Scenario("ge-style-formula")
	if err != nil {
		b.Fatal(err)
	}
	step, err := fs.Sub(scenario, "before")
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(b.TempDir(), "bundle")
	if err := os.CopyFS(dir, step); err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "qstat_f.json"))
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(generate.PBSJSON(file, 100_000), file.Close()); err != nil {
		b.Fatal(err)
	}
	s := read(b, dir, os.DirFS(dir))
	s.PBS.Formula = "job_priority*10 + eligible_time/60 + ncpus"
	return s
}

// BenchmarkExplain makes a scene of 100,000 jobs, and explains one of them.
func BenchmarkExplain(b *testing.B) {
	for system, many := range systems {
		b.Run(system, func(b *testing.B) {
			s := many(b)
			for b.Loop() {
				sc, err := sceneOf(s)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := sc.Explain(ids(s)[50_000]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompare compares two of 100,000 jobs that are far from each other, with all flip points.
func BenchmarkCompare(b *testing.B) {
	for system, many := range systems {
		b.Run(system, func(b *testing.B) {
			s := many(b)
			sc, err := sceneOf(s)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				c, err := sc.Compare(ids(s)[500], ids(s)[50_000])
				if err != nil || len(c.Flips) == 0 {
					b.Fatal(c, err)
				}
			}
		})
	}
}

var systems = map[string]func(*testing.B) *model.Snapshot{"GridEngine": manyJobs, "PBS": manyPBSJobs}
