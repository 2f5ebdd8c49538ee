package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/importer"
	"qprism/importer/cluster"
)

// steps are the bundles that every command is tried on: of each recording of Grid Engine the one that most happens in.
// QPRISM_CAPTURES names a folder of unpacked recordings, all of whose bundles are tried then.
func steps(t *testing.T) (list []string) {
	t.Helper()
	if dir := os.Getenv("QPRISM_CAPTURES"); dir != "" {
		err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			if base := filepath.Base(name); base == "qstat.xml" || base == "date.txt" {
				list = append(list, filepath.Dir(name))
			}
			return err
		})
		if err != nil || len(list) == 0 {
			t.Fatal(dir, err)
		}
		return list
	}
	archives, err := filepath.Glob("../../fixtures/gridengine/*-*.tar.gz")
	if err != nil || len(archives) < 15 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		for _, step := range []string{"run2/after", "run1/after", "with/start"} {
			if _, closer, err := importer.Open(archive + "/" + step); err == nil {
				closer.Close()
				list = append(list, archive+"/"+step)
				break
			}
		}
	}
	return list
}

// badWords are what no table for people may hold.
var badWords = regexp.MustCompile(`\b(NaN|Inf|<nil>|nil)\b|%!|\x00`)

// clearErrors are those that commands may end with on a bundle that is whole.
var clearErrors = []string{
	"cannot compare a job with itself", `is not in the snapshot; "qprism priorities" lists`, "is not a job", "has no such task",
	"cannot be planned: the bundle lacks", "variant linear is for the policies of Grid Engine", "PBS has no schedule file",
}

// A caller runs commands on bundles and looks at what they print.
type caller struct {
	*testing.T
	calls  int
	errors map[string]int
}

// call runs a command in one format. Exit status 3, that something was found, is no error.
func (c *caller) call(format string, args ...string) {
	var out bytes.Buffer
	root := program.New()
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append(slices.Clone(args), "--format", format))
	err := root.Execute()
	c.calls++
	var found *cli.DisagreementError
	switch {
	case err != nil && !errors.As(err, &found):
		if i := slices.IndexFunc(clearErrors, func(text string) bool { return strings.Contains(err.Error(), text) }); i >= 0 {
			c.errors[args[0]+": … "+clearErrors[i]]++
			return
		}
		c.Errorf("%v --format %s: %v", args, format, err)
	case format == "json" && !json.Valid(out.Bytes()):
		c.Errorf("%v: no JSON: %.200s", args, out.String())
	case format == "csv":
		if _, err := csv.NewReader(&out).ReadAll(); err != nil {
			c.Errorf("%v: no CSV: %v", args, err)
		}
	case format == "table":
		if bad := badWords.FindString(out.String()); bad != "" {
			c.Errorf("%v: %q in %s", args, bad, out.String())
		}
	}
}

// TestEveryCommandAnswersOnEveryRecording calls all commands that look at one bundle or two, for jobs of every state and for some
// that are not there, in a format that changes from one recording to the next.
func TestEveryCommandAnswersOnEveryRecording(t *testing.T) {
	c := &caller{T: t, errors: map[string]int{}}
	list := steps(t)
	formats := []string{"table", "json", "csv"}
	for n, bundle := range list {
		for i, command := range []string{"audit", "priorities", "shares", "plan", "forecast"} {
			c.call(formats[(n+i)%3], command, bundle)
		}
		c.call(formats[n%2], "lint", bundle)
		c.call(formats[(n+1)%3], "what-if", bundle, "fairshare", "--no-forecast")
		before := path.Dir(bundle) + "/before"
		if _, closer, err := importer.Open(before); err == nil && before != bundle {
			closer.Close()
			c.call(formats[n%3], "diff", before, bundle)
		}
		jobs := jobsOfEachState(t, bundle)
		for i, job := range append(slices.Clone(jobs), "4294967295", "none") {
			format := formats[(n+i)%3]
			c.call(format, "explain", job, bundle)
			c.call(format, "explain", job+".1", bundle)
			c.call(format, "why", job, bundle)
			if len(jobs) > 0 {
				c.call(format, "compare", job, jobs[(i+1)%len(jobs)], bundle)
				c.call(format, "compare", job, jobs[0], bundle)
			}
		}
	}
	t.Logf("%d calls on %d bundles; errors: %v", c.calls, len(list), c.errors)
	if c.calls < 25*len(list) {
		t.Errorf("only %d calls on %d bundles", c.calls, len(list))
	}
}

// jobsOfEachState are the first job of each state of a bundle, the last that waits, and an array.
func jobsOfEachState(t *testing.T, bundle string) (jobs []string) {
	t.Helper()
	files, closer, err := subject.BundleAt(bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	s, err := cluster.Read(files, cluster.Options{})
	if err != nil {
		t.Fatal(bundle, err)
	}
	seen := map[string]bool{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		id, state := show.Number32(j.Number), ""
		if j.PBS != nil {
			id, state = j.PBS.ID, j.PBS.State
		} else if len(j.Tasks) > 0 {
			state = j.Tasks[0].State
		}
		if j.Array {
			state += " array"
		}
		if !seen[state] || i == len(s.Jobs)-1 {
			seen[state] = true
			jobs = append(jobs, id)
		}
	}
	return jobs
}
