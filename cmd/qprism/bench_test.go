package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"qprism/fixtures/generate"
	"qprism/importer"
)

// BenchmarkImportAndAudit imports and then audits a bundle of 100,000 pending jobs with the program itself, two
// processes, and reports jobs a second over both and the greater peak of memory.
func BenchmarkImportAndAudit(b *testing.B) {
	const jobs = 100_000
	bundle := filepath.Join(b.TempDir(), "bundle")
	if err := generate.Bundle(bundle, jobs); err != nil {
		b.Fatal(err)
	}
	peak := int64(0)
	b.ResetTimer()
	for range b.N {
		store := filepath.Join(b.TempDir(), "store.db")
		for _, args := range [][]string{{"import", bundle, "--store", store}, {"audit", bundle}} {
			peak = max(peak, runProgram(b, args).Maxrss*1024)
		}
	}
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// BenchmarkCommands runs the program as a person would, on a bundle of 50,000 jobs and 1,000 hosts that is evolved from a recording, all
// of whose slots are in use. It reports the processor time of each command, and the peak of its memory.
func BenchmarkCommands(b *testing.B) {
	bundle := filepath.Join(b.TempDir(), "bundle")
	last := evolvedBundle(b, bundle)
	debug.FreeOSMemory() // a process begins with the peak of the one that starts it: that is made small, and counted anew
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200); err != nil {
		b.Logf("peaks hold the benchmark's own: %v", err)
	}
	policy := filepath.Join(bundle, "sched_conf.txt")
	for _, args := range [][]string{{"plan"}, {"plan", "--format", "json"}, {"forecast"}, {"what-if", "--policy", policy}, {"why", last},
		{"explain", last}, {"lint"}, {"priorities"}, {"audit"}, {"import", "--store", ""}} {
		b.Run(strings.Join(args[:min(2, len(args))], "_"), func(b *testing.B) {
			for range b.N {
				run := append(slices.Clone(args), bundle)
				if args[0] == "import" {
					run[2] = filepath.Join(b.TempDir(), "store.db")
				}
				usage := runProgram(b, run)
				b.ReportMetric(float64(usage.Utime.Nano()+usage.Stime.Nano())/1e9, "cpu-s")
				b.ReportMetric(float64(usage.Maxrss)/1000, "peak-MB")
			}
		})
	}
}

// evolvedBundle writes the bundle of a large cluster, and returns its last job.
func evolvedBundle(b *testing.B, bundle string) string {
	recording, closer, err := importer.Open("../../fixtures/gridengine/8.1.9-share-2.tar.gz/run2/after")
	if err != nil {
		b.Fatal(err)
	}
	defer closer.Close()
	e, err := generate.Evolve(recording, 1000, 50_000, 1)
	if err != nil {
		b.Fatal(err)
	}
	e.Detail = true
	files, err := e.Files()
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(bundle, name)
		if err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	return strconv.Itoa(e.Last())
}

// runProgram runs the program as a process of its own and returns what it used.
func runProgram(b *testing.B, args []string) *syscall.Rusage {
	executable, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(executable)
	c.Args = append([]string{"qprism"}, args...)
	output, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != 0 && code != 3 {
		b.Fatalf("qprism %v: %v\n%s", args, err, output)
	}
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatal(fmt.Errorf("no resource usage of the process"))
	}
	return usage
}
