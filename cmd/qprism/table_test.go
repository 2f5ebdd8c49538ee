package main

import (
	"bytes"
	"strings"
	"testing"

	"qprism/cmd/qprism/program"
)

func TestAFormatHoldsWhereverTheOutputGoes(t *testing.T) {
	shows := func(to interface {
		Write([]byte) (int, error)
		String() string
	}, args ...string) string {
		root := program.New()
		root.SetOut(to)
		root.SetArgs(append([]string{"priorities", "example:three-users"}, args...))
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		return to.String()
	}
	people, tabs := shows(&screen{wide: true}), shows(&bytes.Buffer{})
	if people == tabs || !strings.Contains(people, "higher is sooner") || !strings.HasPrefix(tabs, "job-ID\tprior\t") {
		t.Errorf("a terminal and a pipe get\n%s\n%s", people, tabs)
	}
	if got := shows(&bytes.Buffer{}, "--format", "table"); got != people {
		t.Errorf("--format table into a pipe is no table for people:\n%s", got)
	}
	if got := shows(&screen{}, "--format", "tsv"); got != tabs {
		t.Errorf("--format tsv on a terminal is not what a pipe gets:\n%s", got)
	}
}
