package push

import (
	"fmt"
	"slices"

	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
)

// worthAPlace takes the jobs out of a wanted order that can never run: a place does nothing for them, and
// costs others theirs. One that is to be put first is an error.
func worthAPlace(s *subject.Subject, opts Options, wanted []uint32) (rest, never []uint32, err error) {
	jobs := s.Snapshot.JobsByNumber()
	rest = slices.DeleteFunc(slices.Clone(wanted), func(number uint32) bool { return s.NeverRuns(jobs[number]) })
	if len(rest) == len(wanted) {
		return wanted, nil, nil
	}
	for _, number := range wanted {
		if !slices.Contains(rest, number) {
			never = append(never, number)
		}
	}
	if len(opts.First) > 0 || len(rest) == 0 {
		job := jobs[never[0]]
		return nil, nil, fmt.Errorf("job %s %s; %s says more", job.KnownAs(), words.NeverShort(s.ChanceOf(job)),
			s.Command("why", job.KnownAs()))
	}
	return rest, never, nil
}
