package words

import (
	"fmt"

	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
	"qprism/engine/model"
)

// A Judge says which jobs can never run.
type Judge interface {
	ChanceOf(*model.Job) *batch.Chance
	NeverRuns(*model.Job) bool
}

// mostExplained is the number of jobs in a list for which the cause is given.
const mostExplained = 20

// NeverIn returns words for jobs that can never run, with the cause for the first few; empty for other jobs.
func NeverIn(s Judge) func(*model.Job) string {
	n := 0
	return func(j *model.Job) string {
		switch {
		case !s.NeverRuns(j):
			return ""
		case n == mostExplained:
			return "can never run"
		}
		n++
		return NeverShort(s.ChanceOf(j))
	}
}

// NeverNote is a line below a list with jobs that can never run. It names one; empty if there is none.
func NeverNote(s Judge, jobs []*model.Job) (note, job string) {
	n := 0
	for _, j := range jobs {
		if !s.NeverRuns(j) {
			continue
		}
		if n++; n == 1 {
			job = j.KnownAs()
		}
	}
	switch n {
	case 0:
		return "", ""
	case 1:
		return fmt.Sprintf("Job %s can never run as the cluster is configured", job), job
	}
	return fmt.Sprintf("%s, such as job %s, can never run as the cluster is configured", show.Plural(n, "job"), job), job
}
