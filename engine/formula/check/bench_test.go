package check_test

import (
	"fmt"
	"testing"

	"qprism/engine/formula/check"
)

// BenchmarkCheck100000Jobs copies the recorded jobs until there are so many.
func BenchmarkCheck100000Jobs(b *testing.B) {
	_, s := sweep(b)
	recorded := s.Jobs
	s.Jobs = nil
	for i := range 100_000 {
		j := recorded[i%len(recorded)]
		p := *j.PBS
		p.ID, p.QueueRank, p.Array = fmt.Sprintf("%d.pbsvm", i), int64(i), ""
		j.PBS, j.PosixPriority = &p, i%2048-1024
		s.Jobs = append(s.Jobs, j)
	}
	for b.Loop() {
		if r := check.Formula("10*fairshare_factor + job_priority/1024 + walltime/3600", s); len(r.Jobs) != 100_000 {
			b.Fatal(len(r.Jobs), r.Problems)
		}
	}
}
