package gridengine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qprism/compat/xmldoc"
	"qprism/exporter"
)

// Whose asks qstat -j, which alone prints the second of a submission.
func (Priorities) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	var commands [][]string
	for some := range slices.Chunk(jobs, jobsPerCall) {
		commands = append(commands, []string{"qstat", "-u", "*", "-j", strings.Join(some, ","), "-xml"})
	}
	results, err := r.Run(ctx, commands)
	if err != nil {
		return nil, err
	}
	whose := map[string]string{}
	for i, argv := range commands {
		if i >= len(results) || results[i].Exit != 0 {
			return nil, exporter.Failure(argv, results[min(i, len(results)):]...)
		}
		if err := readWhose(results[i].Out, whose); err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
		}
	}
	return whose, nil
}

// readWhose reads numbers, owners and submission times out of qstat -j -xml.
func readWhose(text string, whose map[string]string) error {
	return details(text, func(job string, r *xmldoc.Record) {
		if owner := r.Text("JB_owner"); owner != "" {
			whose[job] = exporter.Whose(owner, seconds(r.Text("JB_submission_time")))
		}
	})
}

// seconds are those of a time that some releases print in milliseconds.
func seconds(at string) string {
	at = strings.TrimSpace(at)
	if len(at) > len("9999999999") {
		return at[:len(at)-3]
	}
	return at
}
