package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/safe"
)

// evil is a name that a terminal would obey: a sequence, a C1 control, a direction mark, a character of no width, and a byte that is no
// UTF-8.
const evil = "\x1b]0;owned\a\u009b31m\u202egnp\u200b\xff"

// runs executes a command line as main does.
func runs(args ...string) (status int, stdout, stderr string) {
	var out, warn bytes.Buffer
	status = execute(context.Background(), args, &out, &warn)
	return status, out.String(), warn.String()
}

// tame fails where a text holds what a terminal would obey or hide.
func tame(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "")
		if safe.Text(line) != line {
			t.Errorf("%s: %q", what, line)
		}
	}
}

func TestNoErrorTextOfAStrangerReachesATerminalRaw(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name, "qstat.xml")
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
		return filepath.Dir(path)
	}
	store := filepath.Join(folder, "store.db")
	for what, args := range map[string][]string{
		"a bundle's name":      {"audit", filepath.Join(folder, evil)},
		"an XML tag":           {"audit", write("tag", "<job_info><"+evil+"></job_info>")},
		"a folder in a bundle": {"audit", filepath.Dir(filepath.Dir(write("many/a"+evil, "<job_info/>") + write("many/b"+evil, "<job_info/>")))},
		"a job's number":       {"why", evil, write("number", "<job_info><JB_job_number>"+evil+"</JB_job_number></job_info>")},
		"a flag":               {"audit", "--" + evil},
		"a command":            {evil},
		"a format":             {"audit", "--format", evil},
		"a cluster's command":  {"audit", "--from", ".", "--command", evil},
		"the answer of a host": {"doctor", "--from", "nobody@localhost:1" + evil},
		"a task":               {"run", evil},
	} {
		status, out, warn := runs(append(args, "--store", store)...)
		if status == 0 || warn == "" {
			t.Errorf("%s: exit status %d, %q", what, status, warn)
		}
		tame(t, what, out)
		tame(t, what, warn)
	}
}

// A fullDisk takes no more.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWhatCannotBeWrittenIsAnErrorWhereverItWasPrinted(t *testing.T) {
	for _, format := range []string{"table", "tsv", "csv", "json"} {
		for _, command := range []string{"examples", "audit example:departments/run2/before", "plan example:departments"} {
			var warn bytes.Buffer
			args := append(strings.Fields(command), "--format", format)
			if status := execute(t.Context(), args, fullDisk{}, &warn); status != 1 || !strings.Contains(warn.String(), "no space left") {
				t.Errorf("%s: exit status %d, %q", args, status, warn.String())
			}
		}
	}
}

func TestALogLineOfServeIsJSONWithoutControls(t *testing.T) {
	var b bytes.Buffer
	serve.NewLog(&b, "json").Error("a command failed", "stderr", evil)
	tame(t, "json", b.String())
	if !strings.Contains(b.String(), `\u009b31m\u202e`) {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	serve.NewLog(safe.NewWriter(&b), "").Error("a command failed", "stderr", evil)
	tame(t, "text", b.String())
}
