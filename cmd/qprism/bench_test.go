package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"qprism/fixtures/generate"
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
			peak = max(peak, runProgram(b, args))
		}
	}
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// runProgram runs the program as a process of its own and returns the peak of its memory in bytes.
func runProgram(b *testing.B, args []string) int64 {
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
	return usage.Maxrss * 1024
}
