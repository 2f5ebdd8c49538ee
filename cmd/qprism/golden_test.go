package main

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/engine/diff"
)

var goldenUpdate = flag.Bool("golden.update", false, "write what diff and what-if print on a terminal to testdata/golden, to be reviewed")

// TestWhatATerminalShows compares what diff and what-if print for people with what was reviewed line by line.
func TestWhatATerminalShows(t *testing.T) {
	const ge, pbs = "../../fixtures/gridengine/", "../../fixtures/pbs/23.06.06-"
	for name, show := range map[string]func(b *bytes.Buffer) error{
		"diff-starvation": printDiff(t, diffOptions{}, ge+"starvation-8.1.9.tar.gz/without/start", ge+"starvation-8.1.9.tar.gz/without/end"),
		"diff-backfill":   printDiff(t, diffOptions{}, "example:large-parallel/run2/before", "example:large-parallel/run2/after"),
		"diff-sources":    printDiff(t, diffOptions{all: true}, sources+"/before", sources+"/after"),
		"diff-forecast":   printDiff(t, diffOptions{predict: "forecast", runtime: "10m"}, sources+"/before", sources+"/after"),
		"diff-plan":       printDiff(t, diffOptions{predict: "plan"}, ge+"8.1.9-dispatch-2.tar.gz/run2/before", ge+"8.1.9-dispatch-2.tar.gz/run2/after"),
		"diff-ocs":        printDiff(t, diffOptions{}, ge+"9.1.4-dispatch-8.tar.gz/run2/before", ge+"9.1.4-dispatch-8.tar.gz/run2/after"),
		"diff-ocs-scope":  printDiff(t, diffOptions{}, ge+"9.1.4-ocs-features.tar.gz/run1/before", ge+"9.1.4-ocs-features.tar.gz/run1/after"),
		"diff-pbs":        printDiff(t, diffOptions{}, pbs+"job-zoo.tar.gz/before", pbs+"job-zoo.tar.gz/running", pbs+"job-zoo.tar.gz/suspended", pbs+"job-zoo.tar.gz/end"),
		"diff-pbs-nologs": printDiff(t, diffOptions{logs: masterLogs{accounting: "testdata/nothing"}}, pbs+"job-zoo.tar.gz/before", pbs+"job-zoo.tar.gz/running", pbs+"job-zoo.tar.gz/suspended"),

		"what-if-departments": printWhatIf(t, whatIfOptions{set: []string{"weight_urgency=10"}, runtime: "30m"}, "example:departments/run2/before"),
		"what-if-linear":      printWhatIf(t, whatIfOptions{}, "example:three-users/run2/before", "linear"),
		"what-if-ocs":         printWhatIf(t, whatIfOptions{set: []string{"weight_priority=0", "weight_waiting_time=1"}}, ge+"9.1.4-dispatch-8.tar.gz/run2/before"),
		"what-if-same":        printWhatIf(t, whatIfOptions{complex: []string{"license=5000"}}, ge+"9.1.4-dispatch-8.tar.gz/run2/before"),
		"what-if-pbs":         printWhatIf(t, whatIfOptions{set: []string{"fair_share=false"}}, pbs+"fairshare-tree-cput.tar.gz/before"),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := show(&b); err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(b.String(), "../../", "")
			file := filepath.Join("testdata", "golden", name+".txt")
			if *goldenUpdate {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("it shows\n%s\nwant\n%s", got, want)
			}
			for line := range strings.Lines(got) {
				if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
					t.Errorf("blanks at the end of %q", line)
				}
			}
		})
	}
}

// terminal is an output for people.
func terminal(b *bytes.Buffer) output { return output{w: b, terminal: true, format: "table"} }

func printDiff(t *testing.T, opts diffOptions, bundles ...string) func(b *bytes.Buffer) error {
	return func(b *bytes.Buffer) error {
		opts.predict = cmp.Or(opts.predict, string(diff.ByOrder))
		r, err := (&deps{}).diff(t.Context(), opts, bundles)
		if err != nil {
			return err
		}
		return r.print(terminal(b))
	}
}

func printWhatIf(t *testing.T, opts whatIfOptions, args ...string) func(b *bytes.Buffer) error {
	return func(b *bytes.Buffer) error {
		opts.runs = 10_000
		r, err := (&deps{}).whatIf(t.Context(), opts, args, b)
		if err != nil {
			return err
		}
		return r.print(terminal(b))
	}
}
