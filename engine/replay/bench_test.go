package replay_test

import (
	"testing"

	"qprism/engine/model"
	"qprism/engine/whatif"
)

// BenchmarkPlay plays some hours of a cluster of 100 hosts and 5,000 jobs again, under one policy.
func BenchmarkPlay(b *testing.B) {
	r := recorded(b, 100, 5000)
	b.ResetTimer()
	for b.Loop() {
		r.Play([]*whatif.Case{under(r, func(*model.Snapshot) {})}, 1, never)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*steps), "ms/run")
}
