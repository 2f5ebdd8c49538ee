package gridengine

import (
	"context"
	"slices"
	"strings"

	"qprism/compat/xmldoc"
	"qprism/exporter"
)

// Whose asks qstat -j, which alone prints the second of a submission.
func (Priorities) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	whose := map[string]string{}
	var questions []question
	for some := range slices.Chunk(jobs, jobsPerCall) {
		questions = append(questions, detailsOf(some, func(text string) error { return readWhose(text, whose) }))
	}
	if err := askAll(ctx, r, questions); err != nil {
		return nil, err
	}
	return whose, nil
}

// readWhose reads owners and submission times out of qstat -j -xml.
func readWhose(text string, whose map[string]string) error {
	return details(text, func(job string, r *xmldoc.Record) { noteWhose(whose, job, r) })
}

func noteWhose(whose map[string]string, job string, r *xmldoc.Record) {
	if owner := r.Text("JB_owner"); owner != "" {
		whose[job] = exporter.Whose(owner, seconds(r.Text("JB_submission_time")))
	}
}

// seconds are those of a time that some releases print in milliseconds.
func seconds(at string) string {
	at = strings.TrimSpace(at)
	if len(at) > len("9999999999") {
		return at[:len(at)-3]
	}
	return at
}
