package gridengine

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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

// readWhose reads numbers, owners and submission times out of qstat -j -xml. Numbers come first.
func readWhose(text string, whose map[string]string) error {
	d := xml.NewDecoder(strings.NewReader(strings.Map(printing, text)))
	d.Strict = false
	var job, owner, at string
	values := map[string]*string{"JB_job_number": &job, "JB_owner": &owner, "JB_submission_time": &at}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok || values[start.Name.Local] == nil {
			continue
		}
		if start.Name.Local == "JB_job_number" {
			owner, at = "", ""
		}
		if err := d.DecodeElement(values[start.Name.Local], &start); err != nil {
			return err
		}
		if job != "" && owner != "" {
			whose[job] = exporter.Whose(owner, seconds(at))
		}
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
