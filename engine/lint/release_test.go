package lint_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/lint"
	"qprism/importer/cluster"
)

// TestOptionsAreObsoleteOnlyInReleasesThatDoNotObeyThem: preempt_order left sched_config in 20.0, help_starving_jobs in 22.05.
func TestOptionsAreObsoleteOnlyInReleasesThatDoNotObeyThem(t *testing.T) {
	for version, want := range map[string]string{"14.1.2": "", "19.1.3": "", "20.0.1": "preempt_order",
		"22.05.11": "preempt_order help_starving_jobs",
		"23.06.06": "preempt_order help_starving_jobs"} {
		s, err := cluster.Read(fstest.MapFS{
			"version.txt":  {Data: []byte("pbs_version = " + version + "\n")},
			"date.txt":     {Data: []byte("1795248870\n")},
			"sched_config": {Data: []byte("preempt_order: \"SCR\"\nhelp_starving_jobs: true ALL\nprimetime_prefix: p_\nnonprimetime_prefix: np_\ndedicated_prefix: ded\n")},
		}, cluster.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, trap := range checked(lint.Input{Snapshot: s}).Traps {
			if trap.Name == "option-obsolete" {
				name, _, _ := strings.Cut(trap.Place.Text, ":")
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", version, got, want)
		}
	}
}
